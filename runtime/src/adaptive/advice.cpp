/// Advice on the annotations of hot and of quiet properties.

#include <autoshard/activity.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "hot_spots.h"
#include "rules.h"
#include "window.h"

namespace autoshard {
namespace {

using detail::Activity;

/// Returns the number with its significant digits.
std::string in_words(double number) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), number < 10 ? "%.1f" : "%.0f", number);
  return digits;
}

Activity rates_of(const PropertyActivity& property) {
  return {.shards = property.shards,
          .writers = property.writers,
          .puts = property.updates,
          .commits = property.commits,
          .conflicts = property.conflicts,
          .retries = property.retries,
          .gets = property.loads};
}

const PropertyActivity* find(std::span<const PropertyActivity> activity, std::string_view entity,
                             std::string_view property) {
  const auto found = std::ranges::find_if(activity, [&](const PropertyActivity& one) {
    return one.entity == entity && one.property == property;
  });
  return found == activity.end() ? nullptr : &*found;
}

std::string percent_of(double part, double all) { return in_words(100 * part / std::max(all, 1e-9)) + " %"; }

std::string annotation(std::string_view shards) {
  return "[[autoshard::shardable(neutral = …, shards = " + std::string(shards) + ")]]";
}

std::string in_shards(std::uint32_t number) {
  return number == 1 ? "its only shard" : "its " + std::to_string(number) + " shards";
}

/// About a property in the main record.
std::optional<Advice> to_shard(const PropertyActivity& property, const PropertyActivity& record,
                               const AdaptiveRules& rules) {
  const std::optional<HotSpot> spot =
      detail::hot_spot(rules, property.entity, property.property, property.conflicts, rates_of(record));
  if (!spot) return std::nullopt;
  const double attempts = spot->saves_per_second + spot->conflicts_per_second;
  return Advice{.entity = property.entity,
                .property = property.property,
                .problem = percent_of(spot->conflicts_per_second, attempts) + " of " + in_words(attempts) +
                           " saves a second fail, because another save has changed '" + property.property +
                           "' meanwhile.",
                .remedy = "Shard '" + property.property +
                          "' if its updates commute, and mark the methods that update it with "
                          "[[autoshard::shard_method]]: up to " +
                          in_words(spot->expected_gain) + " times as many updates.",
                .annotation = spot->annotation,
                .conflicts = spot->conflicts_per_second};
}

/// Returns the number of shards that an annotation should have, where `shards` are too few. The writers of
/// other processes are not known, so conflicts alone justify twice as many.
std::uint32_t more_than(std::uint32_t shards, const Activity& activity, const AdaptiveRules& rules) {
  return std::max(2 * shards, std::bit_ceil(detail::most_useful(rules, activity)));
}

/// About a sharded property with conflicts.
std::optional<Advice> to_add_shards(const PropertyActivity& property, const AdaptiveRules& rules) {
  const Activity activity = rates_of(property);
  if (property.shards == 0 || property.is_group || !detail::has_conflicts(rules, activity))
    return std::nullopt;
  if (property.is_adaptive && property.shards < property.most) return std::nullopt;  // the rules act
  Advice advice{.entity = property.entity,
                .property = property.property,
                .problem = percent_of(property.conflicts, activity.attempts()) + " of " +
                           in_words(activity.attempts()) + " transactions a second fail on " +
                           in_shards(property.shards) + ".",
                .conflicts = property.conflicts};
  const std::uint32_t more = more_than(property.shards, activity, rules);
  if (more > detail::kMostSuggested) {
    advice.remedy = "More shards seldom help here: let fewer processes write '" + property.property +
                    "', or let MapperOptions::combine join their updates.";
    return advice;
  }
  const std::string number = std::to_string(more);
  if (property.is_adaptive) {
    advice.remedy = "Raise the limit of the adaptive number to " + number + ".";
    advice.annotation = annotation("adaptive(1, " + number + ")");
  } else {
    advice.remedy =
        "Use " + number +
        " shards: write the annotation for new entities, and call admin::set_shards for this one.";
    advice.annotation = annotation(number);
  }
  return advice;
}

/// About a sharded property that is hardly updated. Loads read every shard.
std::optional<Advice> to_remove_shards(const PropertyActivity& highest, const AdaptiveRules& rules) {
  if (highest.shards < 2 || highest.is_group || highest.is_adaptive) return std::nullopt;
  if (highest.updates + highest.conflicts > rules.conflicts_per_second) return std::nullopt;
  return Advice{.entity = highest.entity,
                .property = highest.property,
                .problem = "At most " + in_words(highest.updates) +
                           " updates a second need one shard, but each load reads " +
                           std::to_string(highest.shards) + ".",
                .remedy = "Let the number follow the load, or set it to 1 with admin::set_shards.",
                .annotation = annotation("adaptive")};
}

}  // namespace

std::vector<Advice> advise(std::span<const PropertyActivity> recent,
                           std::span<const PropertyActivity> highest, const AdaptiveRules& rules) {
  std::vector<Advice> advice;
  const auto add = [&](std::optional<Advice> one) {
    if (one) advice.push_back(*std::move(one));
  };
  for (const PropertyActivity& property : recent) {
    if (property.is_sharded) {
      add(to_add_shards(property, rules));
    } else if (!property.property.empty()) {
      if (const PropertyActivity* record = find(recent, property.entity, ""))
        add(to_shard(property, *record, rules));
    }
  }
  for (const PropertyActivity& property : highest) {
    const PropertyActivity* now = find(recent, property.entity, property.property);
    if (property.is_sharded && (!now || now->updates <= rules.conflicts_per_second))
      add(to_remove_shards(property, rules));
  }
  std::ranges::stable_sort(advice, std::greater<>(), &Advice::conflicts);
  return advice;
}

}  // namespace autoshard
