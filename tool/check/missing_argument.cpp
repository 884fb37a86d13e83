#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

struct Needed {
  std::string_view attribute;
  std::string_view argument;
  std::string_view meaning;
  std::string_view with{};  ///< only where this argument is there
};

constexpr Needed kNeeded[] = {
    {"shardable", "neutral",
     "the value that changes nothing when it is folded with another, such as 'neutral = 0' for a sum"},
    {"shardable", "bucket", "the steps in which the window moves on, such as 'bucket = 1h'", "last"},
    {"shardable", "last", "the time that the window covers, such as 'last = 24h'", "bucket"},
    {"shard_group", "shards", "the number of groups that its elements are spread over, such as 'shards = 8'"},
    {"sharded_index", "name", "what a query calls it, such as 'name = ByCompany'"},
    {"sharded_index", "key", "the member that is looked for, such as 'key = company_'"},
    {"sharded_index", "order", "the member that sorts those of one key, such as 'order = timestamp_'"},
    {"sharded_index", "shards", "the number of parts that it is spread over, such as 'shards = 10'"},
};

}  // namespace

/// What no default could guess.
void missing_argument(const Entity& entity, Findings& findings) {
  for_each_annotation(entity, [&](const Annotation& annotation) {
    for (const auto& [attribute, argument, meaning, with] : kNeeded) {
      if (annotation.name != attribute || is_given(annotation, argument)) continue;
      if (!with.empty() && !is_given(annotation, with)) continue;
      const std::string part = with.empty() ? "" : " with " + quoted(with);
      findings.add(annotation.span, quoted_attribute(attribute) + part + " needs '" + std::string(argument) +
                                        " = …', " + std::string(meaning));
    }
  });
}

}  // namespace autoshard::tool::rules
