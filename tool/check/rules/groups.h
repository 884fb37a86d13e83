#pragma once

/// The groups of rules, one a file of this folder, and what these files share.

#include "tool/check/findings.h"
#include "tool/check/rule.h"

namespace autoshard::tool {

extern const RuleGroup kPlaceRules;
extern const RuleGroup kAttributeRules;
extern const RuleGroup kClassRules;
extern const RuleGroup kMemberRules;
extern const RuleGroup kShardingRules;
extern const RuleGroup kWindowRules;
extern const RuleGroup kIndexRules;
extern const RuleGroup kFoldRules;
extern const RuleGroup kMethodRules;
extern const RuleGroup kBodyRules;
extern const RuleGroup kLawRules;

}  // namespace autoshard::tool
