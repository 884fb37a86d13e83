#pragma once

/// Values that a few calls of shard methods reach from the neutral values. A program can reach them, too. So
/// a law that fails for one of them is broken.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// The samples of the parameters for each call: one number for each parameter. Some calls have equal samples,
/// others different ones. `counts` has the number of samples of each parameter.
std::vector<std::vector<std::size_t>> choices_of(const std::vector<std::size_t>& counts);

struct ReachedShards {
  std::vector<std::string> shards{};  ///< expressions of type `Shard`, the simplest first
  /// Shards from this position on are reached by many updates; nothing if there are none.
  std::optional<std::size_t> large_from{};
};

/// Returns the shards that updates of `members` reach. The expressions call the function `reached` of the
/// probe. Returns none if no shard method of `entity` changes these members.
ReachedShards reached_shards(const Entity& entity, const std::vector<std::string>& members,
                             const Constants& constants);

/// Returns arguments for `method`, as expressions: a list for each call.
std::vector<std::vector<std::string>> arguments_of(const Method& method, const Constants& constants);

}  // namespace autoshard::tool
