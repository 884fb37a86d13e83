#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace autoshard {

/// Limits how often, and for how long, a commit is repeated after conflicts before `Contention` is thrown,
/// and how long the outcome of a commit is looked for before `OutcomeUnknown` is thrown. Between two attempts
/// or two looks lies a random backoff of at most `initial_backoff`; that bound doubles each time, up to
/// `max_backoff`.
struct RetryPolicy {
  static constexpr std::uint32_t kUnlimited = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t max_attempts = kUnlimited;  ///< counts the first attempt; at least one is made
  std::chrono::microseconds initial_backoff{100};
  std::chrono::microseconds max_backoff{50'000};
  /// No attempt begins later than this after the first one began.
  std::chrono::microseconds deadline{10'000'000};
  /// How long the outcome is looked for on stores whose traits say that acknowledgements may be lost. If
  /// updates are combined, the next ones wait meanwhile. The default is long enough for a store to recover
  /// from the failure of one of its machines. At least one look is made.
  std::chrono::microseconds resolve_within{30'000'000};

  /// A single attempt.
  static constexpr RetryPolicy none() { return {.max_attempts = 1}; }

  /// Returns the longest backoff after this many attempts.
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
