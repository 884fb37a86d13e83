#pragma once

#include <string>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Returns the function of the traits that calls the shard method which an `apply` names.
std::string run_function(const Entity& entity);

}  // namespace autoshard::tool
