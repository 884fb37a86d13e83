#include <autoshard/errors.h>

#include <string>
#include <utility>
#include <vector>

#include "elements.h"
#include "part_records.h"
#include "shard_record.h"
#include "strategies.h"

namespace autoshard::detail {
namespace {

class GroupStrategy final : public Strategy {
 public:
  constexpr GroupStrategy() = default;

  void put_first(const EntityType& type, const ShardedPropertyType& property, EntityKeyView entity_key,
                 const void* value, Now, StagedWrites& writes) const override {
    put_elements(type, property, entity_key, declared_layout(property), value, writes);
  }

  void append_reads(const Staging&, std::vector<std::string>&) const override {}

  bool stage(Staging& staging, const void* part) const override {
    put_elements(*staging.entity.type, staging.property(), staging.entity.key, staging.layout(), part,
                 staging.writes);
    return false;
  }

  void fold(const StoredProperty& stored, const PartRecord& record, void* value,
            PartState* state) const override {
    const bool is_folded = fold_shard(stored.property, value, stored.layout.epoch, record.key, record.value);
    const bool is_element = record.parts.is_of_element() && record.parts.property == stored.property.name;
    if (state) *state = is_folded && is_element ? PartState::kCurrent : PartState::kCompactable;
  }

  PartState state(const StoredProperty& stored, const PartRecord& record) const override {
    return is_no_element(stored.property, stored.layout, record.parts, record.key, record.value)
               ? PartState::kCompactable
               : PartState::kCurrent;
  }

  void append_fold_order(const StoredProperty& stored, const PartRecord& record,
                         std::string& order) const override {
    detail::append_fold_order(order, stored.property, record.parts, record.key, record.value);
  }

  void append_main_order(const ShardedPropertyType& property, std::string& order) const override {
    append_fold_order_of_main(order, property);
  }

  /// For sets and maps, content that is not adopted yet counts before adopted content.
  void append_order(const StoredProperty& stored, const PartRecord& record,
                    std::string& order) const override {
    if (!stored.property.is_sequence) append_fold_order(stored, record, order);
  }

  std::size_t compact(UpdatedEntity& entity, std::size_t place, Now now,
                      std::span<const CompactableRecord> records, StagedWrites& writes) const override {
    const ShardedPropertyType& property = entity.type->sharded[place];
    const Layout& layout = entity.head.layouts[place];
    std::vector<std::pair<std::string_view, std::string>> adopted;
    take_compactable(*this, entity, {*entity.type, property, layout, now}, records, writes,
                     [&](const PartRecord& part) { adopted.emplace_back(part.key, part.value); });
    // Adoption comes last, because an element may take the key of an erased element of an older epoch.
    Adoption adoption(*entity.transaction, *entity.type, entity.key, writes);
    for (const auto& [key, record] : adopted)
      adoption.adopt(property, layout, *read_shard_key(entity.key, key), key, record);
    return adopted.size();
  }

  bool compact_main(UpdatedEntity& entity, std::size_t place, StagedWrites& writes) const override {
    return Adoption(*entity.transaction, *entity.type, entity.key, writes)
        .adopt_unsharded(entity.type->sharded[place], entity.head.layouts[place], entity.main_record);
  }

  void check_shards(const ShardedPropertyType& property, std::uint32_t) const override {
    throw InvalidUse("set_shards: " + std::string(property.name) +
                     " is a group: set the number of its partitions in its annotation");
  }
};

constexpr GroupStrategy kGroupStrategy;

}  // namespace

const Strategy& group_strategy() { return kGroupStrategy; }

}  // namespace autoshard::detail
