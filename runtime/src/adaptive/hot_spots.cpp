#include "hot_spots.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

#include "check.h"
#include "keys.h"
#include "rules.h"

namespace autoshard {
namespace {

/// Returns the number with its significant digits.
std::string in_words(double number) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), number < 10 ? "%.1f" : "%.0f", number);
  return digits;
}

}  // namespace

std::string HotSpot::text() const {
  return entity + ": about " + std::to_string(writers) + " writers attempt " +
         in_words(saves_per_second + conflicts_per_second) + " saves a second, and " +
         in_words(conflicts_per_second) + " of these fail because '" + property +
         "' has changed; if its updates commute (see `autoshard --advise`), add " + annotation +
         " to it, and [[autoshard::shard_method]] to the methods that update it, for up to " +
         in_words(expected_gain) + " times as many updates";
}

namespace detail {

std::optional<HotSpot> hot_spot(const AdaptiveRules& rules, std::string entity, std::string property,
                                double conflicts, Activity record) {
  record.conflicts = std::max(record.conflicts, conflicts);
  if (conflicts < rules.conflicts_per_second || conflicts < rules.conflict_share * record.attempts())
    return std::nullopt;
  record.writers = std::max(record.writers, 2U);  // a single writer has no conflicts
  HotSpot spot{.entity = std::move(entity),
               .property = std::move(property),
               .saves_per_second = record.commits,
               .conflicts_per_second = conflicts,
               .writers = record.writers};
  const std::uint32_t shards = std::clamp(std::bit_ceil(most_useful(rules, record)), 2U, kMostSuggested);
  spot.annotation = "[[autoshard::shardable(neutral = …, shards = " + std::to_string(shards) + ")]]";

  // An attempt on one of n shards conflicts n times less often. A writer gains at most its undisturbed rate.
  // All writers together gain at most as if their saves had been made one after the other before.
  const double attempts = record.attempts();
  const double successful = record.commits / attempts, saved = conflicts / attempts * (1 - 1.0 / shards);
  spot.expected_gain = std::min(1 + saved / std::max(successful, 1e-9), static_cast<double>(spot.writers));
  AUTOSHARD_CHECK(spot.expected_gain >= 1 && spot.expected_gain <= spot.writers, {"gain", spot.expected_gain},
                  {"writers", spot.writers});
  return spot;
}

std::vector<HotSpot> hot_spots(const AdaptiveRules& rules, const Window& window) {
  std::vector<HotSpot> spots;
  for (const auto& [id, activity] : window) {
    if (activity.shards != 0 || id.property.empty()) continue;
    const auto found = window.find({id.entity, ""});
    if (found == window.end()) continue;
    if (std::optional<HotSpot> spot =
            hot_spot(rules, describe(id.entity), id.property, activity.conflicts, found->second))
      spots.push_back(*std::move(spot));
  }
  std::sort(spots.begin(), spots.end(), [](const HotSpot& one, const HotSpot& other) {
    return one.conflicts_per_second > other.conflicts_per_second;
  });
  return spots;
}

}  // namespace detail
}  // namespace autoshard
