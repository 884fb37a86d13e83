#include "zeroed_logs.h"

#include <fcntl.h>
#include <rocksdb/file_system.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace autoshard {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// As much as there is already, within these bounds: few stores are large.
constexpr std::uint64_t kLeastAhead = kZeroedLogUnit;
constexpr std::uint64_t kMostAhead = 16 * kZeroedLogUnit;
constexpr std::array<char, kZeroedLogUnit> kZeros{};

class ZeroedLog final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  /// `descriptor`: another one of the same file, which this closes.
  ZeroedLog(std::unique_ptr<rocksdb::FSWritableFile> file, int descriptor)
      : FSWritableFileOwnerWrapper(std::move(file)), descriptor_(descriptor) {}
  ~ZeroedLog() override { ::close(descriptor_); }

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    begin_append(data.size());
    return target()->Append(data, options, debug);
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification, IODebugContext* debug) override {
    begin_append(data.size());
    return target()->Append(data, options, verification, debug);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    // Should that fail: the zeros do no harm.
    if (size_ < zeroed_) target()->Truncate(size_, options, debug).PermitUncheckedError();
    return target()->Close(options, debug);
  }

 private:
  void begin_append(std::size_t bytes) {
    size_ += bytes;
    if (size_ <= zeroed_) return;
    zeroed_ = size_;
    std::uint64_t end = size_ + std::clamp(size_, kLeastAhead, kMostAhead);
    end -= end % kZeroedLogUnit;
    while (zeroed_ < end) {
      const ssize_t written =
          ::pwrite(descriptor_, kZeros.data(), std::min<std::uint64_t>(kZeros.size(), end - zeroed_),
                   static_cast<off_t>(zeroed_));
      if (written <= 0) return;  // what matters is whether the append fails, too
      zeroed_ += static_cast<std::uint64_t>(written);
    }
  }

  const int descriptor_;
  std::uint64_t size_ = 0;    // with the append under way
  std::uint64_t zeroed_ = 0;  // what the file is at least that long
};

bool is_log(const std::filesystem::path& file) {
  return file.extension() == ".log" &&
         file.stem().string().find_first_not_of("0123456789") == std::string::npos;
}

class FileSystem final : public rocksdb::FileSystemWrapper {
 public:
  FileSystem() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "AutoShard"; }

  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) override {
    const IOStatus status = target()->NewWritableFile(name, options, result, debug);
    if (!status.ok() || !is_log(name)) return status;
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor >= 0) *result = std::make_unique<ZeroedLog>(std::move(*result), descriptor);
    return status;
  }
};

}  // namespace

rocksdb::Env& env_with_zeroed_logs() {
  static rocksdb::Env& env = *rocksdb::NewCompositeEnv(std::make_shared<FileSystem>()).release();
  return env;
}

}  // namespace autoshard
