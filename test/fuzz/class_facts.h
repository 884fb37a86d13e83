#pragma once

#include <string>
#include <utility>
#include <vector>

#include "choices.h"
#include "property_grammar.h"

namespace autoshard::test {

struct ShardedMember {
  std::string name;
  const ShardedKind* kind = nullptr;
};

/// What the parts of one class have to know of it.
struct ClassFacts {
  std::string name;
  std::vector<ShardedMember> sharded;
  std::pair<std::string, std::string> id;  ///< type and name of the first one
  std::string plain_member;                ///< one that is not sharded
  std::vector<std::string> keys{};         ///< members that an index can be over
  bool copyable = true;
  bool is_aggregate = false;
  bool has_base = false;              ///< with the virtual methods `touch` and `touch(int)`
  std::size_t members = 0;            ///< how many it has, without base classes
  std::vector<std::string> called{};  ///< shard methods without parameters, for others to call
  std::vector<std::string> taken{};   ///< names that methods have
  std::vector<std::string>
      aliased{};  ///< methods of an int and a long that an alias of a function type declares

  /// A structured binding of all members.
  std::string binding() const {
    std::string names;
    for (std::size_t at = 0; at < members; ++at) names += (at == 0 ? "part" : ", part") + std::to_string(at);
    return "const auto& [" + names + "]";
  }
};

}  // namespace autoshard::test
