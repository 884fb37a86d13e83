#include "tool/check/control.h"

#include <algorithm>
#include <iterator>

#include "tool/check/findings.h"
#include "tool/laws/argument_value.h"
#include "tool/laws/laws.h"

namespace autoshard::tool {
namespace {

constexpr std::string_view kPrefix = "autoshard-";

std::string with_prefix(const std::string& rule) {
  return rule.starts_with(kPrefix) ? rule : std::string(kPrefix) + rule;
}

bool contains(const std::vector<std::string_view>& rules, std::string_view rule) {
  return std::ranges::find(rules, rule) != rules.end();
}

}  // namespace

std::string problem_with(const Control& control) {
  std::vector<std::string_view> optional(std::begin(kLawRules), std::end(kLawRules));
  optional.insert(optional.end(), std::begin(kWarnings), std::end(kWarnings));
  std::vector<std::string_view> all = checked_rules();
  all.insert(all.end(), optional.begin(), optional.end());
  all.push_back(kArgumentValueRule);
  for (const std::string& given : control.disabled) {
    const std::string rule = with_prefix(given);
    if (contains(optional, rule)) continue;
    if (contains(all, rule))
      return "the rule " + quoted(rule) + " cannot be disabled: generated code relies on it";
    // The prefix, which all have, makes none like another.
    std::vector<std::string_view> names;
    for (const std::string_view one : all) names.push_back(one.substr(kPrefix.size()));
    const std::string_view near = nearest(std::string_view(rule).substr(kPrefix.size()), names);
    return "there is no rule " + quoted(rule) +
           (near.empty() ? "; those that can be disabled are " + any_of_these(optional)
                         : "; did you mean " + quoted(std::string(kPrefix) + std::string(near)) + "?");
  }
  return {};
}

Diagnostics controlled(Diagnostics diagnostics, const Control& control) {
  std::erase_if(diagnostics, [&](const Diagnostic& diagnostic) {
    return std::ranges::any_of(control.disabled,
                               [&](const std::string& rule) { return with_prefix(rule) == diagnostic.rule; });
  });
  if (!control.warnings_are_errors) return diagnostics;
  for (Diagnostic& diagnostic : diagnostics) diagnostic.severity = Diagnostic::Severity::kError;
  return diagnostics;
}

}  // namespace autoshard::tool
