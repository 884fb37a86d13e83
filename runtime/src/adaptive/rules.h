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

/// What the rules remember of the windows of one property that they have judged.
struct RuleState {
  std::uint32_t shards = 0;  ///< in the last window; 0: there was none
  double load = 0;           ///< likewise
  std::uint32_t hot_windows = 0;
  std::optional<Time> quiet_since;
  std::optional<Time> halved_at;        ///< unless it was split again, or that was long ago
  std::chrono::seconds quiet_for{0};    ///< that is asked for now, if it is more than the rules say
  std::array<double, 33> split_load{};  ///< that a split was made for, by the bits of the number it led to
};

/// How many shards a property should have after a window.
struct Decision {
  std::uint32_t shards;
  std::string_view why;  ///< empty if the number stays
};

/// The same rules; `InvalidUse` if they make no sense.
AdaptiveRules checked(const AdaptiveRules& rules);

/// What speaks against going by a window.
struct Doubt {
  bool is_partial = false;   ///< what some processes did is not known: it may only look quiet
  bool is_repeated = false;  ///< it is hot only with what was in the last one already
};

/// Judges the next window of a property, as `AdaptiveRules` says. Whether what was decided then happens, and
/// whoever does it, the next windows show.
Decision decide(const AdaptiveRules& rules, RuleState& state, const Activity& window, Time end_of_window,
                const Doubt& doubt = {});

/// Whether that many meet a conflict that it is worth to do something about it.
bool has_conflicts(const AdaptiveRules& rules, const Activity& window);

bool is_hot(const AdaptiveRules& rules, const Activity& window);

/// The highest number of shards that is worth its cost, whatever the annotation says.
std::uint32_t most_useful(const AdaptiveRules& rules, const Activity& window);

}  // namespace autoshard::detail
