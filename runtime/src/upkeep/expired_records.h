#pragma once

#include <autoshard/detail/expiry.h>
#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "mutex.h"
#include "platform.h"
#include "store_clock.h"

/// The removal of marks and tokens that have expired, see expiring_record.h.
namespace autoshard::detail {

/// Marks that seem to have expired, as one mapper has seen them. A clock that is ahead makes marks of living
/// writers seem so, and a writer needs its mark while a commit is in doubt. So a mark is removed only by a
/// mapper that has seen it stay as it is for a while, on a steady clock. Thread-safe.
class SeenMarks {
 public:
  /// Longer than a writer looks for what became of a commit.
  static constexpr std::chrono::hours kWhile{1};
  /// More have to wait until some of these are removed.
  static constexpr std::size_t kMost = 65'536;

  using Clock = std::function<platform::Clock::time_point()>;

  explicit SeenMarks(Clock clock = platform::Clock::now) : clock_(std::move(clock)) {}

  /// Whether it was like this for so long. Notes that it is so now.
  bool has_stayed(std::string_view key, std::string_view record);
  /// To be called once the mark is removed.
  void forget(std::string_view key);

 private:
  struct Seen {
    std::string record;
    platform::Clock::time_point since;
  };

  const Clock clock_;
  Mutex mutex_;
  std::map<std::string, Seen, std::less<>> seen_ AUTOSHARD_GUARDED_BY(mutex_);  // by the keys
};

/// Removes what has expired, a batch of it at a time, so that neither a snapshot nor a transaction gets
/// large. Right in several processes at the same time. For one thread.
class ExpiredRecords {
 public:
  /// `now`: by the clock of the machine. The clock of the store goes on if there are tokens. What is passed
  /// must outlive this.
  ExpiredRecords(Store& store, StoreClock& clock, SeenMarks& marks, Now now);

  /// False if it has seen all of them.
  bool remove_some();
  /// How many it has removed.
  std::uint64_t removed() const { return removed_; }

 private:
  void remove(std::span<const std::string> expired);
  bool has_ended(std::string_view key, std::string_view record);

  Store& store_;
  StoreClock& clock_;
  SeenMarks& marks_;
  const Now now_;
  std::optional<std::uint64_t> store_time_;  // asked for at the first token
  std::string next_;                         // where the next batch begins
  std::uint64_t removed_ = 0;
};

}  // namespace autoshard::detail
