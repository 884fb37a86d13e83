#include <autoshard/errors.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "part_records.h"
#include "shard_record.h"
#include "shard_value.h"
#include "store_clock.h"
#include "strategies.h"

namespace autoshard::detail {
namespace {

/// The time in milliseconds for which compaction leaves a void bucket alone. The clock of a program that
/// reads the bucket may be behind the clock of the program that compacts.
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

Now before(Now now, std::int64_t span) { return {std::max(now.milliseconds, span) - span}; }

Now before_grace(Now now) { return before(now, kGrace); }

/// Returns `now` minus the time by which an end must have come. A load does not read the clock of the store.
/// The end was set when the grace was over, and the clock of the store may lag behind by a step.
Now before_end(const WindowSize& window, Now now) {
  return before(now, kGrace + window.last + 2 * StoreClock::kLongestStep.count());
}

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
    const WindowSize& window = stored.property.window;
    if (!is_in_place(stored, record)) return PartState::kCompactable;
    const std::int64_t begin = *read_bucket(record.parts);
    if (counts(window, begin, before_grace(stored.now))) return PartState::kCurrent;
    const bool waits = counts(window, begin, before_end(window, stored.now)) &&
                       read_bucket_end(record.key, record.value).has_value();
    return waits ? PartState::kCurrent : PartState::kCompactable;
  }

  /// Folds the records of today's epoch that are not in their place into the bucket of their time in the
  /// first shard. Removes buckets whose ends have come, and gives other buckets that count no more an end.
  ///
  /// A clock that is fast must not remove buckets that count for other clocks. So a bucket ends by the clock
  /// of the store, when at least the span of the window has passed since its last update: an update writes
  /// the record without the end.
  std::size_t compact(UpdatedEntity& entity, std::size_t place, Now now,
                      std::span<const CompactableRecord> records, StagedWrites& writes) const override {
    const ShardedPropertyType& property = entity.type->sharded[place];
    const StoredProperty property_now{*entity.type, property, entity.head.layouts[place], now};
    std::map<std::int64_t, ShardValue> moved;  // by bucket
    std::vector<VoidBucket> void_buckets;
    std::string stored;
    std::size_t removed = 0;
    for (const CompactableRecord& record : records) {
      if (!entity.transaction->get(record.key, stored)) continue;
      const PartRecord part{*read_shard_key(entity.key, record.key), record.key, stored};
      if (state(property_now, part) == PartState::kCurrent) continue;  // no longer compactable
      if (is_in_place(property_now, part)) {
        void_buckets.push_back({&record.key, *read_bucket(part.parts), stored});
        continue;
      }
      if (const std::optional<std::int64_t> begin = read_bucket(part.parts)) {
        const auto [value, is_new] = moved.try_emplace(*begin);
        if (is_new) value->second.make_neutral(entity.type->shard);
        fold_shard(property, property.in_shard(value->second.get()), property_now.layout.epoch, part.key,
                   part.value);
      }
      writes.erase().key = record.key;
      ++removed;
    }
    // This commit writes the buckets that receive moved parts, without an end.
    std::erase_if(void_buckets, [&](const VoidBucket& bucket) { return moved.contains(bucket.begin); });
    if (!void_buckets.empty()) removed += end_buckets(entity, property.window, void_buckets, writes);
    for (auto& [begin, value] : moved) {
      RecordKey key;
      key.set_bucket(entity.key, property.name, 0, begin);
      fold_into_record(entity, place, key, property.in_shard(value.get()), writes);
    }
    return removed;
  }

  bool uses_store_clock() const override { return true; }

  bool may_leave_large_records() const override { return false; }

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

  /// A bucket that left the window more than `kGrace` ago, by the clock of this machine.
  struct VoidBucket {
    const RecordKey* key;
    std::int64_t begin;
    std::string record;
  };

  /// Returns the number of buckets removed.
  static std::size_t end_buckets(UpdatedEntity& entity, const WindowSize& window,
                                 std::span<const VoidBucket> buckets, StagedWrites& writes) {
    const std::optional<std::uint64_t> read = StoreClock::read(*entity.transaction);
    const std::uint64_t time = read.value_or(0);
    if (!read) {
      StagedWrites::Write& write = writes.put();
      write.key = store_clock_key();
      StoreClock::encode(write.value, 0);
    }
    std::size_t removed = 0;
    for (const VoidBucket& bucket : buckets) {
      const std::optional<std::uint64_t> end = read_bucket_end(*bucket.key, bucket.record);
      if (end && *end > time) continue;
      if (end) {
        writes.erase().key = *bucket.key;
        ++removed;
        continue;
      }
      StagedWrites::Write& write = writes.put();
      write.key = *bucket.key;
      encode_bucket_end(write.value, *bucket.key, bucket.record,
                        StoreClock::end(time, std::chrono::milliseconds(window.last)));
    }
    return removed;
  }

  /// Returns whether the record is where updates of its time would write it, and not of another epoch.
  static bool is_in_place(const StoredProperty& stored, const PartRecord& record) {
    return read_bucket(record.parts) && record.parts.property == stored.property.name &&
           !is_beyond(stored.layout, record.parts.shard) &&
           read_tail(record.key, record.value).epoch == stored.layout.epoch;
  }
};

constexpr WindowStrategy kWindowStrategy;

}  // namespace

const Strategy& window_strategy() { return kWindowStrategy; }

}  // namespace autoshard::detail
