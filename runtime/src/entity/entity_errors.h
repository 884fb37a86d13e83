#pragma once

#include <autoshard/detail/entity_key.h>

/// Errors about an entity that several calls throw. `key` is the key of the entity.
namespace autoshard::detail {

[[noreturn]] void throw_not_found(EntityKeyView key);
/// Throws `StaleEntity`: another caller saved the entity since it was loaded.
[[noreturn]] void throw_saved_since(EntityKeyView key);

}  // namespace autoshard::detail
