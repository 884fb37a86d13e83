#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "platform.h"

namespace autoshard::detail {

/// The failures of background work, by names of the work. A failure is logged once, and the work is tried
/// again after pauses that grow. So a record that is damaged or too large costs the store and the log very
/// little. Used by one thread at a time.
class Failures {
 public:
  using Time = platform::Clock::time_point;

  static constexpr std::chrono::hours kLongestPause{1};
  /// The largest number of failures kept. Beyond it all are dropped, and later failures are logged once more.
  static constexpr std::size_t kMost = 16'384;

  /// Returns whether the work must not be tried yet.
  bool is_paused(std::string_view work, Time now) const {
    const auto found = failed_.find(work);
    return found != failed_.end() && now < found->second.due;
  }

  /// Records a failure. The first pause is `least`; each later pause is twice as long as the previous one,
  /// unless the work `made_progress`. Returns whether to log the failure.
  bool note(std::string_view work, Time now, std::chrono::milliseconds least, bool made_progress = false) {
    if (is_paused(work, now)) return false;  // part of an attempt whose failure is already recorded
    if (failed_.size() >= kMost && !failed_.contains(work)) failed_.clear();
    const auto [failure, is_new] = failed_.try_emplace(std::string(work));
    const bool is_old = !is_new && now - failure->second.due > 2 * kLongestPause;  // a new failure
    std::chrono::milliseconds& pause = failure->second.pause;
    pause = is_new || is_old || made_progress ? least
                                              : std::min<std::chrono::milliseconds>(2 * pause, kLongestPause);
    failure->second.due = now + pause;
    return is_new || is_old;
  }

  /// Records a success.
  void forget(std::string_view work) {
    if (const auto found = failed_.find(work); found != failed_.end()) failed_.erase(found);
  }

 private:
  struct Failure {
    std::chrono::milliseconds pause{};
    Time due{};
  };

  std::map<std::string, Failure, std::less<>> failed_;
};

}  // namespace autoshard::detail
