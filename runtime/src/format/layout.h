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

  bool is_dynamic() const { return shards == 0; }
  /// The numbers of records that are no deltas are below this.
  std::uint32_t numbered() const { return std::max(shards, 1U); }

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Whether no update goes to the shard of that number; of a delta, which has none, false.
inline bool is_beyond(const Layout& layout, const std::optional<std::uint16_t>& shard) {
  return shard && *shard >= layout.numbered();
}

/// Compares numbers of shards, of which 0 stands for any number.
inline bool are_more(std::uint32_t shards, std::uint32_t than) {
  return than != 0 && (shards == 0 || shards > than);
}

/// As the class declares it, for an entity whose main record has nothing to say.
Layout declared_layout(const ShardedPropertyType& property);

/// The place among the sharded properties of the one that has this name, or had it formerly.
std::optional<std::size_t> find_sharded(const EntityType& type, std::string_view name);

/// The name of today of what was stored as `name`.
std::string_view name_today(const EntityType& type, std::string_view name);

/// What a shard of a property with bounds keeps to, so that all together keep to the bounds.
using Share = Bounds;

}  // namespace autoshard::detail
