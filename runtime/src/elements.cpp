#include "elements.h"

#include <utility>

#include "random.h"
#include "shard_value.h"

namespace autoshard::detail {

void put_elements(const ShardedPropertyType& property, std::string_view entity_key, const Layout& layout,
                  const void* value, StagedWrites& writes) {
  property.split(value, [&](std::string_view bytes, std::string_view container) {
    StagedWrites::Write& write = writes.put();
    if (property.is_sequence) {
      const auto group = static_cast<std::uint16_t>(random_below(layout.shards));
      set_new_element_key(write.key, entity_key, property.name, group);
    } else {
      set_equal_element_key(write.key, entity_key, property.name, bytes);
    }
    encode_element(write.value, container, layout.epoch);
  });
}

bool is_no_element(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                   std::string_view record_key, std::string_view record) {
  return !key.is_of_element() || key.property != property.name ||
         read_tail(record_key, record).epoch != layout.epoch;
}

void Adoption::adopt(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                     std::string_view record_key, std::string_view record) {
  if (read_tail(record_key, record).epoch != layout.epoch) return;
  if (key.is_of_element()) {  // under a former name
    std::string renamed = shard_key(entity_key_, property.name, *key.shard);
    renamed += key.element;
    if (!is_new(layout, renamed)) return;
    StagedWrites::Write& write = writes_.put();
    write.key = std::move(renamed);
    write.value = record;
    return;
  }
  ShardValue shard;
  void* value = property.in_shard(shard.make_neutral(type_.shard));
  fold_shard(property, value, layout.epoch, record_key, record);
  const auto [time, random] =
      key.shard ? std::pair<std::uint64_t, std::uint64_t>(1 + *key.shard, 0) : read_new_id(key.element);
  adopt_value(property, layout, value, time, random);
}

bool Adoption::adopt_unsharded(const ShardedPropertyType& property, const Layout& layout,
                               std::string_view main_key, std::string_view main_record) {
  ShardValue shard;
  void* value = property.in_shard(shard.make_neutral(type_.shard));
  if (!fold_unsharded(type_, property, value, main_key, main_record)) return false;
  if (layout.epoch == 0) adopt_value(property, layout, value, 0, 0);
  return true;
}

/// Whether there is no element of that key yet, nor one that was adopted before.
bool Adoption::is_new(const Layout& layout, const std::string& key) {
  const bool is_there = transaction_.get(key, stored_) && read_tail(key, stored_).epoch == layout.epoch;
  return !is_there && adopted_.insert(key).second;
}

/// Their ids are those of elements that were added at this time, one after the other.
void Adoption::adopt_value(const ShardedPropertyType& property, const Layout& layout, const void* value,
                           std::uint64_t time, std::uint64_t random) {
  std::uint64_t number = 0;
  property.split(value, [&](std::string_view bytes, std::string_view container) {
    StagedWrites::Write& write = writes_.put();
    if (property.is_sequence) {
      set_element_key(write.key, entity_key_, property.name, 0, time, number++ << 32 | random >> 32);
    } else {
      set_equal_element_key(write.key, entity_key_, property.name, bytes);
      if (!is_new(layout, write.key)) return writes_.shrink(writes_.size() - 1);
    }
    encode_element(write.value, container, layout.epoch);
  });
}

}  // namespace autoshard::detail
