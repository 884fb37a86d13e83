#include "layout.h"

namespace autoshard::detail {

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
