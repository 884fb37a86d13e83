#include "adaptive/hot_spots.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "adaptive/rules.h"
#include "keys.h"

namespace autoshard {
namespace {

/// With as many digits as matter.
std::string in_words(double number) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), number < 10 ? "%.1f" : "%.0f", number);
  return digits;
}

}  // namespace

std::string HotSpot::text() const {
  const double attempts = updates_per_second + conflicts_per_second;
  return entity + ": of " + in_words(attempts) + " attempts a second to change '" + property +
         "', by about " + std::to_string(writers) + " writers, " + in_words(conflicts_per_second) +
         " meet another and do nothing. If its updates commute, which `autoshard --advise` tells, add " +
         annotation + " to it, and [[autoshard::shard_method]] to the methods that update it: up to " +
         in_words(expected_gain) + " times as many updates.";
}

namespace detail {
namespace {

constexpr std::uint32_t kMostSuggested = 64;

HotSpot hot_spot(const AdaptiveRules& rules, const PropertyId& id, const Activity& activity) {
  HotSpot spot{.entity = describe(id.entity),
               .property = id.property,
               .updates_per_second = activity.puts,
               .conflicts_per_second = activity.conflicts,
               .writers = std::max(activity.writers, 2U)};  // one alone has no conflicts
  Activity of_all = activity;
  of_all.writers = spot.writers;
  const std::uint32_t shards = std::clamp(std::bit_ceil(most_useful(rules, of_all)), 2U, kMostSuggested);
  spot.annotation = "[[autoshard::shardable(neutral = …, shards = " + std::to_string(shards) + ")]]";

  // An attempt on one of n shards meets others n times less often. No writer can gain more than not to be
  // disturbed at all, and all of them no more than as if they had done one after the other before.
  const double lost = activity.conflicts / activity.attempts();
  spot.expected_gain =
      std::min((1 - lost / shards) / std::max(1 - lost, 1e-9), static_cast<double>(spot.writers));
  return spot;
}

}  // namespace

std::vector<HotSpot> hot_spots(const AdaptiveRules& rules, const Window& window) {
  std::vector<HotSpot> spots;
  for (const auto& [id, activity] : window) {
    if (activity.shards == 0 && has_conflicts(rules, activity))
      spots.push_back(hot_spot(rules, id, activity));
  }
  std::sort(spots.begin(), spots.end(), [](const HotSpot& one, const HotSpot& other) {
    return one.conflicts_per_second > other.conflicts_per_second;
  });
  return spots;
}

}  // namespace detail
}  // namespace autoshard
