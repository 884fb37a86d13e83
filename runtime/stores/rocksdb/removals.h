#pragma once

#include <rocksdb/db.h>
#include <rocksdb/perf_context.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "disk/free_space.h"
#include "mutex.h"
#include "platform.h"

namespace autoshard::rocksdb_store {

/// Keeps scans fast in places where many records were removed. Thread-safe.
///
/// RocksDB writes a delete marker for a removed record. A scan passes each delete marker, and each record
/// that it hides, in some 80 ns together. RocksDB drops both when it merges all files that may hold the key,
/// which in a store with few writes may never happen. Most removals lie where no scan passes, and cost
/// nothing.
///
/// Therefore cursors count the delete markers that they pass (`PassedRemovals`), and note the place here.
/// Once the scans of a place have lost as much time as a compaction is worth, a thread compacts the place,
/// from memory down to the last level. Tombstones that an open snapshot needs stay.
class Removals {
 public:
  /// A cursor notes a place if it has passed so many delete markers there, and as many as it has found
  /// records.
  static constexpr std::uint64_t kWorthNoting = 64;
  /// No place with fewer is compacted: its scans have lost about a millisecond in all.
  static constexpr std::uint64_t kWorthCompacting = 16'384;
  /// A compaction of a place is worthwhile once its scans have passed one delete marker for every 32 bytes
  /// that the compaction rewrites. To rewrite 32 bytes takes some four times as long as to pass a delete
  /// marker, but an application waits for its scans, and not for the compaction.
  static constexpr std::uint64_t kBytesPerDeleteMarker = 32;
  /// If there are more places, the half of them with the fewest delete markers is forgotten.
  static constexpr std::size_t kMostPlaces = 4'096;

  /// Both must outlive it.
  Removals(rocksdb::DB& db, FreeSpace& free_space) : db_(db), free_space_(free_space) {}
  ~Removals();
  Removals(const Removals&) = delete;
  Removals& operator=(const Removals&) = delete;

  /// Notes that a cursor has passed so many delete markers on its way between two keys.
  void note(std::string_view begin, std::string_view end, std::uint64_t passed);

  /// Waits until no place is worth a compaction, or nothing compacts any more.
  void wait();

  /// Cancels a compaction that is under way. No other one follows.
  void cancel();

 private:
  struct Place {
    std::string end;
    std::uint64_t passed = 0;                 // by all cursors since it was last compacted
    std::uint64_t needed = kWorthCompacting;  // until it is looked at
    rocksdb::SequenceNumber snapshot = 0;     // the oldest when it was last compacted; 0 if there was none
  };
  /// By their first keys. No two places overlap.
  using Places = std::map<std::string, Place, std::less<>>;

  /// Adds a place, together with the places that it touches. Returns whether to look at it.
  bool add(std::string begin, Place place) AUTOSHARD_REQUIRES(mutex_);
  void forget_half() AUTOSHARD_REQUIRES(mutex_);
  /// The first place to look at; the end if there is none.
  Places::iterator find_worst() AUTOSHARD_REQUIRES(mutex_);
  void run();
  /// Compacts a place if that is worth the bytes to rewrite. Returns whether to remember the place. An open
  /// snapshot may need all its delete markers. So each compaction under the same snapshot needs twice as
  /// many.
  bool tidy_up(const std::string& begin, Place& place);
  void compact(const std::string& begin, const std::string& end);

  rocksdb::DB& db_;
  FreeSpace& free_space_;
  std::atomic<bool> stopping_{false};
  detail::Mutex mutex_;
  detail::ConditionVariable changed_;
  Places places_ AUTOSHARD_GUARDED_BY(mutex_);
  bool is_busy_ AUTOSHARD_GUARDED_BY(mutex_) = false;
  /// Started when the first place is worth a compaction.
  detail::platform::Thread thread_ AUTOSHARD_GUARDED_BY(mutex_);
};

/// Counts the delete markers that one cursor passes, and the records that it finds.
class PassedRemovals {
 public:
  explicit PassedRemovals(Removals& removals) : removals_(removals) {}

  /// Counts the delete markers that an iterator passes in `move`.
  template <class Move>
  void count(Move move) {
    const std::uint64_t& passed = counter();
    const std::uint64_t before = passed;
    move();
    passed_ += passed - before;
  }

  void count_record() { ++records_; }

  /// Notes the place between two keys if it is worth it, and begins to count anew.
  void note(std::string_view begin, std::string_view end) noexcept;

 private:
  /// RocksDB's counter for this thread. RocksDB counts unless the application turns its counters off.
  static const std::uint64_t& counter() {
    constinit thread_local const std::uint64_t* counter = nullptr;
    if (!counter) counter = &rocksdb::get_perf_context()->internal_delete_skipped_count;
    return *counter;
  }

  Removals& removals_;
  std::uint64_t passed_ = 0, records_ = 0;
};

}  // namespace autoshard::rocksdb_store
