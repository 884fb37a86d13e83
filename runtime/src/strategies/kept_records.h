#pragma once

#include <autoshard/detail/entity_type.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "elements.h"
#include "keys.h"
#include "main_record.h"
#include "shard_record.h"

namespace autoshard::detail {

/// Parts of groups, to be folded in their order. Keeps its memory.
class KeptRecords {
 public:
  void clear() {
    records_.clear();
    bytes_.clear();
  }

  /// A shard, a delta or an element of the property at this place.
  void keep(const EntityType& type, std::size_t place, const ShardKey& key, std::string_view record_key,
            std::string_view record) {
    Kept& kept = add(place, record_key, record);
    append_fold_order(bytes_, type.sharded[place], key, record_key, record);
    kept.end = bytes_.size();
  }

  /// A main record that has a part of a group.
  void keep_main(const EntityType& type, std::string_view main_key, std::string_view main_record) {
    for (std::size_t place = 0; place < type.sharded.size(); ++place) {
      if (!type.sharded[place].is_group()) continue;
      Kept& kept = add(place, main_key, main_record);
      append_fold_order_of_main(bytes_, type.sharded[place]);
      kept.end = bytes_.size();
      kept.is_main = true;
    }
  }

  /// Those of the wanted properties, each by the layouts of `head`.
  void fold(const EntityType& type, const MainHead& head, const Wanted& wanted, void* entity) {
    const auto is_before = [&](const Kept& one, const Kept& other) { return order(one) < order(other); };
    if (!std::is_sorted(records_.begin(), records_.end(), is_before))
      std::stable_sort(records_.begin(), records_.end(), is_before);
    for (const Kept& kept : records_) {
      const ShardedPropertyType& property = type.sharded[kept.place];
      if (!wanted.has(property.name)) continue;
      void* value = property.in_entity(entity);
      const std::uint64_t epoch = head.layouts[kept.place].epoch;
      if (!kept.is_main) {
        fold_shard(property, value, epoch, key(kept), record(kept));
      } else if (epoch == 0) {
        fold_unsharded(type, property, value, key(kept), record(kept));
      }
    }
  }

 private:
  /// In `bytes_`: from `begin` on its key, from `value` on the record, from `order` to `end` its fold order.
  struct Kept {
    std::size_t place, begin, value, order, end = 0;
    bool is_main = false;
  };

  Kept& add(std::size_t place, std::string_view key, std::string_view record) {
    const std::size_t begin = bytes_.size();
    bytes_.append(key).append(record);
    return records_.emplace_back(Kept{place, begin, begin + key.size(), bytes_.size()});
  }

  std::string_view bytes(std::size_t begin, std::size_t end) const {
    return std::string_view(bytes_).substr(begin, end - begin);
  }
  std::string_view key(const Kept& kept) const { return bytes(kept.begin, kept.value); }
  std::string_view record(const Kept& kept) const { return bytes(kept.value, kept.order); }
  std::string_view order(const Kept& kept) const { return bytes(kept.order, kept.end); }

  std::vector<Kept> records_;
  std::string bytes_;
};

}  // namespace autoshard::detail
