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
  /// `outstanding` returns how many bytes of accepted writes are still to be written.
  FreeSpace(rocksdb::Env& env, std::filesystem::path folder, std::uint64_t minimum_free_bytes,
            std::function<std::uint64_t()> outstanding);

  /// Counts bytes as being written, as long as the object lives.
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

  /// To be called before a write, while a `Writing` counts its bytes. Throws `StoreUnavailable` if there is
  /// too little space for all writes under way. Asks the file system only now and then, unless the last
  /// answer was bad or the bytes are many.
  void require(std::size_t bytes);

  /// Asks the file system. Throws `StoreUnavailable` if there is too little space for all writes under way
  /// and for so many more bytes.
  void check(std::uint64_t more_bytes);

 private:
  rocksdb::Env& env_;
  const std::filesystem::path folder_;
  const std::uint64_t minimum_free_bytes_;
  const std::function<std::uint64_t()> outstanding_;
  std::atomic<std::int64_t> next_check_{0};  // in ticks of the steady clock; 0: at once
  std::atomic<std::int64_t> unchecked_{0};   // bytes that may be written until the next check
  std::atomic<std::uint64_t> being_written_{0};
};

}  // namespace autoshard::rocksdb_store
