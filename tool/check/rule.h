#pragma once

/// The table of rules. check(), `--disable`, `--list-rules`, `--explain-rule` and RULES.md follow from it.
/// Each file in rules/ holds the rows of one group beside the functions that they name.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/diagnostic.h"
#include "tool/model/model.h"

namespace autoshard::tool {

class Findings;

/// What a rule applies to.
enum class Subject {
  kPlace,   ///< every annotated class. The other rules apply to classes that keep all of these
  kEntity,  ///< classes marked `entity`
  kPart,    ///< classes marked `mapped` or `embedded`
  kClass,   ///< kEntity and kPart
  kModel,   ///< all files together
  kValue,   ///< the value of an argument, which the compiler has to evaluate: see laws/argument_value.h
  kLaw,     ///< what a fold or a method promises, which is tried on samples: see laws/laws.h
};

/// One rule.
struct Rule {
  std::string_view tag;  ///< `autoshard-no-id`
  Subject subject = Subject::kEntity;
  Diagnostic::Severity severity = Diagnostic::Severity::kError;
  bool optional = false;     ///< it can be disabled: generated code compiles without it
  bool hides_later = false;  ///< later groups report nothing in the class: that may follow from this mistake
  std::string_view summary;  ///< what must hold, in one sentence
  std::string_view reason;   ///< why, in terms of what the developer wrote
  void (*find)(const Entity& entity, Findings& findings) = nullptr;         ///< for classes
  void (*find_in_model)(const Model& model, Findings& findings) = nullptr;  ///< for all files together
};

/// The rules about one thing.
struct RuleGroup {
  std::string_view title;
  std::span<const Rule> rules;
};

/// All groups, in the order in which one would mend what they find: a mistake in an early group often causes
/// those that later groups would find.
std::span<const RuleGroup* const> rule_groups();

/// All rules, in the order of their groups.
std::vector<const Rule*> all_rules();

/// The rule of this tag, with `autoshard-` or without; null if there is none.
const Rule* find_rule(std::string_view tag);

/// Says that there is no rule of this tag, and which one was probably meant, or `otherwise` if it resembles
/// none.
std::string no_such_rule(std::string_view tag, std::string_view otherwise);

/// `no-id` of `autoshard-no-id`; the tag itself where it has no prefix.
std::string_view short_tag(std::string_view tag);

}  // namespace autoshard::tool
