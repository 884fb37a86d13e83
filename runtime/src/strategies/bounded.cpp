#include <autoshard/errors.h>

#include <optional>
#include <string>

#include "check.h"
#include "escrow.h"
#include "part_records.h"
#include "shard_record.h"
#include "strategies.h"

namespace autoshard::detail {
namespace {

class BoundedStrategy final : public Strategy {
 public:
  constexpr BoundedStrategy() = default;

  void check_first(const ShardedPropertyType& property, EntityKeyView entity_key,
                   const void* value) const override {
    const Bounds bounds = property.bounds();
    const std::int64_t whole = property.to_integer(value);
    if (is_within(bounds, whole)) return;
    throw BoundExceeded(describe(entity_key) + " cannot be created: " + std::string(property.name) + " is " +
                        std::to_string(whole) + ", its bounds are " + in_words(bounds));
  }

  void put_first(const EntityType&, const ShardedPropertyType& property, EntityKeyView entity_key,
                 const void* value, Now, StagedWrites& writes) const override {
    const Bounds bounds = property.bounds();
    const std::int64_t whole = property.to_integer(value);
    const std::uint32_t shards = declared_layout(property).numbered();
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      StagedWrites::Write& write = writes.put();
      write.key.set_shard(entity_key, property.record_name, static_cast<std::uint16_t>(shard));
      std::optional<Share> share;
      if (is_within(bounds, whole)) share = share_of(bounds, shards, shard);
      encode_bounded_shard(write.value, part_of(whole, shards, shard), 0, share);
    }
  }

  void append_reads(const Staging& staging, std::vector<std::string>& keys) const override {
    const std::uint16_t shard = staging.affinity.pick(staging.layout().numbered());
    keys.push_back(shard_key(staging.entity.key, staging.property().record_name, shard).bytes());
  }

  bool stage(Staging& staging, const void*) const override {
    const bool is_admitted = false;
    AUTOSHARD_CHECK(is_admitted, {"property", staging.property().name});
    return false;
  }

  void fold(const StoredProperty& stored, const PartRecord& record, void* value,
            PartState* state) const override {
    fold_of_epoch(stored, record, value, state);
  }

  PartState state(const StoredProperty& stored, const PartRecord& record) const override {
    return state_of_epoch(stored, record);
  }

  /// Compacts all records at once, because the shards need new shares.
  std::size_t compact(UpdatedEntity& entity, std::size_t place, Now,
                      std::span<const CompactableRecord> records, StagedWrites& writes) const override {
    share_out(entity, place, writes);
    return records.size();
  }

  void check_shards(const ShardedPropertyType& property, std::uint32_t shards) const override {
    Strategy::check_shards(property, shards);
    if (shards == 0) {
      throw InvalidUse("set_shards: " + std::string(property.name) +
                       " has bounds, which dynamic sharding cannot keep: choose at least 1 shard");
    }
  }

  void resize(UpdatedEntity& entity, std::size_t place, StagedWrites& writes) const override {
    share_out(entity, place, writes);
  }

 private:
  static void share_out(UpdatedEntity& entity, std::size_t place, StagedWrites& writes) {
    Escrow escrow;
    escrow.begin(entity, place, 0);
    escrow.look_at_all();
    escrow.put(writes);
  }
};

constexpr BoundedStrategy kBoundedStrategy;

}  // namespace

const Strategy& bounded_strategy() { return kBoundedStrategy; }

}  // namespace autoshard::detail
