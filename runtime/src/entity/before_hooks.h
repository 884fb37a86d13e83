#pragma once

#include <autoshard/detail/entity_type.h>

namespace autoshard::detail {

/// Restores the entity to its state before the hooks ran.
void take_back(const EntityType& type, EntityKeyView key, const BeforeHooks& before, void* entity);

}  // namespace autoshard::detail
