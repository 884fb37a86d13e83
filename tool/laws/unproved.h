#pragma once

#include "tool/check/control.h"
#include "tool/laws/laws.h"

namespace autoshard::tool {

/// A warning for each fold and each method with laws that may or may not hold: they are neither proved nor
/// trusted, nor tested where `control` says so. Methods whose bodies were not read are left out: another
/// translation unit has them.
Diagnostics unproved(const std::vector<EntityLaws>& laws, const Control& control);

}  // namespace autoshard::tool
