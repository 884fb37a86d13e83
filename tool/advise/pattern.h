#pragma once

/// How a member is sharded whose updates are all of one kind.

#include <string>
#include <variant>

#include "tool/model/model.h"

namespace autoshard::tool {

/// What its annotation says, and what is said about it. The texts are parts of sentences.
struct Pattern {
  std::string noun;     ///< "a sum"
  std::string reason;   ///< why its updates commute: "a sum is the same in any order"
  std::string neutral;  ///< arguments of `shardable`
  std::string fold;
  bool any_order = false;
  std::string
      gives_up;  ///< beyond what every sharded member gives up: "the order of its elements"; may be empty
};

/// What an update of this kind does to a member: "adds to it".
std::string verb(Operation operation, bool by_key);

/// The pattern of `property`, which is updated in this one way; or why it has none: "there is no greatest
/// string".
std::variant<Pattern, std::string> pattern_of(const Property& property, Operation operation, bool by_key);

}  // namespace autoshard::tool
