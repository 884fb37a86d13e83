#pragma once

#include <autoshard/detail/entity_type.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keys.h"
#include "record.h"

namespace autoshard::detail {

/// Shard records to be folded later, elements in the order of their ids. Keeps its memory.
class KeptRecords {
 public:
  void clear() {
    records_.clear();
    bytes_.clear();
  }

  void keep(std::size_t place, const ShardKey& key, std::string_view record_key, std::string_view record) {
    records_.push_back({place, bytes_.size(), record_key.size(), key.element.size(), record.size()});
    bytes_.append(record_key).append(record);
  }

  /// Those of the wanted properties, each by the layouts of `head`.
  void fold(const EntityType& type, const MainHead& head, const Wanted& wanted, void* entity) {
    const auto by_id = [&](const Kept& one, const Kept& other) { return id(one) < id(other); };
    if (!std::is_sorted(records_.begin(), records_.end(), by_id))
      std::stable_sort(records_.begin(), records_.end(), by_id);
    for (const Kept& kept : records_) {
      const ShardedPropertyType& property = type.sharded[kept.place];
      if (!wanted.has(property.name)) continue;
      fold_shard(property, property.in_entity(entity), head.layouts[kept.place].epoch, key(kept),
                 std::string_view(bytes_).substr(kept.begin + kept.key_size, kept.size));
    }
  }

 private:
  /// Its bytes lie in `bytes_`, the key's, which end with the id, before the value's.
  struct Kept {
    std::size_t place, begin, key_size, id_size, size;
  };

  std::string_view key(const Kept& kept) const {
    return std::string_view(bytes_).substr(kept.begin, kept.key_size);
  }
  std::string_view id(const Kept& kept) const { return key(kept).substr(kept.key_size - kept.id_size); }

  std::vector<Kept> records_;
  std::string bytes_;
};

}  // namespace autoshard::detail
