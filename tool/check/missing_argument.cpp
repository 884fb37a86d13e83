#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

struct Needed {
  std::string_view attribute;
  std::string_view argument;
  std::string_view meaning;
};

constexpr Needed kNeeded[] = {
    {"shardable", "neutral",
     "the value that changes nothing when it is folded with another, such as 'neutral = 0' for a sum"},
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
    for (const auto& [attribute, argument, meaning] : kNeeded) {
      if (annotation.name != attribute || is_given(annotation, argument)) continue;
      findings.add(annotation.span, quoted_attribute(attribute) + " needs '" + std::string(argument) +
                                        " = …', " + std::string(meaning));
    }
  });
}

}  // namespace autoshard::tool::rules
