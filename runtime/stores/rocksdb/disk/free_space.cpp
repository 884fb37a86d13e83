#include "free_space.h"

#include <autoshard/errors.h>
#include <rocksdb/file_system.h>

#include <chrono>
#include <string>
#include <utility>

namespace autoshard::rocksdb_store {
namespace {

// Far below any reserve that makes sense, so that unchecked writes cannot use up the reserve.
constexpr std::int64_t kBytesBetweenChecks = 1 << 20;
constexpr std::chrono::milliseconds kTimeBetweenChecks(2);
constexpr std::uint64_t kTimesWritten = 2;  // to the log, and from memory to a sorted file

}  // namespace

FreeSpace::FreeSpace(rocksdb::Env& env, std::filesystem::path folder, std::uint64_t minimum_free_bytes,
                     std::function<std::uint64_t()> outstanding)
    : env_(env),
      folder_(std::move(folder)),
      minimum_free_bytes_(minimum_free_bytes),
      outstanding_(std::move(outstanding)) {}

FreeSpace::Writing::Writing(FreeSpace& free_space, std::size_t bytes)
    : free_space_(free_space), bytes_(bytes) {
  free_space_.being_written_.fetch_add(bytes_, std::memory_order_relaxed);
}

FreeSpace::Writing::~Writing() { free_space_.being_written_.fetch_sub(bytes_, std::memory_order_relaxed); }

void FreeSpace::require(std::size_t bytes) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  const auto left = unchecked_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  if (now.count() < next_check_.load(std::memory_order_relaxed) && left >= static_cast<std::int64_t>(bytes))
    return;
  check(0);  // if it throws, the next call checks again
  unchecked_.store(kBytesBetweenChecks, std::memory_order_relaxed);
  next_check_.store((now + kTimeBetweenChecks).count(), std::memory_order_relaxed);
}

void FreeSpace::check(std::uint64_t more_bytes) {
  std::uint64_t available = 0;
  const rocksdb::IOStatus status =
      env_.GetFileSystem()->GetFreeSpace(folder_.string(), rocksdb::IOOptions(), &available, nullptr);
  if (!status.ok()) {
    throw StoreUnavailable("the free space of " + folder_.string() +
                           " cannot be determined: " + status.ToString());
  }
  const std::uint64_t required = minimum_free_bytes_ + outstanding_() + more_bytes +
                                 kTimesWritten * being_written_.load(std::memory_order_relaxed);
  if (available >= required && required >= minimum_free_bytes_) return;
  throw StoreUnavailable("the file system of " + folder_.string() + " has " + std::to_string(available) +
                         " bytes free, and a write needs " + std::to_string(required) +
                         ": free space, or lower RocksDbOptions::minimum_free_bytes; reads still work");
}

}  // namespace autoshard::rocksdb_store
