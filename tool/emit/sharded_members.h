#pragma once

/// The members that a shard method changes, in the companion and in its `Shard`.

#include <string>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Returns the struct that pairs each sharded member of the companion with that of its `Shard`.
std::string sharded_members(const Entity& entity);

/// Returns the members that `method` uses, as template arguments: `<Sharded::stars_, Sharded::ratings_>`.
std::string members_used(const Entity& entity, const Method& method);

}  // namespace autoshard::tool
