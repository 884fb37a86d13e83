#pragma once

#include <rocksdb/env.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace autoshard::rocksdb_store {

/// Keeps writes off a disk that is nearly full. Thread-safe.
class FreeSpace {
 public:
  /// `outstanding` says how many bytes are still to be written of what was accepted before.
  FreeSpace(rocksdb::Env& env, std::filesystem::path folder, std::uint64_t minimum_free_bytes,
            std::function<std::uint64_t()> outstanding);

  /// So many bytes are being written, as long as this lives.
  class Writing {
   public:
    Writing(FreeSpace& free_space, std::size_t bytes);
    ~Writing();
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

   private:
    FreeSpace& free_space_;
    const std::uint64_t bytes_;
  };

  /// To be called before so many bytes are written, while a `Writing` counts them. Throws `StoreUnavailable`
  /// while there is too little space for all that is being written. Asks the file system now and then only,
  /// unless the last answer was bad or the bytes are many.
  void require(std::size_t bytes);

  /// Asks the file system. Throws `StoreUnavailable` if there is too little space for all that is being
  /// written and for so many bytes more.
  void check(std::uint64_t more_bytes);

 private:
  rocksdb::Env& env_;
  const std::filesystem::path folder_;
  const std::uint64_t minimum_free_bytes_;
  const std::function<std::uint64_t()> outstanding_;
  std::atomic<std::int64_t> next_check_{0};  // of the steady clock, in its ticks; 0: at once
  std::atomic<std::int64_t> unchecked_{0};   // bytes that may be written until then
  std::atomic<std::uint64_t> being_written_{0};
};

}  // namespace autoshard::rocksdb_store
