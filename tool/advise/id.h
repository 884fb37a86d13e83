#pragma once

/// Which member of a class could be its id.

#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

struct IdChoice {
  const Property* property = nullptr;       ///< null where it cannot be told
  std::string reason;                       ///< how it could be told: "its name says so"
  std::vector<const Property*> candidates;  ///< where it cannot: those that could be it; may be empty
};

/// Chooses among the members that can be a key and that no method changes.
IdChoice choose_id(const Entity& entity);

}  // namespace autoshard::tool
