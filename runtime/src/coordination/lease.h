#pragma once

#include <autoshard/store.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "keys.h"
#include "platform.h"

namespace autoshard::detail {

/// Lets only one of all mappers on a store do a job at a time, so that they do not obstruct each other (Gray
/// and Cheriton 1989). A record names the holder, and changes whenever the holder renews the lease. A mapper
/// that has seen the record unchanged for a term takes the lease over from its lost holder. It measures the
/// term by its own clock; clocks need not agree. A holder that was only delayed may still believe that it has
/// the lease, so the job must be correct without the lease. Used by one thread at a time.
class Lease {
 public:
  using Time = platform::Clock::time_point;
  using Clock = std::function<Time()>;

  Lease(Store& store, std::string_view name, std::chrono::milliseconds term,
        Clock clock = platform::Clock::now);
  ~Lease() { give_up(); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  /// Takes or renews the lease. Returns whether this mapper holds it for at least half a term more; call it
  /// again by then. Throws `StoreUnavailable`.
  bool take();

  /// Releases the lease, so that another mapper can take it at once.
  void give_up() noexcept;

 private:
  /// Returns whether this object wrote the record. Several records may be: that of the last commit, and that
  /// of one whose outcome is unknown.
  bool is_mine(std::string_view record) const;

  Store& store_;
  const RecordKey key_;
  const std::chrono::milliseconds term_;
  const Clock clock_;
  std::string begin_of_mine_;  // of the records that this object writes
  std::uint64_t taken_ = 0;    // how often this object has taken or renewed the lease
  bool held_ = false;
  Time since_;  // when the lease was last taken here, or `others_` was first seen
  std::string others_;
};

}  // namespace autoshard::detail
