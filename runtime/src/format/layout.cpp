#include "layout.h"

namespace autoshard::detail {

std::string_view record_name(const EntityType& type, const ShardedPropertyType& property) {
  if (!property.bounds) return property.name;
  for (const FormerName& former : type.former_names) {
    if (former.name == property.name) return former.former;
  }
  return property.name;
}

Layout declared_layout(const ShardedPropertyType& property) {
  return {.shards = property.shards.kind == Shards::Kind::kDynamic ? 0 : property.shards.least};
}

std::optional<std::size_t> find_sharded(const EntityType& type, std::string_view name) {
  const std::string_view today = name_today(type, name);
  for (std::size_t place = 0; place < type.sharded.size(); ++place) {
    if (type.sharded[place].name == today) return place;
  }
  return std::nullopt;
}

std::string_view name_today(const EntityType& type, std::string_view name) {
  for (const FormerName& entry : type.former_names) {
    if (entry.former == name) return entry.name;
  }
  return name;
}

}  // namespace autoshard::detail
