#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstdint>

#include "context.h"
#include "failures.h"

/// Entities whose time has come.
namespace autoshard::detail {

/// Whether an entity of the class seems to have expired, and its removal has not failed a short time ago.
bool are_entities_due(MapperContext& context, const EntityType& type, Now now, const Failures& failures);

/// Removes the entities of the class that have expired, in the order of their times. One that another commit
/// meets is left for the next time. With `failures`, one that cannot be removed is logged once, and tried
/// again after pauses. Returns how many it has removed.
std::uint64_t remove_expired_entities(MapperContext& context, const EntityType& type, Now now,
                                      Failures* failures);

}  // namespace autoshard::detail
