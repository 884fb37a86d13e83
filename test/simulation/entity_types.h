#pragma once

#include <autoshard/detail/entity_type.h>

#include <vector>

namespace autoshard::simulation {

/// The classes that the program of a simulated process has. The versions of one class live in one program
/// here, and each simulated process has one of them.
void set_entity_types(int process, std::vector<const detail::EntityType*> types);

}  // namespace autoshard::simulation
