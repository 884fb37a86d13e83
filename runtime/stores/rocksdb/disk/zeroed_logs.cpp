#include "zeroed_logs.h"

#include <rocksdb/file_system.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "logs.h"

namespace autoshard::rocksdb_store {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

// As many zeros as there are bytes, within these bounds: few stores are large.
constexpr std::uint64_t kLeastAhead = kZeroedLogUnit;
constexpr std::uint64_t kMostAhead = 16 * kZeroedLogUnit;
constexpr std::array<char, kZeroedLogUnit> kZeros{};

class ZeroedLog final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  /// `ahead`: the same file, opened for writes at any place.
  ZeroedLog(std::unique_ptr<rocksdb::FSWritableFile> file, std::unique_ptr<rocksdb::FSRandomRWFile> ahead)
      : FSWritableFileOwnerWrapper(std::move(file)), ahead_(std::move(ahead)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    begin_append(data.size(), options, debug);
    return end_append(target()->Append(data, options, debug), data.size(), options, debug);
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification, IODebugContext* debug) override {
    begin_append(data.size(), options, debug);
    return end_append(target()->Append(data, options, verification, debug), data.size(), options, debug);
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    // A failure is ignored: the zeros do no harm.
    if (size_ < zeroed_) target()->Truncate(size_, options, debug).PermitUncheckedError();
    return target()->Close(options, debug);
  }

 private:
  void begin_append(std::size_t bytes, const IOOptions& options, IODebugContext* debug) {
    size_ += bytes;
    if (size_ <= zeroed_) return;
    zeroed_ = size_;
    std::uint64_t end = size_ + std::clamp(size_, kLeastAhead, kMostAhead);
    end -= end % kZeroedLogUnit;
    while (zeroed_ < end) {
      const Slice zeros(kZeros.data(), std::min<std::uint64_t>(kZeros.size(), end - zeroed_));
      // A failure is ignored: only the append matters.
      if (!ahead_->Write(zeroed_, zeros, options, debug).ok()) return;
      zeroed_ += zeros.size();
    }
  }

  /// Cuts off the bytes of a failed append. In front of zeros, half a record looks like damage.
  IOStatus end_append(IOStatus status, std::size_t bytes, const IOOptions& options, IODebugContext* debug) {
    if (!status.ok()) {
      size_ -= bytes;
      target()->Truncate(size_, options, debug).PermitUncheckedError();  // `Close` tries again
    }
    return status;
  }

  const std::unique_ptr<rocksdb::FSRandomRWFile> ahead_;
  std::uint64_t size_ = 0;    // includes the append under way, and no failed append
  std::uint64_t zeroed_ = 0;  // the file is at least so long
};

class FileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "AutoShard"; }

  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) override {
    const IOStatus status = target()->NewWritableFile(name, options, result, debug);
    if (!status.ok() || !log_number(name)) return status;
    std::unique_ptr<rocksdb::FSRandomRWFile> ahead;
    if (target()->NewRandomRWFile(name, options, &ahead, debug).ok())
      *result = std::make_unique<ZeroedLog>(std::move(*result), std::move(ahead));
    return status;
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> with_zeroed_logs(const std::shared_ptr<rocksdb::FileSystem>& files) {
  return std::make_shared<FileSystem>(files);
}

}  // namespace autoshard::rocksdb_store
