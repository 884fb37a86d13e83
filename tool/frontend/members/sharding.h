#pragma once

#include "tool/model/model.h"

namespace autoshard::tool {

/// What an argument `shards` says; 0 where it is no number that is known here.
std::uint32_t number_of_shards(const Argument& argument);

/// How `property` of `entity` is kept; nothing where it is not sharded.
std::optional<Sharding> read_sharding(const Entity& entity, const Property& property);

}  // namespace autoshard::tool
