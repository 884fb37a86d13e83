#include "elements.h"

#include <algorithm>
#include <utility>

#include "check.h"
#include "main_record.h"
#include "random.h"
#include "shard_record.h"
#include "shard_value.h"

namespace autoshard::detail {
namespace {

/// The parts of a set or map, in fold order.
enum class Age : char {
  kAdopted,        // an element that compaction has made of a part
  kFormerAdopted,  // an element that compaction has made of a part, under a former name
  kNoElement,      // the entry in the main record, a shard or a delta
  // An element whose write found no equal element under a former name left.
  kReplacing,
  kFormer,    // an element under a former name
  kUnmarked,  // an element of a version of the class without former names
};

bool has_former_names(const EntityType& type, const ShardedPropertyType& property) {
  return std::any_of(type.former_names.begin(), type.former_names.end(),
                     [&](const FormerName& entry) { return entry.name == property.name; });
}

Age age_of_element(bool is_former, ElementMark mark) {
  if (mark == ElementMark::kAdopted) return is_former ? Age::kFormerAdopted : Age::kAdopted;
  if (is_former) return Age::kFormer;
  return mark == ElementMark::kReplacing ? Age::kReplacing : Age::kUnmarked;
}

void append_age(std::string& order, Age age) { order.push_back(static_cast<char>(age)); }

/// Returns the time in the ids of elements that are made of this shard. The main record has time 0.
std::uint64_t time_of_shard(std::uint16_t shard) { return std::uint64_t{1} + shard; }

/// Appends a position after all elements that were made of the same part before.
void append_place_of_part(std::string& order, std::uint64_t time) {
  append_big_endian(order, time);
  append_big_endian(order, UINT64_MAX);
}

}  // namespace

void put_elements(const EntityType& type, const ShardedPropertyType& property, EntityKeyView entity_key,
                  const Layout& layout, const void* value, StagedWrites& writes) {
  AUTOSHARD_CHECK(property.split && layout.shards > 0, {"property", property.name});
  std::string last_id;  // for a check: the elements of an update keep their order
  property.split(value, [&](std::string_view bytes, std::string_view container) {
    StagedWrites::Write& write = writes.put();
    encode_new_element(write.value, type, property, container, layout);
    if (property.is_sequence) {
      const auto group = static_cast<std::uint16_t>(random_below(layout.shards));
      write.key.set_new_element(entity_key, property.name, group);
      if constexpr (kChecks) {
        const std::string id(read_shard_key(entity_key, write.key)->element);
        AUTOSHARD_CHECK(last_id < id, {"last id", last_id}, {"id", id});
        last_id = id;
      }
      return;
    }
    write.key.set_equal_element(entity_key, property.name, bytes);
    erase_former_elements(type, property, entity_key, bytes, writes);
  });
}

void erase_former_elements(const EntityType& type, const ShardedPropertyType& property,
                           EntityKeyView entity_key, std::string_view bytes, StagedWrites& writes) {
  for (const FormerName& entry : type.former_names) {
    if (entry.name == property.name) writes.erase().key.set_equal_element(entity_key, entry.former, bytes);
  }
}

void encode_new_element(std::string& record, const EntityType& type, const ShardedPropertyType& property,
                        std::string_view container, const Layout& layout) {
  const bool replaces_former = !property.is_sequence && has_former_names(type, property);
  encode_element(record, container, layout.epoch,
                 replaces_former ? ElementMark::kReplacing : ElementMark::kNone);
}

bool is_no_element(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                   std::string_view record_key, std::string_view record) {
  return !key.is_of_element() || key.property != property.name ||
         read_tail(record_key, record).epoch != layout.epoch;
}

void append_fold_order(std::string& order, const ShardedPropertyType& property, const ShardKey& key,
                       std::string_view record_key, std::string_view record) {
  if (!property.is_sequence) {
    if (key.is_of_element())
      return append_age(order, age_of_element(key.property != property.name, read_mark(record_key, record)));
    append_age(order, Age::kNoElement);
  }
  if (key.shard && !key.is_of_element()) return append_place_of_part(order, time_of_shard(*key.shard));
  order.append(key.element);  // begins with the time of the element or delta
}

void append_fold_order_of_main(std::string& order, const ShardedPropertyType& property) {
  if (!property.is_sequence) append_age(order, Age::kNoElement);
  append_place_of_part(order, 0);
}

void Adoption::adopt(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                     std::string_view record_key, std::string_view record) {
  if (read_tail(record_key, record).epoch != layout.epoch) return;
  if (key.is_of_element()) return adopt_former(property, layout, key, record_key, record);
  ShardValue shard;
  void* value = property.in_shard(shard.make_neutral(type_.shard));
  fold_shard(property, value, layout.epoch, record_key, record);
  std::string order;
  append_fold_order(order, property, key, record_key, record);
  adopt_value(property, layout, value, key.shard ? time_of_shard(*key.shard) : read_new_id(key.element).first,
              order);
}

bool Adoption::adopt_unsharded(const ShardedPropertyType& property, const Layout& layout,
                               std::string_view main_record) {
  ShardValue shard;
  void* value = property.in_shard(shard.make_neutral(type_.shard));
  if (!fold_unsharded(type_, property, value, entity_key_, main_record)) return false;
  if (layout.epoch != 0) return true;
  std::string order;
  append_fold_order_of_main(order, property);
  adopt_value(property, layout, value, 0, order);
  return true;
}

void Adoption::adopt_former(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                            std::string_view record_key, std::string_view record) {
  RecordKey renamed(shard_key(entity_key_, property.name, *key.shard), key.element);
  if (property.is_sequence)
    return put_in_sequence(property, std::move(renamed), read_new_id(key.element).first, record);
  std::string order;
  append_fold_order(order, property, key, record_key, record);
  const ElementMark mark = read_mark(record_key, record) == ElementMark::kAdopted ? ElementMark::kAdopted
                                                                                  : ElementMark::kReplacing;
  std::string element;
  encode_element(element, read_container(record_key, record), layout.epoch, mark);
  put_unless_later(property, layout, std::move(renamed), order, std::move(element));
}

void Adoption::adopt_value(const ShardedPropertyType& property, const Layout& layout, const void* value,
                           std::uint64_t time, const std::string& order) {
  const ElementMark mark = property.is_sequence ? ElementMark::kNone : ElementMark::kAdopted;
  std::vector<std::string> keys, elements;
  property.split(value, [&](std::string_view bytes, std::string_view container) {
    RecordKey key;
    property.is_sequence ? key.set_adopted_element(entity_key_, property.name, time)
                         : key.set_equal_element(entity_key_, property.name, bytes);
    keys.push_back(std::move(key).bytes());
    encode_element(elements.emplace_back(), container, layout.epoch, mark);
  });
  transaction_.prefetch(keys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    RecordKey key(std::move(keys[i]));
    property.is_sequence ? put_in_sequence(property, std::move(key), time, elements[i])
                         : put_unless_later(property, layout, std::move(key), order, elements[i]);
  }
}

/// Takes another key of the same time if another element has this one.
void Adoption::put_in_sequence(const ShardedPropertyType& property, RecordKey key, std::uint64_t time,
                               std::string_view element) {
  while (transaction_.get(key, stored_)) key.set_adopted_element(entity_key_, property.name, time);
  StagedWrites::Write& write = writes_.put();
  write.key = std::move(key);
  write.value = element;
}

/// Does nothing if the stored or staged part under this key is later in the fold order.
void Adoption::put_unless_later(const ShardedPropertyType& property, const Layout& layout, RecordKey key,
                                const std::string& order, std::string_view element) {
  const auto [last, is_first] = orders_.try_emplace(key);
  if (is_first && transaction_.get(key, stored_) && read_tail(key, stored_).epoch == layout.epoch)
    append_fold_order(last->second, property, *read_shard_key(entity_key_, key), key, stored_);
  if (order < last->second) return;
  AUTOSHARD_CHECK(!order.empty(), {"key", key});
  last->second = order;
  StagedWrites::Write& write = writes_.put();
  write.key = std::move(key);
  write.value = element;
}

}  // namespace autoshard::detail
