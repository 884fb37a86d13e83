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

/// The removal of expired marks and tokens, see expiring_record.h.
namespace autoshard::detail {

/// The marks that seem to have expired, as one mapper has seen them. To a fast clock the marks of living
/// writers seem so, but a writer needs its mark while a commit is in doubt. So a mapper only removes a mark
/// that it has seen unchanged for a while, on a steady clock. Thread-safe.
class SeenMarks {
 public:
  /// Longer than a writer looks for the outcome of a commit.
  static constexpr std::chrono::hours kWhile{1};
  /// The largest number of marks. Further marks wait until some of these are removed.
  static constexpr std::size_t kMost = 65'536;

  using Clock = std::function<platform::Clock::time_point()>;

  explicit SeenMarks(Clock clock = platform::Clock::now) : clock_(std::move(clock)) {}

  /// Returns whether the mark was unchanged for `kWhile`. Records its present state.
  bool has_stayed(std::string_view key, std::string_view record);
  /// Must be called once the mark is removed.
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

/// Removes expired records, one batch at a time, so that neither a snapshot nor a transaction gets large.
/// Correct in several processes at the same time. Used by one thread at a time.
class ExpiredRecords {
 public:
  /// `now`: by the clock of the machine. Advances the clock of the store if there are tokens. The arguments
  /// must outlive the object.
  ExpiredRecords(Store& store, StoreClock& clock, SeenMarks& marks, Now now);

  /// Returns false if all records are visited.
  bool remove_some();
  /// Returns the number of records removed.
  std::uint64_t removed() const { return removed_; }

 private:
  void remove(std::span<const std::string> expired);
  bool has_ended(std::string_view key, std::string_view record);

  Store& store_;
  StoreClock& clock_;
  SeenMarks& marks_;
  const Now now_;
  std::optional<std::uint64_t> store_time_;  // read at the first token
  std::string next_;                         // where the next batch begins
  std::uint64_t removed_ = 0;
};

}  // namespace autoshard::detail
