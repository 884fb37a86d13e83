#include <autoshard/errors.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "part_records.h"
#include "shard_record.h"
#include "shard_value.h"
#include "strategies.h"

namespace autoshard::detail {
namespace {

/// The time in milliseconds for which a void bucket is kept. The clock of a program that reads the bucket may
/// be behind the clock of the program that removes it.
constexpr std::int64_t kGrace = 60'000;

/// Returns when the bucket of an instant begins. All times before 1970 belong to one bucket, at 0.
std::int64_t bucket_at(const WindowSize& window, Now now) {
  const std::int64_t time = std::max(now.milliseconds, std::int64_t{0});
  return time - time % window.bucket;
}

/// Returns when the oldest bucket that counts begins.
std::int64_t first_bucket(const WindowSize& window, Now now) {
  return bucket_at(window, now) - window.last + window.bucket;
}

/// Returns whether the bucket that begins at `begin` counts. A bucket in the future counts: its writer has a
/// fast clock.
bool counts(const WindowSize& window, std::int64_t begin, Now now) {
  return begin >= first_bucket(window, now);
}

Now before_grace(Now now) { return {std::max(now.milliseconds, kGrace) - kGrace}; }

class WindowStrategy final : public Strategy {
 public:
  constexpr WindowStrategy() = default;

  void put_first(const EntityType&, const ShardedPropertyType& property, EntityKeyView entity_key,
                 const void* value, Now now, StagedWrites& writes) const override {
    if (property.is_neutral(value)) return;
    StagedWrites::Write& write = writes.put();
    write.key.set_bucket(entity_key, property.name, 0, bucket_at(property.window, now));
    encode_shard(write.value, property, value, 0);
  }

  void append_reads(const Staging& staging, std::vector<std::string>& keys) const override {
    if (is_folded_by_store(staging)) return;
    RecordKey key;
    set_key(staging, key);
    keys.push_back(std::move(key).bytes());
  }

  /// An update that may begin a bucket has the entity compacted: meanwhile an old bucket has become void.
  bool stage(Staging& staging, const void* part) const override {
    StagedWrites::Write& write = staging.writes.put();
    set_key(staging, write.key);
    return fold_into_record(staging, write, part);
  }

  bool replace(Staging& staging, const void* value) const override {
    Layout layout = staging.layout();
    ++layout.epoch;
    staging.entity.set_layout(staging.place, layout, staging.writes);
    StagedWrites::Write& write = staging.writes.put();
    set_key(staging, write.key);
    encode_shard(write.value, staging.property(), value, layout.epoch);
    return true;
  }

  void fold(const StoredProperty& stored, const PartRecord& record, void* value,
            PartState* state) const override {
    const std::optional<std::int64_t> begin = read_bucket(record.parts);
    if (begin && counts(stored.property.window, *begin, stored.now))
      fold_shard(stored.property, value, stored.layout.epoch, record.key, record.value);
    if (state) *state = this->state(stored, record);
  }

  PartState state(const StoredProperty& stored, const PartRecord& record) const override {
    const std::optional<std::int64_t> begin = read_bucket(record.parts);
    const bool is_kept = begin && is_in_place(stored, record.parts) &&
                         counts(stored.property.window, *begin, before_grace(stored.now)) &&
                         read_tail(record.key, record.value).epoch == stored.layout.epoch;
    return is_kept ? PartState::kCurrent : PartState::kCompactable;
  }

  /// Folds the records that still count, for some clock, into the bucket of their time in the first shard.
  std::size_t compact(UpdatedEntity& entity, std::size_t place, Now now,
                      std::span<const CompactableRecord> records, StagedWrites& writes) const override {
    const ShardedPropertyType& property = entity.type->sharded[place];
    const StoredProperty property_now{*entity.type, property, entity.head.layouts[place], now};
    const StoredProperty kept{*entity.type, property, entity.head.layouts[place], before_grace(now)};
    std::map<std::int64_t, ShardValue> values;  // by bucket
    const auto take = [&](const PartRecord& part) {
      const std::optional<std::int64_t> begin = read_bucket(part.parts);
      if (!begin) return;
      const auto [value, is_new] = values.try_emplace(*begin);
      if (is_new) value->second.make_neutral(entity.type->shard);
      fold(kept, part, property.in_shard(value->second.get()), nullptr);
    };
    const std::size_t removed = take_compactable(*this, entity, property_now, records, writes, take);
    for (auto& [begin, value] : values) {
      RecordKey key;
      key.set_bucket(entity.key, property.name, 0, begin);
      fold_into_record(entity, place, key, property.in_shard(value.get()), writes);
    }
    return removed;
  }

  void check_shards(const ShardedPropertyType& property, std::uint32_t shards) const override {
    Strategy::check_shards(property, shards);
    if (shards == 0) {
      throw InvalidUse("set_shards: " + std::string(property.name) +
                       " is a window, which has no dynamic sharding: choose at least 1 shard");
    }
  }

 private:
  static void set_key(const Staging& staging, RecordKey& key) {
    const ShardedPropertyType& property = staging.property();
    key.set_bucket(staging.entity.key, property.name, staging.affinity.pick(staging.layout().numbered()),
                   bucket_at(property.window, staging.now));
  }

  static bool is_in_place(const StoredProperty& stored, const ShardKey& key) {
    return key.property == stored.property.name && !is_beyond(stored.layout, key.shard);
  }
};

constexpr WindowStrategy kWindowStrategy;

}  // namespace

const Strategy& window_strategy() { return kWindowStrategy; }

}  // namespace autoshard::detail
