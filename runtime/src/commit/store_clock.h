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

/// The time that a store has been in use, as its mappers have seen it pass. It does not hang on what any
/// clock shows: a mapper adds only what has passed on its own steady clock since it saw the time that the
/// store has now. So a clock that is wrong, or jumps, has no effect. The time stands still while no mapper
/// adds to it.
///
/// Between two states of the store this time never gains more than `kLongestStep` on real time: the first
/// addition after the earlier state is that long at most, and each later one covers only what has passed
/// since the one before. Thread-safe.
class StoreClock {
 public:
  using Clock = std::function<platform::Clock::time_point()>;

  static constexpr std::chrono::milliseconds kLongestStep = std::chrono::minutes(1);

  /// The store must outlive it.
  explicit StoreClock(Store& store, Clock clock = platform::Clock::now);

  /// The time in the state that the transaction sees, in milliseconds; the commit validates it. Without a
  /// record, the time is 0. A transaction that finds none writes one: some stores make transactions wait for
  /// each other that validate the absence of one record.
  static std::optional<std::uint64_t> read(Transaction& transaction);
  /// The record of it.
  static void encode(std::string& record, std::uint64_t time);

  /// When something ends that is to last for so long, by the clock of the store.
  static std::uint64_t end(std::uint64_t begin, std::chrono::milliseconds lifetime);

  /// Adds what has passed. Returns the time that the store has then, at least. Throws `StoreUnavailable`.
  /// Waits for the store, and for no other caller.
  std::uint64_t advance();

  /// Does so if the last time, or the last attempt of this function, was half of `kLongestStep` ago. So one
  /// caller waits for a store that is slow or away, and the others go on.
  void advance_when_due();

 private:
  struct Seen {
    std::uint64_t time;                  // that the store had
    platform::Clock::time_point moment;  // when it had it
  };

  std::uint64_t take_passed(std::uint64_t time, platform::Clock::time_point now);

  Store& store_;
  const Clock clock_;
  Mutex mutex_;  // for moments only: nobody waits for the store with it
  std::optional<Seen> seen_ AUTOSHARD_GUARDED_BY(mutex_);
  platform::Clock::time_point due_ AUTOSHARD_GUARDED_BY(mutex_) = platform::Clock::time_point::min();
};

}  // namespace autoshard::detail
