#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <optional>

#include "scheduler.h"

namespace autoshard::simulation {

/// Fails unless, while the ranked index is complete in this state of the store, the entity has the one entry
/// that its value asks for, or is dirty and has one entry at most; without the entity, there is nothing. The
/// class is of entities whose id is a number, and the index of an int.
void look_at_ranked(Scheduler& scheduler, const Snapshot& state, const detail::EntityType& type,
                    const detail::IndexType& declared, int entity, std::optional<int> value);

}  // namespace autoshard::simulation
