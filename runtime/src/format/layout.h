#pragma once

#include <autoshard/detail/entity_type.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// How the records of sharded properties lie, and by which names they are known.
namespace autoshard::detail {

/// How the records of one sharded property lie.
struct Layout {
  std::uint32_t shards = 1;  ///< that updates go to; 0: each update is a record of its own
  std::uint64_t epoch = 0;   ///< counts the replacements of the value; records of other epochs are void

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Whether no update goes to the shard of that number; of a delta, which has none, false.
inline bool is_beyond(const Layout& layout, const std::optional<std::uint16_t>& shard) {
  return shard && *shard >= std::max(layout.shards, 1U);
}

/// The name in the keys of the property's shards. That of one with bounds is its oldest: programs that know
/// the property by different names share its bounds.
std::string_view record_name(const EntityType& type, const ShardedPropertyType& property);

/// As the class declares it, for an entity whose main record has nothing to say.
Layout declared_layout(const ShardedPropertyType& property);

/// The place among the sharded properties of the one that has this name, or had it formerly.
std::optional<std::size_t> find_sharded(const EntityType& type, std::string_view name);

/// The name of today of what was stored as `name`.
std::string_view name_today(const EntityType& type, std::string_view name);

/// What a shard of a property with bounds keeps to, so that all together keep to the bounds.
using Share = Bounds;

}  // namespace autoshard::detail
