#pragma once

/// Values that a program comes to: those that a few calls of the shard methods lead to from the neutral ones.
/// A law that fails for one of them is broken in the program.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Which samples of each parameter the calls of a method are tried with: equal ones beside different ones.
/// `counts` says how many samples the parameters have.
std::vector<std::vector<std::size_t>> choices_of(const std::vector<std::size_t>& counts);

struct ReachedShards {
  std::vector<std::string> shards{};        ///< expressions of type `Shard`, the simplest first
  std::optional<std::size_t> large_from{};  ///< those from this one on are reached by many updates
};

/// What is reached by updates of `members`. The expressions call `reached`, which the probe has. There are
/// none if no shard method of `entity` changes these members.
ReachedShards reached_shards(const Entity& entity, const std::vector<std::string>& members,
                             const Constants& constants);

/// The arguments of `method`, as expressions: those of a call for each choice.
std::vector<std::vector<std::string>> arguments_of(const Method& method, const Constants& constants);

}  // namespace autoshard::tool
