#include "tool/check/control.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/check/rule.h"
#include "tool/text/wording.h"

namespace autoshard::tool {

std::string problem_with(const Control& control) {
  std::vector<std::string_view> optional;
  for (const Rule* rule : all_rules()) {
    if (rule->optional) optional.push_back(rule->tag);
  }
  for (const std::string& given : control.disabled) {
    const Rule* const rule = find_rule(given);
    if (!rule)
      return no_such_rule(given, fmt::format("those that can be disabled are {}", any_of_these(optional)));
    if (!rule->optional)
      return fmt::format("the rule '{}' cannot be disabled: generated code relies on it", rule->tag);
  }
  return {};
}

bool is_disabled(const Control& control, std::string_view tag) {
  return std::ranges::any_of(control.disabled,
                             [&](const std::string& given) { return short_tag(given) == short_tag(tag); });
}

Diagnostics controlled(Diagnostics diagnostics, const Control& control) {
  std::erase_if(diagnostics,
                [&](const Diagnostic& diagnostic) { return is_disabled(control, diagnostic.rule); });
  if (!control.warnings_are_errors) return diagnostics;
  for (Diagnostic& diagnostic : diagnostics) diagnostic.severity = Diagnostic::Severity::kError;
  return diagnostics;
}

}  // namespace autoshard::tool
