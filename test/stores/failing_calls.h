#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace autoshard::test {

/// The file system of the machine. A test decides which of its calls fail. Thread-safe.
class FailingCalls final : public rocksdb::FileSystemWrapper {
 public:
  enum class Call { kChildren, kDelete, kExists, kIsDirectory, kLock, kOpenToRead, kOpenToSync };
  using Decide = std::function<rocksdb::IOStatus(Call, const std::filesystem::path&)>;

  FailingCalls() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "FailingCalls"; }

  /// `decide` is called before each call. If it returns an error, this error is the result of the call.
  void before(Decide decide) {
    const std::lock_guard lock(mutex_);
    decide_ = std::move(decide);
  }
  /// Calls of this kind fail, from now on.
  void fail(Call failing) {
    before([failing](Call call, const std::filesystem::path&) {
      return call == failing ? rocksdb::IOStatus::IOError("injected") : rocksdb::IOStatus::OK();
    });
  }
  /// Sets the result of each later question for the free space.
  void set_free_space(rocksdb::IOStatus status, std::uint64_t bytes = 0) {
    const std::lock_guard lock(mutex_);
    free_space_.emplace(std::move(status), bytes);
  }

  rocksdb::IOStatus GetChildren(const std::string& folder, const rocksdb::IOOptions& options,
                                std::vector<std::string>* names, rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = decide(Call::kChildren, folder);
    return status.ok() ? target()->GetChildren(folder, options, names, debug) : status;
  }
  rocksdb::IOStatus DeleteFile(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = decide(Call::kDelete, name);
    return status.ok() ? target()->DeleteFile(name, options, debug) : status;
  }
  rocksdb::IOStatus FileExists(const std::string& name, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = decide(Call::kExists, name);
    return status.ok() ? target()->FileExists(name, options, debug) : status;
  }
  rocksdb::IOStatus IsDirectory(const std::string& name, const rocksdb::IOOptions& options, bool* result,
                                rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = decide(Call::kIsDirectory, name);
    return status.ok() ? target()->IsDirectory(name, options, result, debug) : status;
  }
  rocksdb::IOStatus LockFile(const std::string& name, const rocksdb::IOOptions& options,
                             rocksdb::FileLock** result, rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = decide(Call::kLock, name);
    return status.ok() ? target()->LockFile(name, options, result, debug) : status;
  }
  rocksdb::IOStatus NewSequentialFile(const std::string& name, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* result,
                                      rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = decide(Call::kOpenToRead, name);
    return status.ok() ? target()->NewSequentialFile(name, options, result, debug) : status;
  }
  rocksdb::IOStatus NewRandomRWFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSRandomRWFile>* result,
                                    rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus status = decide(Call::kOpenToSync, name);
    return status.ok() ? target()->NewRandomRWFile(name, options, result, debug) : status;
  }
  rocksdb::IOStatus GetFreeSpace(const std::string& name, const rocksdb::IOOptions& options,
                                 std::uint64_t* bytes, rocksdb::IODebugContext* debug) override {
    const std::lock_guard lock(mutex_);
    if (!free_space_) return target()->GetFreeSpace(name, options, bytes, debug);
    *bytes = free_space_->second;
    return free_space_->first;
  }

 private:
  rocksdb::IOStatus decide(Call call, const std::filesystem::path& path) {
    const std::lock_guard lock(mutex_);
    return decide_ ? decide_(call, path) : rocksdb::IOStatus::OK();
  }

  std::mutex mutex_;
  Decide decide_;
  std::optional<std::pair<rocksdb::IOStatus, std::uint64_t>> free_space_;
};

}  // namespace autoshard::test
