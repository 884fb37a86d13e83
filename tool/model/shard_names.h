#pragma once

/// What the generator adds to a `Shard`, beside the user's own names.

#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

inline std::string fold_name(const Property& property) { return "fold_" + property.name; }
inline std::string replaced_name(const Property& property) { return "replaced_" + property.name; }
inline std::string minimum_name(const Property& property) { return "min_" + property.name; }
inline std::string maximum_name(const Property& property) { return "max_" + property.name; }

/// What stands there for `property` besides its fold.
inline std::vector<std::string> notes_in_shard(const Entity& entity, const Property& property) {
  std::vector<std::string> names;
  if (!property.sharding || property.is_group()) return names;
  if (is_replaceable(entity, property)) names.push_back(replaced_name(property));
  if (!property.sharding->minimum.empty()) names.push_back(minimum_name(property));
  if (!property.sharding->maximum.empty()) names.push_back(maximum_name(property));
  return names;
}

}  // namespace autoshard::tool
