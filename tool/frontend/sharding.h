#pragma once

#include "tool/model/model.h"

namespace autoshard::tool {

/// How `property` of `entity` is kept; nothing where it is not sharded.
std::optional<Sharding> read_sharding(const Entity& entity, const Property& property);

}  // namespace autoshard::tool
