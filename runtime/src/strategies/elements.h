#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "keys.h"
#include "layout.h"
#include "staged_writes.h"

namespace autoshard::detail {

/// Stages a record for each element of a group's value. Elements of a sequence go to groups drawn at random.
/// The key of an element of a set or map follows from the element, so that it replaces an equal one.
void put_elements(const EntityType& type, const ShardedPropertyType& property, std::string_view entity_key,
                  const Layout& layout, const void* value, StagedWrites& writes);

/// Stages the removal of the element of a set or map under each former name of the property. Every write of
/// an element removes these in its own commit. So a record under a former name was always written later than
/// the element of today's name. `bytes`: as in `PutElement`.
void erase_former_elements(const EntityType& type, const ShardedPropertyType& property,
                           std::string_view entity_key, std::string_view bytes, StagedWrites& writes);

/// The record of an element that replaces all equal ones. `container`: as in `PutElement`.
void encode_new_element(std::string& record, const EntityType& type, const ShardedPropertyType& property,
                        std::string_view container, const Layout& layout);

/// Whether a record of a group is not one of its elements: a shard, a delta, an element of another epoch, or
/// one under a former name.
bool is_no_element(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                   std::string_view record_key, std::string_view record);

/// Appends the place of a record in the order in which the parts of a group's value are folded. Orders
/// compare as bytes. Of two values of a map's key, the one in the later part counts.
void append_fold_order(std::string& order, const ShardedPropertyType& property, const ShardKey& key,
                       std::string_view record_key, std::string_view record);
/// The same of the entry in the main record.
void append_fold_order_of_main(std::string& order, const ShardedPropertyType& property);

/// Makes elements of what an earlier version of the class left of a group: the entry in the main record,
/// shards, deltas, and elements under a former name. Each keeps its place in the fold order, relative to what
/// is not adopted yet, provided that the parts of sets and maps are adopted in that order.
class Adoption {
 public:
  /// They must outlive it.
  Adoption(Transaction& transaction, const EntityType& type, std::string_view entity_key,
           StagedWrites& writes)
      : transaction_(transaction), type_(type), entity_key_(entity_key), writes_(writes) {}

  /// A record that is no element. The caller erases it in the same transaction, which has read it.
  void adopt(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
             std::string_view record_key, std::string_view record);
  /// The entry in the main record; false if there is none.
  bool adopt_unsharded(const ShardedPropertyType& property, const Layout& layout, std::string_view main_key,
                       std::string_view main_record);

 private:
  void adopt_former(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                    std::string_view record_key, std::string_view record);
  void adopt_value(const ShardedPropertyType& property, const Layout& layout, const void* value,
                   std::uint64_t time, const std::string& order);
  void put_in_sequence(const ShardedPropertyType& property, std::string key, std::uint64_t time,
                       std::string_view element);
  void put_unless_later(const ShardedPropertyType& property, const Layout& layout, std::string key,
                        const std::string& order, std::string_view element);

  Transaction& transaction_;
  const EntityType& type_;
  const std::string_view entity_key_;
  StagedWrites& writes_;
  std::string stored_;
  std::map<std::string, std::string> orders_;  // the fold order of the last part, by its element's key
};

}  // namespace autoshard::detail
