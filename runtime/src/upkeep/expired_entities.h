#pragma once

#include <autoshard/detail/entity_type.h>

#include <cstdint>
#include <functional>

#include "context.h"
#include "failures.h"

/// The removal of expired entities.
namespace autoshard::detail {

/// Returns whether an entity of the class seems to have expired, and its removal did not fail recently.
bool are_entities_due(MapperContext& context, const EntityType& type, Now now, const Failures& failures);

/// Removes the expired entities of the class, in the order of their expiry. An entity that another commit
/// changes is left for the next time. With `failures`, an entity that cannot be removed is logged once, and
/// tried again after pauses. Calls `goes_on`, unless empty, before each batch, and leaves the rest if it
/// returns false. Returns the number of entities removed.
std::uint64_t remove_expired_entities(MapperContext& context, const EntityType& type, Now now,
                                      Failures* failures, const std::function<bool()>& goes_on = {});

}  // namespace autoshard::detail
