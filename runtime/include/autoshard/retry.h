#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace autoshard {

/// How often, and for how long, a commit that met a conflict is tried again before `Contention` is thrown,
/// and how long what became of one is looked for before `OutcomeUnknown` is. Between two attempts, and two
/// looks, passes a random time of at most `initial_backoff`, a bound that doubles with every one up to
/// `max_backoff`.
struct RetryPolicy {
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t max_attempts = kUnlimited;  ///< the first one counts; at least one is made
  std::chrono::microseconds initial_backoff{100};
  std::chrono::microseconds max_backoff{50'000};
  std::chrono::microseconds deadline{
      10'000'000};  ///< after the first attempt began, none begins later than this
  /// How long, on stores whose traits say that acknowledgements may be lost; where updates are combined, the
  /// next ones wait meanwhile. Enough for a store to go on after one of its machines has failed. There is one
  /// look at least.
  std::chrono::microseconds resolve_within{30'000'000};

  /// One attempt.
  static constexpr RetryPolicy none() { return {.max_attempts = 1}; }

  /// The longest time to wait after this many attempts.
  constexpr std::chrono::microseconds backoff_bound(std::uint32_t attempts) const {
    std::chrono::microseconds bound = initial_backoff;
    for (; attempts > 1; --attempts) {
      if (bound >= max_backoff / 2) return max_backoff;
      bound *= 2;
    }
    return bound < max_backoff ? bound : max_backoff;
  }
};

}  // namespace autoshard
