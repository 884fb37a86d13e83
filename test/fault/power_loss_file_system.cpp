#include "power_loss_file_system.h"

#include <rocksdb/file_system.h>
#include <rocksdb/system_clock.h>

#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "disk/logs.h"
#include "disk/zeroed_logs.h"

namespace autoshard::test {
namespace {

using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

IOStatus status(int error, const std::string& path) {
  switch (error) {
    case 0:
      return IOStatus::OK();
    case ENOENT:
      return IOStatus::PathNotFound(path);
    case ENOSPC:
      return IOStatus::NoSpace(path);
    default:
      return IOStatus::IOError(path, std::strerror(error));
  }
}

class NoLogger final : public rocksdb::Logger {
 public:
  void Logv(const char*, std::va_list) override {}
};

class Sequential final : public rocksdb::FSSequentialFile {
 public:
  Sequential(Disk& disk, Disk::Handle file) : disk_(disk), file_(std::move(file)) {}

  IOStatus Read(std::size_t size, const IOOptions&, Slice* result, char* scratch, IODebugContext*) override {
    const int error = disk_.read(file_, at_, size, scratch);
    if (error == 0) at_ += size;
    *result = Slice(scratch, error == 0 ? size : 0);
    return status(error, "read");
  }
  IOStatus Skip(std::uint64_t bytes) override {
    at_ += bytes;
    return IOStatus::OK();
  }

 private:
  Disk& disk_;
  const Disk::Handle file_;
  std::uint64_t at_ = 0;
};

class RandomAccess final : public rocksdb::FSRandomAccessFile {
 public:
  RandomAccess(Disk& disk, Disk::Handle file) : disk_(disk), file_(std::move(file)) {}

  IOStatus Read(std::uint64_t offset, std::size_t size, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) const override {
    const int error = disk_.read(file_, offset, size, scratch);
    *result = Slice(scratch, error == 0 ? size : 0);
    return status(error, "read");
  }

 private:
  Disk& disk_;
  const Disk::Handle file_;
};

class Writable final : public rocksdb::FSWritableFile {
 public:
  Writable(Disk& disk, Disk::Handle file) : disk_(disk), file_(std::move(file)) {}

  using FSWritableFile::Append;
  IOStatus Append(const Slice& data, const IOOptions&, IODebugContext*) override {
    return status(disk_.append(file_, size_, data.ToStringView()), "append");
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions&, IODebugContext*) override {
    const int error = disk_.truncate(file_, size);
    if (error == 0) size_ = size;
    return status(error, "truncate");
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return status(disk_.sync(file_), "sync"); }
  bool IsSyncThreadSafe() const override { return true; }
  std::uint64_t GetFileSize(const IOOptions&, IODebugContext*) override { return size_; }

 private:
  Disk& disk_;
  const Disk::Handle file_;
  std::uint64_t size_ = 0;
};

class RandomReadWrite final : public rocksdb::FSRandomRWFile {
 public:
  RandomReadWrite(Disk& disk, Disk::Handle file) : disk_(disk), file_(std::move(file)) {}

  IOStatus Write(std::uint64_t offset, const Slice& data, const IOOptions&, IODebugContext*) override {
    return status(disk_.write(file_, offset, data.ToStringView()), "write");
  }
  IOStatus Read(std::uint64_t offset, std::size_t size, const IOOptions&, Slice* result, char* scratch,
                IODebugContext*) const override {
    const int error = disk_.read(file_, offset, size, scratch);
    *result = Slice(scratch, error == 0 ? size : 0);
    return status(error, "read");
  }
  IOStatus Flush(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }
  IOStatus Sync(const IOOptions&, IODebugContext*) override { return status(disk_.sync(file_), "sync"); }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  Disk& disk_;
  const Disk::Handle file_;
};

class Folder final : public rocksdb::FSDirectory {
 public:
  Folder(Disk& disk, Disk::Handle folder) : disk_(disk), folder_(std::move(folder)) {}

  IOStatus Fsync(const IOOptions&, IODebugContext*) override {
    return status(disk_.sync_folder(folder_), "sync folder");
  }
  IOStatus Close(const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  Disk& disk_;
  const Disk::Handle folder_;
};

class Lock final : public rocksdb::FileLock {
 public:
  explicit Lock(std::string locked) : path(std::move(locked)) {}
  const std::string path;
};

class DiskFileSystem final : public rocksdb::FileSystem {
 public:
  explicit DiskFileSystem(Disk& disk) : disk_(disk) {}
  const char* Name() const override { return "PowerLoss"; }

  IOStatus NewSequentialFile(const std::string& path, const FileOptions&,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result, IODebugContext*) override {
    return open<Sequential>(path, *result);
  }
  IOStatus NewRandomAccessFile(const std::string& path, const FileOptions&,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* result,
                               IODebugContext*) override {
    return open<RandomAccess>(path, *result);
  }
  IOStatus NewRandomRWFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<rocksdb::FSRandomRWFile>* result, IODebugContext*) override {
    return open<RandomReadWrite>(path, *result);
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions&,
                        std::unique_ptr<rocksdb::FSDirectory>* result, IODebugContext*) override {
    return open<Folder>(path, *result);
  }
  IOStatus NewWritableFile(const std::string& path, const FileOptions&,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext*) override {
    Disk::Handle file;
    const int error = disk_.create(path, file);
    if (error == 0) *result = std::make_unique<Writable>(disk_, std::move(file));
    return status(error, path);
  }
  IOStatus FileExists(const std::string& path, const IOOptions&, IODebugContext*) override {
    Disk::Handle node;
    const int error = disk_.open(path, node);
    return error == ENOENT ? IOStatus::NotFound() : status(error, path);
  }
  IOStatus GetChildren(const std::string& path, const IOOptions&, std::vector<std::string>* result,
                       IODebugContext*) override {
    const int error = disk_.list(path, *result);
    return error == ENOENT ? IOStatus::NotFound() : status(error, path);
  }
  IOStatus DeleteFile(const std::string& path, const IOOptions&, IODebugContext*) override {
    return status(disk_.remove(path), path);
  }
  IOStatus DeleteDir(const std::string& path, const IOOptions&, IODebugContext*) override {
    return status(disk_.remove(path), path);
  }
  IOStatus CreateDir(const std::string& path, const IOOptions&, IODebugContext*) override {
    return status(disk_.make_folder(path), path);
  }
  IOStatus CreateDirIfMissing(const std::string& path, const IOOptions&, IODebugContext*) override {
    Disk::Handle node;
    if (disk_.open(path, node) == 0 && Disk::is_folder(*node)) return IOStatus::OK();
    return status(disk_.make_folder(path), path);
  }
  IOStatus GetFileSize(const std::string& path, const IOOptions&, std::uint64_t* size,
                       IODebugContext*) override {
    Disk::Handle file;
    const int error = disk_.open(path, file);
    if (error == 0) *size = disk_.size(file);
    return status(error, path);
  }
  IOStatus GetFileModificationTime(const std::string&, const IOOptions&, std::uint64_t* time,
                                   IODebugContext*) override {
    *time = 0;
    return IOStatus::OK();
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions&,
                      IODebugContext*) override {
    return status(disk_.rename(from, to), from);
  }
  IOStatus LockFile(const std::string& path, const IOOptions&, rocksdb::FileLock** lock,
                    IODebugContext*) override {
    Disk::Handle file;
    if (const int error = disk_.open(path, file) == 0 ? 0 : disk_.create(path, file); error != 0)
      return status(error, path);
    if (!disk_.lock(path)) return IOStatus::IOError("lock hold by current process", path);
    *lock = new Lock(path);
    return IOStatus::OK();
  }
  IOStatus UnlockFile(rocksdb::FileLock* lock, const IOOptions&, IODebugContext*) override {
    const std::unique_ptr<Lock> held(static_cast<Lock*>(lock));
    disk_.unlock(held->path);
    return IOStatus::OK();
  }
  IOStatus GetTestDirectory(const IOOptions&, std::string* path, IODebugContext*) override {
    *path = "/";
    return IOStatus::OK();
  }
  IOStatus NewLogger(const std::string&, const IOOptions&, std::shared_ptr<rocksdb::Logger>* result,
                     IODebugContext*) override {
    *result = std::make_shared<NoLogger>();
    return IOStatus::OK();
  }
  IOStatus GetAbsolutePath(const std::string& path, const IOOptions&, std::string* result,
                           IODebugContext*) override {
    *result = path;
    return IOStatus::OK();
  }
  IOStatus GetFreeSpace(const std::string&, const IOOptions&, std::uint64_t* bytes,
                        IODebugContext*) override {
    *bytes = disk_.free_bytes();
    return IOStatus::OK();
  }
  IOStatus IsDirectory(const std::string& path, const IOOptions&, bool* is_folder, IODebugContext*) override {
    Disk::Handle node;
    const int error = disk_.open(path, node);
    if (error == 0) *is_folder = Disk::is_folder(*node);
    return status(error, path);
  }

 private:
  template <class File, class Interface>
  IOStatus open(const std::string& path, std::unique_ptr<Interface>& result) {
    Disk::Handle node;
    const int error = disk_.open(path, node);
    if (error == 0) result = std::make_unique<File>(disk_, std::move(node));
    return status(error, path);
  }

  Disk& disk_;
};

class ClockThatDoesNotSleep final : public rocksdb::SystemClockWrapper {
 public:
  using SystemClockWrapper::SystemClockWrapper;
  const char* Name() const override { return "DoesNotSleep"; }
  void SleepForMicroseconds(int) override { std::this_thread::yield(); }
};

class EnvThatDoesNotSleep final : public rocksdb::EnvWrapper {
 public:
  explicit EnvThatDoesNotSleep(std::unique_ptr<rocksdb::Env> env) : EnvWrapper(std::move(env)) {
    system_clock_ = std::make_shared<ClockThatDoesNotSleep>(rocksdb::SystemClock::Default());
  }
  const char* Name() const override { return "DoesNotSleep"; }
  void SleepForMicroseconds(int) override { std::this_thread::yield(); }
};

}  // namespace

std::unique_ptr<rocksdb::Env> env_on(Disk& disk, bool sync) {
  const auto files = std::make_shared<DiskFileSystem>(disk);
  return std::make_unique<EnvThatDoesNotSleep>(rocksdb::NewCompositeEnv(
      sync ? rocksdb_store::with_zeroed_logs(files) : rocksdb_store::with_logs_in_order(files)));
}

}  // namespace autoshard::test
