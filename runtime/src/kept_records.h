#pragma once

#include <autoshard/detail/entity_type.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keys.h"
#include "record.h"

namespace autoshard::detail {

/// Shard records to be folded later, elements in the order of their ids; those of sets and maps, whose ids
/// are no times, behind all else. Keeps its memory.
class KeptRecords {
 public:
  void clear() {
    records_.clear();
    bytes_.clear();
  }

  void keep(std::size_t place, const ShardKey& key, std::string_view record_key, std::string_view record) {
    records_.push_back(
        {place, bytes_.size(), record_key.size(), key.element.size(), record.size(), key.is_of_element()});
    bytes_.append(record_key).append(record);
  }

  /// Those of the wanted properties, each by the layouts of `head`.
  void fold(const EntityType& type, const MainHead& head, const Wanted& wanted, void* entity) {
    const auto order = [&](const Kept& kept) {
      return std::pair(kept.is_element && !type.sharded[kept.place].is_sequence, id(kept));
    };
    const auto is_before = [&](const Kept& one, const Kept& other) { return order(one) < order(other); };
    if (!std::is_sorted(records_.begin(), records_.end(), is_before))
      std::stable_sort(records_.begin(), records_.end(), is_before);
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
    bool is_element;  // the id is not that of a delta
  };

  std::string_view key(const Kept& kept) const {
    return std::string_view(bytes_).substr(kept.begin, kept.key_size);
  }
  std::string_view id(const Kept& kept) const { return key(kept).substr(kept.key_size - kept.id_size); }

  std::vector<Kept> records_;
  std::string bytes_;
};

}  // namespace autoshard::detail
