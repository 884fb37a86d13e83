#include "tool/check/rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/check/rules/groups.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

constexpr std::string_view kPrefix = "autoshard-";

constexpr const RuleGroup* kGroups[] = {&kPlaceRules,    &kAttributeRules, &kClassRules, &kMemberRules,
                                        &kShardingRules, &kWindowRules,    &kIndexRules, &kFoldRules,
                                        &kMethodRules,   &kBodyRules,      &kLawRules};

}  // namespace

std::span<const RuleGroup* const> rule_groups() { return kGroups; }

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> rules;
  for (const RuleGroup* group : kGroups) {
    for (const Rule& rule : group->rules) rules.push_back(&rule);
  }
  return rules;
}

const Rule* find_rule(std::string_view tag) {
  const std::vector<const Rule*> rules = all_rules();
  const auto found =
      std::ranges::find(rules, short_tag(tag), [](const Rule* rule) { return short_tag(rule->tag); });
  return found == rules.end() ? nullptr : *found;
}

std::string no_such_rule(std::string_view tag, std::string_view otherwise) {
  // The names are compared without the prefix. All tags have it, so it would make them look alike.
  std::vector<std::string_view> names;
  for (const Rule* rule : all_rules()) names.push_back(short_tag(rule->tag));
  const std::string_view near = nearest(short_tag(tag), names);
  const std::string problem = fmt::format("there is no rule '{}{}'", kPrefix, short_tag(tag));
  if (!near.empty()) return fmt::format("{}; did you mean '{}{}'?", problem, kPrefix, near);
  return fmt::format("{}; {}", problem, otherwise);
}

std::string_view short_tag(std::string_view tag) {
  return tag.starts_with(kPrefix) ? tag.substr(kPrefix.size()) : tag;
}

}  // namespace autoshard::tool
