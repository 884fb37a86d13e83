#pragma once

/// How a member is sharded whose updates are all of one kind, or each of whose fields is updated in one way.

#include <string>
#include <variant>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// What the annotation of a member says, and what is said about it. The texts are parts of sentences.
struct Pattern {
  std::string noun;       ///< "a sum"
  std::string reason;     ///< why its updates commute: "a sum is the same in any order"
  std::string attribute;  ///< `shardable`
  std::vector<std::string> arguments;
  std::string gives_up;  ///< beyond what each such member gives up: "the order of its elements"; may be empty
  bool may_keep_bounds = false;  ///< with `min` and `max`

  bool is_group() const { return attribute == "shard_group"; }
  friend bool operator==(const Pattern& one, const Pattern& other) {
    return one.attribute == other.attribute && one.arguments == other.arguments;
  }
};

/// One way in which updates change a member.
struct Way {
  std::string field;  ///< that is changed, see Update::field
  Operation operation = Operation::kAdd;
  bool by_key = false;
};

/// What updates do to a member that they change in this way: "adds to it".
std::string verb(const Way& way);

/// How `property` can be sharded, the best first, if updates change it in these ways, one for each field; or
/// why it cannot: "there is no greatest string".
std::variant<std::vector<Pattern>, std::string> patterns_of(const Property& property,
                                                            const std::vector<Way>& ways);

}  // namespace autoshard::tool
