/// Rules for sliding windows: `shardable(…, last = 24h, bucket = 1h)`.

#include "tool/check/rules/groups.h"
#include "tool/model/window.h"

namespace autoshard::tool {
namespace {

/// Calls `visit` with each property that has a window, and with the attribute that declares the window.
template <typename Visit>
void for_each_window(const Entity& entity, const Visit& visit) {
  for (const Property& property : entity.properties) {
    if (has_window(property)) visit(property, *property.marks.shardable);
  }
}

/// The problem with the argument; empty if there is none.
std::string problem_with_duration(const Argument& argument) {
  static const std::vector<std::string_view> kUnits{"s", "min", "h", "d"};
  const Duration& duration = *argument.duration;
  switch (duration.problem) {
    case Duration::Problem::kNone:
      break;
    case Duration::Problem::kNoDuration:
      return fmt::format("'{}' is no duration; write a whole number with its unit, such as {}", argument.name,
                         any_of_these({"90s", "5min", "24h", "7d"}));
    case Duration::Problem::kNoUnit:
      return fmt::format("'{}' has no unit; write {} after the number, as in '{}s'", argument.name,
                         any_of_these(kUnits), argument.value);
    case Duration::Problem::kUnknownUnit:
      return fmt::format("'{}' is no unit of time here; use {}", duration.unit, any_of_these(kUnits));
    case Duration::Problem::kNotPositive:
      return fmt::format("'{}' must be at least '1s'", argument.name);
    case Duration::Problem::kTooLong:
      return fmt::format("'{}' must be at most '{}d'", argument.name, kMostDays);
  }
  return {};
}

void window_duration(const Entity& entity, Findings& findings) {
  for_each_window(entity, [&](const Property&, const Shardable& window) {
    for (const std::optional<Argument>* argument : {&window.last, &window.bucket}) {
      const std::string problem = *argument ? problem_with_duration(**argument) : "";
      if (!problem.empty()) findings.add((*argument)->value_span, "{}", problem);
    }
  });
}

void window_buckets(const Entity& entity, Findings& findings) {
  for_each_window(entity, [&](const Property&, const Shardable& window) {
    const std::optional<Argument>& last = window.last;
    const std::optional<Argument>& bucket = window.bucket;
    if (!last || !bucket || !last->number || !bucket->number) return;
    if (*last->number % *bucket->number != 0) {
      Diagnostic& found =
          findings.add(last->value_span,
                       "'last' is '{last}', which is no multiple of 'bucket', '{bucket}'; change one of them",
                       "last"_a = last->value, "bucket"_a = bucket->value);
      Findings::note(found, bucket->span, "'bucket' is here");
    } else if (const std::int64_t buckets = *last->number / *bucket->number; buckets > kMostBuckets) {
      findings.add(bucket->value_span,
                   "the window has {buckets} buckets; it may have at most {most}, so make 'bucket' longer",
                   "buckets"_a = buckets, "most"_a = kMostBuckets);
    }
  });
}

void window_dynamic(const Entity& entity, Findings& findings) {
  for_each_window(entity, [&](const Property& property, const Shardable& window) {
    if (is_given(*property.annotation("shardable"), "shards")) return;
    findings.add(
        window.span,
        "'{name}' has a window, which needs a number of shards; add 'shards = …', such as 'shards = 10' "
        "or 'shards = adaptive'",
        "name"_a = property.name);
  });
}

void window_bounded(const Entity& entity, Findings& findings) {
  for_each_window(entity, [&](const Property& property, const Shardable& window) {
    const std::optional<Argument>& bound = window.minimum ? window.minimum : window.maximum;
    if (!bound) return;
    Diagnostic& found =
        findings.add(bound->span,
                     "'{name}' has a window, so its value changes as time passes, and no bound "
                     "can be kept; remove 'min' and 'max', or 'last' and 'bucket'",
                     "name"_a = property.name);
    Findings::note(found, (window.last ? window.last : window.bucket)->span, "the window is here");
  });
}

void window_index(const Entity& entity, Findings& findings) {
  for_each_window(entity, [&](const Property& property, const Shardable&) {
    if (!property.is_indexed()) return;
    findings.add(
        property.marks.index->span,
        "'{name}' has a window, so its value changes as time passes, and no index follows that; remove "
        "the index, or 'last' and 'bucket'",
        "name"_a = property.name);
  });
}

constexpr Rule kWindows[] = {
    {.tag = "autoshard-window-duration",
     .summary = "'last' and 'bucket' are whole numbers with a unit: s, min, h or d.",
     .reason = "A bare number does not say whether it counts seconds or hours. The generator reads the "
               "duration itself, so that your header need not include <chrono> for it.",
     .find = window_duration},
    {.tag = "autoshard-window-buckets",
     .summary = "'last' is a multiple of 'bucket', at most 4096 times as long.",
     .reason =
         "The window moves on in steps of one bucket, so it covers a whole number of them. A load reads "
         "the records of every bucket, so there cannot be any number of them.",
     .find = window_buckets},
    {.tag = "autoshard-window-dynamic",
     .summary = "A member with a window has a number of shards.",
     .reason =
         "The window keeps one set of shards for each bucket, and removes the whole set when the bucket "
         "is over. Without 'shards', each update is a record of its own, which belongs to no bucket.",
     .find = window_dynamic},
    {.tag = "autoshard-window-bounded",
     .summary = "A member with a window has no bounds.",
     .reason = "A bound is kept by refusing updates. The value of a window also changes when an old bucket "
               "falls out of it, without an update, so there is nothing to refuse.",
     .find = window_bounded},
    {.tag = "autoshard-window-index",
     .summary = "A member with a window has no index.",
     .reason =
         "An index is changed after updates. The value of a window also changes when an old bucket falls "
         "out of it, without an update, so the index would go on showing the old value.",
     .find = window_index},
};

}  // namespace

const RuleGroup kWindowRules{"Sliding windows", kWindows};

}  // namespace autoshard::tool
