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

/// Stages a record for each element of a group's value. Elements of a sequence go to random groups. The key
/// of an element of a set or map follows from the element, so that the record replaces that of an equal
/// element.
void put_elements(const EntityType& type, const ShardedPropertyType& property, EntityKeyView entity_key,
                  const Layout& layout, const void* value, StagedWrites& writes);

/// Stages the removal of the element of a set or map under each former name of the property. Every write of
/// an element removes these in its own commit. So a record under a former name was always written later than
/// the element under the present name. `bytes`: as in `PutElement`.
void erase_former_elements(const EntityType& type, const ShardedPropertyType& property,
                           EntityKeyView entity_key, std::string_view bytes, StagedWrites& writes);

/// Encodes the record of an element that replaces all equal ones. `container`: as in `PutElement`.
void encode_new_element(std::string& record, const EntityType& type, const ShardedPropertyType& property,
                        std::string_view container, const Layout& layout);

/// Returns whether a record of a group is not one of its elements: a shard, a delta, an element of another
/// epoch, or an element under a former name.
bool is_no_element(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                   std::string_view record_key, std::string_view record);

/// Appends the position of a record in the order in which the parts of a group's value are folded. Positions
/// compare as bytes. If two parts have a value for the same key of a map, the value in the later part counts.
void append_fold_order(std::string& order, const ShardedPropertyType& property, const ShardKey& key,
                       std::string_view record_key, std::string_view record);
/// As `append_fold_order`, for the entry in the main record.
void append_fold_order_of_main(std::string& order, const ShardedPropertyType& property);

/// Makes elements of the content that an earlier version of the class left for a group: the entry in the main
/// record, shards, deltas, and elements under a former name. Each keeps its place in the fold order relative
/// to the content that is not adopted yet. This requires that the parts of sets and maps are adopted in fold
/// order.
class Adoption {
 public:
  /// The arguments must outlive the object.
  Adoption(Transaction& transaction, const EntityType& type, EntityKeyView entity_key, StagedWrites& writes)
      : transaction_(transaction), type_(type), entity_key_(entity_key), writes_(writes) {}

  /// Adopts a record that is no element. The caller has read the record in the same transaction, and erases
  /// it there.
  void adopt(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
             std::string_view record_key, std::string_view record);
  /// Adopts the entry in the main record; returns false if there is none.
  bool adopt_unsharded(const ShardedPropertyType& property, const Layout& layout,
                       std::string_view main_record);

 private:
  void adopt_former(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                    std::string_view record_key, std::string_view record);
  void adopt_value(const ShardedPropertyType& property, const Layout& layout, const void* value,
                   std::uint64_t time, const std::string& order);
  void put_in_sequence(const ShardedPropertyType& property, RecordKey key, std::uint64_t time,
                       std::string_view element);
  void put_unless_later(const ShardedPropertyType& property, const Layout& layout, RecordKey key,
                        const std::string& order, std::string_view element);

  Transaction& transaction_;
  const EntityType& type_;
  const EntityKeyView entity_key_;
  StagedWrites& writes_;
  std::string stored_;
  std::map<RecordKey, std::string> orders_;  // the fold order of the last part, by the key of its element
};

}  // namespace autoshard::detail
