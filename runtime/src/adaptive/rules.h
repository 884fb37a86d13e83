#pragma once

#include <autoshard/adaptive.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "platform.h"
#include "window.h"

namespace autoshard::detail {

using Time = platform::Clock::time_point;

/// The state of the rules about one property after the windows that they have judged.
struct RuleState {
  std::uint32_t shards = 0;  ///< in the last window; 0: there was none
  double load = 0;           ///< in the last window
  std::uint32_t hot_windows = 0;
  std::optional<Time> quiet_since;
  std::optional<Time> halved_at;      ///< unless it was split again, or that was long ago
  std::chrono::seconds quiet_for{0};  ///< required now, if it is more than the rules say
  /// The load that a split was made for, by the bit width of the resulting number of shards.
  std::array<double, 33> split_load{};
};

/// The number of shards that a property should have after a window.
struct Decision {
  std::uint32_t shards;
  std::string_view why;  ///< empty: the number stays
};

/// Returns the rules. Throws `InvalidUse` if they make no sense.
AdaptiveRules checked(const AdaptiveRules& rules);

/// Reasons not to act on a window.
struct Doubt {
  bool is_partial = false;   ///< some processes are not counted: the window may only look quiet
  bool is_repeated = false;  ///< hot only because of activity that the last window already counted
};

/// Judges the next window of a property, as `AdaptiveRules` describes. The following windows show whether the
/// decision was carried out, by this process or another.
Decision decide(const AdaptiveRules& rules, RuleState& state, const Activity& window, Time end_of_window,
                const Doubt& doubt = {});

/// Returns whether the conflicts are frequent enough to act on.
bool has_conflicts(const AdaptiveRules& rules, const Activity& window);

bool is_hot(const AdaptiveRules& rules, const Activity& window);

/// Returns the highest number of shards that is worth its cost, whatever the annotation says.
std::uint32_t most_useful(const AdaptiveRules& rules, const Activity& window);

}  // namespace autoshard::detail
