#include "part_records.h"
#include "shard_record.h"
#include "shard_value.h"
#include "strategies.h"

namespace autoshard::detail {
namespace {

class ShardsStrategy final : public Strategy {
 public:
  constexpr ShardsStrategy() = default;

  void put_first(const EntityType&, const ShardedPropertyType& property, EntityKeyView entity_key,
                 const void* value, Now, StagedWrites& writes) const override {
    if (property.is_neutral(value)) return;
    StagedWrites::Write& shard = writes.put();
    shard.key.set_shard(entity_key, property.name, 0);
    encode_shard(shard.value, property, value, 0);
  }

  void append_reads(const Staging& staging, std::vector<std::string>& keys) const override {
    if (becomes_delta(staging) || is_folded_by_store(staging)) return;
    const std::uint16_t shard = staging.affinity.pick(staging.layout().shards);
    keys.push_back(shard_key(staging.entity.key, staging.property().name, shard).bytes());
  }

  bool stage(Staging& staging, const void* part) const override {
    const Layout& layout = staging.layout();
    StagedWrites::Write& write = staging.writes.put();
    if (becomes_delta(staging)) {
      write.key.set_delta(staging.entity.key, staging.property().name);
      encode_shard(write.value, staging.property(), part, layout.epoch);
      return true;
    }
    write.key.set_shard(staging.entity.key, staging.property().name, staging.affinity.pick(layout.shards));
    fold_into_record(staging, write, part);
    staging.would_shrink = staging.would_shrink || may_become_delta(staging, write.key.size());
    return false;
  }

  void fold(const StoredProperty& stored, const PartRecord& record, void* value,
            PartState* state) const override {
    fold_of_epoch(stored, record, value, state);
  }

  PartState state(const StoredProperty& stored, const PartRecord& record) const override {
    return state_of_epoch(stored, record);
  }

  std::size_t compact(UpdatedEntity& entity, std::size_t place, Now now,
                      std::span<const CompactableRecord> records, StagedWrites& writes) const override {
    const ShardedPropertyType& property = entity.type->sharded[place];
    const StoredProperty property_now{*entity.type, property, entity.head.layouts[place], now};
    ShardValue shard;
    void* value = property.in_shard(shard.make_neutral(entity.type->shard));
    const std::size_t removed =
        take_compactable(*this, entity, property_now, records, writes,
                         [&](const PartRecord& part) { fold(property_now, part, value, nullptr); });
    fold_into_record(entity, place, shard_key(entity.key, property.name, 0), value, writes);
    return removed;
  }

 private:
  static bool becomes_delta(const Staging& staging) {
    if (staging.layout().is_dynamic()) return true;
    return staging.folding == Folding::kNowhere &&
           may_become_delta(staging, shard_key(staging.entity.key, staging.property().name, 0).size());
  }

  /// Returns whether an update that belongs to a shard, with a key of this size, may be written as a delta. A
  /// number may not: its shard is always small. `Escrow` also relies on it.
  static bool may_become_delta(const Staging& staging, std::size_t shard_key_size) {
    const std::size_t longest = staging.traits.longest_key;
    return !staging.property().is_number && (longest == 0 || shard_key_size + kNewIdSize <= longest);
  }
};

constexpr ShardsStrategy kShardsStrategy;

}  // namespace

const Strategy& shards_strategy() { return kShardsStrategy; }

}  // namespace autoshard::detail
