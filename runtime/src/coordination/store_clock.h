#pragma once

#include <autoshard/store.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// The time that a store has been in use, as measured by its mappers. It does not depend on the clocks'
/// settings: a mapper only adds the time that has passed on its own steady clock since it first saw the
/// store's present time. So a clock that is wrong or jumps has no effect. The time stands still while no
/// mapper adds to it.
///
/// Between two states of the store, this time never gains more than `kLongestStep` on real time. The first
/// addition after the earlier state is at most that long, and each later addition covers only the time since
/// the previous one. Thread-safe.
class StoreClock {
 public:
  using Clock = std::function<platform::Clock::time_point()>;

  static constexpr std::chrono::milliseconds kLongestStep = std::chrono::minutes(1);

  /// The store must outlive the clock.
  explicit StoreClock(Store& store, Clock clock = platform::Clock::now);

  /// Returns the time in the state that the transaction sees, in milliseconds; the commit validates it.
  /// Without a record the time is 0. A transaction that finds no record writes one, because some stores make
  /// transactions that validate the absence of the same record wait for each other.
  static std::optional<std::uint64_t> read(Transaction& transaction);
  /// Encodes the record of the time.
  static void encode(std::string& record, std::uint64_t time);

  /// Returns when a lifetime ends, by the clock of the store.
  static std::uint64_t end(std::uint64_t begin, std::chrono::milliseconds lifetime);

  /// Adds the time that has passed. Returns a lower bound of the store's time afterwards. Throws
  /// `StoreUnavailable`. Waits for the store, and for no other caller.
  std::uint64_t advance();

  /// Calls `advance` if the last addition, or the last attempt of this function, was half of `kLongestStep`
  /// ago. So only one caller waits for a store that is slow or unreachable.
  void advance_when_due();

 private:
  struct Seen {
    std::uint64_t time;                  // the time of the store
    platform::Clock::time_point moment;  // when the store was seen to have it
  };

  std::uint64_t take_passed(std::uint64_t time, platform::Clock::time_point now);

  Store& store_;
  const Clock clock_;
  Mutex mutex_;  // held for moments only, never while waiting for the store
  std::optional<Seen> seen_ AUTOSHARD_GUARDED_BY(mutex_);
  platform::Clock::time_point due_ AUTOSHARD_GUARDED_BY(mutex_) = platform::Clock::time_point::min();
};

}  // namespace autoshard::detail
