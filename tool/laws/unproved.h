#pragma once

#include "tool/check/control.h"
#include "tool/laws/laws.h"

namespace autoshard::tool {

/// Returns a warning for each fold and each method with a law that may or may not hold: neither proved nor
/// trusted. If `control` says that laws are tested, laws that tests can try are left out. Methods whose
/// bodies were not read are left out, because another translation unit has them.
Diagnostics unproved(const std::vector<EntityLaws>& laws, const Control& control);

}  // namespace autoshard::tool
