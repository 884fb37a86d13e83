#include "part_records.h"

#include "shard_record.h"

namespace autoshard::detail {
namespace {

PartState state_of(const StoredProperty& stored, const ShardKey& key, bool counts) {
  if (!counts || is_beyond(stored.layout, key.shard)) return PartState::kCompactable;
  if (key.shard && key.property != stored.property.record_name) return PartState::kCompactable;
  return key.element.empty() ? PartState::kCurrent : PartState::kDelta;
}

/// Returns whether the record is new. `stored` is scratch memory.
bool fold_into_stored(UpdatedEntity& entity, std::size_t place, const void* part, std::string& stored,
                      StagedWrites::Write& write) {
  const ShardedPropertyType& property = entity.type->sharded[place];
  const std::uint64_t epoch = entity.head.layouts[place].epoch;
  if (entity.transaction->get(write.key, stored)) {
    encode_folded_shard(write.value, property, part, epoch, write.key, stored);
    return false;
  }
  encode_shard(write.value, property, part, epoch);
  return true;
}

}  // namespace

void fold_of_epoch(const StoredProperty& stored, const PartRecord& record, void* value, PartState* state) {
  const bool counts = fold_shard(stored.property, value, stored.layout.epoch, record.key, record.value);
  if (state) *state = state_of(stored, record.parts, counts);
}

PartState state_of_epoch(const StoredProperty& stored, const PartRecord& record) {
  return state_of(stored, record.parts, read_tail(record.key, record.value).epoch == stored.layout.epoch);
}

bool is_folded_by_store(const Staging& staging) {
  const ShardedPropertyType& property = staging.property();
  return staging.folding == Folding::kInStore && property.to_fold &&
         staging.traits.folds(property.known_fold);
}

bool fold_into_record(Staging& staging, StagedWrites::Write& write, const void* part) {
  if (is_folded_by_store(staging)) {
    if (staging.property().to_fold(part, write.fold)) {
      write.kind = StagedWrites::Write::kFold;
      write.fold.size = encode_tail(write.value, staging.layout().epoch);
      return false;
    }
    staging.entity.transaction->prefetch({&write.key.bytes(), 1});
  }
  return fold_into_stored(staging.entity, staging.place, part, staging.scratch, write);
}

void fold_into_record(UpdatedEntity& entity, std::size_t place, const RecordKey& key, const void* value,
                      StagedWrites& writes) {
  if (entity.type->sharded[place].is_neutral(value)) return;
  StagedWrites::Write& write = writes.put();
  write.key = key;
  std::string stored;
  fold_into_stored(entity, place, value, stored, write);
}

std::size_t take_compactable(const Strategy& strategy, UpdatedEntity& entity, const StoredProperty& property,
                             std::span<const CompactableRecord> records, StagedWrites& writes,
                             const std::function<void(const PartRecord&)>& take) {
  std::string stored;
  std::size_t taken = 0;
  for (const CompactableRecord& record : records) {
    if (!entity.transaction->get(record.key, stored)) continue;
    const PartRecord part{*read_shard_key(entity.key, record.key), record.key, stored};
    if (strategy.state(property, part) == PartState::kCurrent) continue;  // no longer compactable
    take(part);
    writes.erase().key = record.key;
    ++taken;
  }
  return taken;
}

}  // namespace autoshard::detail
