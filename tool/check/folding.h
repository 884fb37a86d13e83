#pragma once

/// How a value is folded that is updated in one way.

#include <string>
#include <variant>

#include "tool/model/model.h"

namespace autoshard::tool {

struct Folding {
  std::string noun;     ///< "a sum"
  std::string reason;   ///< why its updates commute: "a sum is the same in any order"
  std::string neutral;  ///< argument of `shardable`
  std::string fold;     ///< argument of `shardable`
  bool any_order = false;
  std::string gives_up;  ///< "the order of its elements"; may be empty
};

/// How values of `type`, which the user writes as `type_name`, are folded if all updates are of this kind; or
/// why they cannot be: "there is no greatest string". `is_by_key`: updates change one element of it.
std::variant<Folding, std::string> folding_of(const Type& type, const std::string& type_name,
                                              Operation operation, bool is_by_key);

/// The statement that folds `from` into `into`, of values that have a folding.
std::string folding_statement(const Type& type, Operation operation, bool is_by_key, const std::string& into,
                              const std::string& from);

}  // namespace autoshard::tool
