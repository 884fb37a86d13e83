#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "keys.h"
#include "record.h"
#include "staged_writes.h"

namespace autoshard::detail {

/// The elements of a group's value as a record each, in groups that are drawn at random, or, of sets and
/// maps, follow from the element: one that equals another takes its place.
void put_elements(const ShardedPropertyType& property, std::string_view entity_key, const Layout& layout,
                  const void* value, StagedWrites& writes);

/// Whether a record of a group is none of its elements, by its name of today and not void.
bool is_no_element(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
                   std::string_view record_key, std::string_view record);

/// What there was of a group before it was one, or under a former name, becomes elements, in the places that
/// it had among them. One that is there already stays, and so does one that was adopted before: of sets and
/// maps, begin with what comes last.
class Adoption {
 public:
  /// They must outlive it.
  Adoption(Transaction& transaction, const EntityType& type, std::string_view entity_key,
           StagedWrites& writes)
      : transaction_(transaction), type_(type), entity_key_(entity_key), writes_(writes) {}

  /// A record that is no element, and is to be erased with it.
  void adopt(const ShardedPropertyType& property, const Layout& layout, const ShardKey& key,
             std::string_view record_key, std::string_view record);
  /// What lies in the main record, which comes before all else.
  bool adopt_unsharded(const ShardedPropertyType& property, const Layout& layout, std::string_view main_key,
                       std::string_view main_record);

 private:
  void adopt_value(const ShardedPropertyType& property, const Layout& layout, const void* value,
                   std::uint64_t time, std::uint64_t random);
  bool is_new(const Layout& layout, const std::string& key);

  Transaction& transaction_;
  const EntityType& type_;
  const std::string_view entity_key_;
  StagedWrites& writes_;
  std::string stored_;
  std::set<std::string> adopted_;
};

}  // namespace autoshard::detail
