#pragma once

#include <autoshard/detail/entity_type.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

/// The layout of sharded properties in records, and the names of properties.
namespace autoshard::detail {

/// The layout of one sharded property in records.
struct Layout {
  std::uint32_t shards = 1;  ///< that updates go to; 0: each update is a record of its own
  std::uint64_t epoch = 0;   ///< counts replacements of the value; records of other epochs are void

  bool is_dynamic() const { return shards == 0; }
  /// The limit of the numbers of records that are no deltas.
  std::uint32_t numbered() const { return std::max(shards, 1U); }

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Returns whether no update goes to the shard with this number. False for a delta, which has no number.
inline bool is_beyond(const Layout& layout, const std::optional<std::uint16_t>& shard) {
  return shard && *shard >= layout.numbered();
}

/// Compares numbers of shards; 0 stands for any number.
inline bool are_more(std::uint32_t shards, std::uint32_t than) {
  return than != 0 && (shards == 0 || shards > than);
}

/// Returns the layout that the class declares, for an entity whose main record has no layout.
Layout declared_layout(const ShardedPropertyType& property);

/// Returns the index of the sharded property that has or had this name.
std::optional<std::size_t> find_sharded(const EntityType& type, std::string_view name);

/// Returns the present name of a property that was stored as `name`.
std::string_view name_today(const EntityType& type, std::string_view name);

/// The bounds of one shard of a property with bounds. If all shards keep to their shares, the value keeps to
/// its bounds.
using Share = Bounds;

}  // namespace autoshard::detail
