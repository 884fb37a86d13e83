#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "record_json.h"

namespace autoshard::ctl {

/// A condition on the unsharded members of an entity:
///
///     condition  = all { "or" all }
///     all        = one { "and" one }
///     one        = "not" one | "(" condition ")" | comparison
///     comparison = member operator value
///     member     = name { "." name }
///     operator   = "=" | "!=" | "<" | "<=" | ">" | ">="
///     value      = text in double quotes, with the escapes of JSON | number | "true" | "false" | "null"
///
/// Values compare as values of JSON: numbers by their values, texts by their bytes. A value equals no value
/// of another type, and is neither less nor greater. A member that a record lacks is null.
class Where {
 public:
  /// Throws `InvalidUse` with the place of the mistake.
  explicit Where(std::string_view text);

  /// Returns whether the condition holds for a JSON object of members.
  bool holds(const Json& members) const { return holds(root_, members); }

  /// Returns the names of those members of the condition that `members` lacks, in the order of the condition.
  std::vector<std::string> missing_in(const Json& members) const;

 private:
  friend class WhereParser;

  enum class Operator { kEqual, kUnequal, kLess, kLessOrEqual, kGreater, kGreaterOrEqual };
  struct Node {
    enum Kind { kAnd, kOr, kNot, kComparison };
    Kind kind = kComparison;
    std::vector<Node> children{};       ///< of all kinds but a comparison
    std::vector<std::string> member{};  ///< of a comparison
    Operator op = Operator::kEqual;     ///< of a comparison
    Json value = nullptr;               ///< of a comparison
  };

  static bool holds(const Node& node, const Json& members);

  Node root_;
  std::vector<std::vector<std::string>> members_;  ///< of all comparisons
};

}  // namespace autoshard::ctl
