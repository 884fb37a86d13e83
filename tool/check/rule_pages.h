#pragma once

/// What the generator prints about its rules.

#include <string>
#include <string_view>

namespace autoshard::tool {

/// Every rule in one line, by groups.
std::string list_of_rules();

/// Everything about one rule: the requirement, the reason, a wrong and a right example, and how to silence
/// it. Empty if there is no such rule.
std::string page_of_rule(std::string_view tag);

/// The text of tool/RULES.md: every attribute and every rule.
std::string rules_in_markdown();

}  // namespace autoshard::tool
