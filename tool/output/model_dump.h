#pragma once

#include <string>

#include "tool/model/model.h"

namespace autoshard::tool {

/// The model as JSON, stable from run to run and from machine to machine.
std::string dump(const Model& model);

}  // namespace autoshard::tool
