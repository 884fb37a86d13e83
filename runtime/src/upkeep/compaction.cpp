#include "compaction.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "attempts.h"
#include "elements.h"
#include "entity_expiry.h"
#include "escrow.h"
#include "keys.h"
#include "main_record.h"
#include "parts.h"
#include "remains.h"
#include "room.h"
#include "shard_record.h"
#include "updated_entity.h"

namespace autoshard::detail {
namespace {

/// Records in one transaction, at most, so that it meets few others.
constexpr std::size_t kBatch = 256;

/// Whether no update of this version of the class is added to the record any more, and it is no element.
bool is_loose(const EntityType& type, const ShardedPropertyType& property, const Layout& layout,
              const ShardKey& key, std::string_view record_key, std::string_view record) {
  if (property.is_group()) return is_no_element(property, layout, key, record_key, record);
  if (!key.element.empty() || is_beyond(layout, key.shard) || key.property != record_name(type, property))
    return true;
  return read_tail(record_key, record).epoch != layout.epoch;
}

/// Loose records of one entity, of one property after the other.
struct Loose {
  std::size_t place;
  std::string key;
  std::size_t bytes;
  std::string order{};  // of the parts of a set or map
};

class Compaction {
 public:
  Compaction(MapperContext& context, const EntityType& type, const std::string& key,
             const std::function<bool()>& goes_on)
      : context_(context), type_(type), key_(key), goes_on_(goes_on) {}

  /// Goes through the records of one snapshot; what is written meanwhile is left for the next time.
  std::uint64_t run() {
    const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
    const std::unique_ptr<Cursor> cursor = snapshot->scan(key_, end_key(key_));
    const std::string main = main_key(key_);
    if (!cursor->valid() || cursor->key() != main || is_tombstone(cursor->value())) return 0;
    MainHead head;
    read_head(type_, main, cursor->value(), head);
    try {
      if (has_unsharded_group(type_, main, cursor->value()) && !adopt_unsharded()) return removed_;
    } catch (const CommitTooLarge& error) {
      leave(error);
      may_unite_ = false;
    }
    for (cursor->next(); cursor->valid(); cursor->next()) {
      const std::optional<ShardKey> key = read_shard_key(key_, cursor->key());
      const std::optional<std::size_t> place = key ? find_sharded(type_, key->property) : std::nullopt;
      if (!place ||
          !is_loose(type_, type_.sharded[*place], head.layouts[*place], *key, cursor->key(), cursor->value()))
        continue;
      const std::size_t bytes = cursor->key().size() + cursor->value().size();
      if (type_.sharded[*place].is_group() && !type_.sharded[*place].is_sequence) {
        Loose& record = united_.emplace_back(Loose{*place, std::string(cursor->key()), bytes});
        append_fold_order(record.order, type_.sharded[*place], *key, record.key, cursor->value());
      } else if (!add({*place, std::string(cursor->key()), bytes})) {
        return removed_;
      }
    }
    if (!may_unite_ || add_united()) fold_batch();
    return removed_;
  }

  /// Why some records stay as they are; empty: none does.
  const std::string& left() const { return left_; }

 private:
  /// To the batch. False if the entity is gone, or the rest is to be left.
  bool add(Loose record) {
    const bool begins_anew = !room_.is_left() || (!batch_.empty() && batch_.front().place != record.place);
    if (begins_anew && !fold_batch()) return false;
    room_.take(record.bytes);
    batch_.push_back(std::move(record));
    return true;
  }

  /// The parts of sets and maps, in their fold order: what is not adopted yet counts before what is.
  bool add_united() {
    std::stable_sort(united_.begin(), united_.end(), [](const Loose& one, const Loose& other) {
      return std::tie(one.place, one.order) < std::tie(other.place, other.order);
    });
    return std::all_of(united_.begin(), united_.end(), [&](Loose& record) { return add(std::move(record)); });
  }

  /// Commits what becomes of the batch. False if the entity is gone, or the rest is to be left.
  bool fold_batch() {
    if (batch_.empty()) return true;
    if (goes_on_ && !goes_on_()) return false;
    const bool is_there = fold(batch_);
    batch_.clear();
    room_ = Room(context_.store.traits(), kBatch);
    return is_there;
  }

  /// Folds records of one property. One that makes too large a commit stays as it is: it counts in each load.
  /// So does, untried, every other record of the property that is no smaller: what it is to be folded into
  /// may be what is too large. Returns false if the entity is gone, or what follows must not be adopted
  /// before a record that stays.
  bool fold(std::span<const Loose> records) {
    const std::size_t place = records.front().place;
    std::size_t bytes = 0;
    for (const Loose& record : records) bytes += record.bytes;
    if (place != too_large_place_ || bytes < too_large_bytes_) {
      try {
        return commit([&](StagedWrites& writes) { return stage(records, writes); });
      } catch (const CommitTooLarge& error) {
        if (records.size() == 1) {
          leave(error);
          too_large_place_ = place;
          too_large_bytes_ = bytes;
        }
      }
    }
    if (records.size() == 1) return !type_.sharded[place].is_group() || type_.sharded[place].is_sequence;
    return fold(records.first(records.size() / 2)) && fold(records.subspan(records.size() / 2));
  }

  void leave(const CommitTooLarge& error) {
    if (left_.empty()) left_ = error.what();
  }

  /// Makes elements of what the main record has of groups, the first of their parts. False if the entity is
  /// gone, or this is to be left.
  bool adopt_unsharded() {
    if (goes_on_ && !goes_on_()) return false;
    return commit([&](StagedWrites& writes) {
      Adoption adoption(*entity_.transaction, type_, key_, writes);
      bool any_adopted = false;
      for (std::size_t place = 0; place < type_.sharded.size(); ++place) {
        const ShardedPropertyType& property = type_.sharded[place];
        if (!property.is_group() || !adoption.adopt_unsharded(property, entity_.head.layouts[place],
                                                              entity_.main_key, entity_.main_record))
          continue;
        entity_.main_record = without_unsharded(type_, property, entity_.main_key, entity_.main_record);
        any_adopted = true;
      }
      if (!any_adopted) return std::size_t{0};
      StagedWrites::Write& write = writes.put();
      write.key = entity_.main_key;
      write.value = entity_.main_record;
      return std::size_t{0};
    });
  }

  /// What `stage` puts into the transaction, and returns how many records are gone by that; false if the
  /// entity is.
  template <class Stage>
  bool commit(Stage stage) try {
    std::size_t removed = 0;
    commit_retried(context_, "compacting", key_, [&](Transaction& transaction) {
      StagedWrites writes;
      entity_.read(context_.store, ask_clock(context_.options, type_), transaction, type_, key_);
      context_.indexes.note_move(transaction, type_);
      removed = stage(writes);
      writes.write(0, transaction);
      return true;
    });
    removed_ += removed;
    return true;
  } catch (const NotFound&) {
    return false;
  }

  std::size_t stage(std::span<const Loose> records, StagedWrites& writes) {
    const std::size_t place = records.front().place;
    const ShardedPropertyType& property = type_.sharded[place];
    if (property.bounds) {  // whose shards know their share: all together
      Escrow escrow;
      escrow.begin(entity_, place, 0);
      escrow.look_at_all();
      escrow.put(writes);
      return records.size();
    }
    const Layout& layout = entity_.head.layouts[place];
    if (property.is_group()) return stage_elements(records, property, layout, writes);
    const std::string kept = shard_key(key_, property.name, 0);
    ShardValue shard;
    void* value = property.in_shard(shard.make_neutral(type_.shard));
    std::string stored;
    std::size_t removed = 0;
    for (const Loose& record : records) {
      if (!entity_.transaction->get(record.key, stored)) continue;
      const ShardKey key = *read_shard_key(key_, record.key);
      if (!is_loose(type_, property, layout, key, record.key, stored)) continue;  // not any more
      fold_shard(property, value, layout.epoch, record.key, stored);
      writes.erase().key = record.key;
      ++removed;
    }
    if (property.is_neutral(value)) return removed;
    StagedWrites::Write& write = writes.put();
    write.key = kept;
    if (entity_.transaction->get(kept, stored)) {
      encode_folded_shard(write.value, property, value, layout.epoch, kept, stored);
    } else {
      encode_shard(write.value, property, value, layout.epoch);
    }
    return removed;
  }

  std::size_t stage_elements(std::span<const Loose> records, const ShardedPropertyType& property,
                             const Layout& layout, StagedWrites& writes) {
    std::vector<std::pair<const Loose*, std::string>> adopted;
    for (const Loose& record : records) {
      std::string stored;
      if (!entity_.transaction->get(record.key, stored)) continue;
      const ShardKey key = *read_shard_key(key_, record.key);
      if (!is_loose(type_, property, layout, key, record.key, stored)) continue;  // not any more
      writes.erase().key = record.key;
      adopted.emplace_back(&record, std::move(stored));
    }
    // Last, for an element may take the key of one that is erased, of an older epoch.
    Adoption adoption(*entity_.transaction, type_, key_, writes);
    for (const auto& [record, stored] : adopted)
      adoption.adopt(property, layout, *read_shard_key(key_, record->key), record->key, stored);
    return adopted.size();
  }

  MapperContext& context_;
  const EntityType& type_;
  const std::string& key_;
  const std::function<bool()>& goes_on_;
  UpdatedEntity entity_;
  std::vector<Loose> batch_;
  Room room_{context_.store.traits(), kBatch};  // in the batch
  std::vector<Loose> united_;                   // of sets and maps
  bool may_unite_ = true;
  std::uint64_t removed_ = 0;
  std::string left_;
  std::optional<std::size_t> too_large_place_;  // of the property that was folded last
  std::size_t too_large_bytes_ = 0;             // of its smallest record that made a commit too large
};

/// Walks through the entities of a kind, a page of records at a time: no snapshot is held for longer.
class LooseScan {
 public:
  LooseScan(Store& store, const EntityType& type)
      : store_(store), type_(type), from_(kind_key(type.kind)), end_(end_key(from_)) {}

  /// The next one that has loose records, or an erase of which was cut short, as far as a look at each shows.
  std::optional<std::string> next() {
    while (!from_.empty()) {
      if (std::optional<std::string> key = find_in_page()) return key;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kPage = 4096;

  std::optional<std::string> find_in_page() {
    const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
    const std::unique_ptr<Cursor> cursor = snapshot->scan(from_, end_);
    for (std::size_t seen = 0; cursor->valid(); cursor->next()) {
      if (seen++ == kPage) {
        from_ = cursor->key();
        return std::nullopt;
      }
      const std::string_view key = entity_of(cursor->key());
      if (key.empty() || !is_loose(key, *cursor)) continue;
      std::string found(key);
      from_ = end_key(found);
      return found;
    }
    from_.clear();
    return std::nullopt;
  }

  /// A page that begins with shards goes on with the main record of the one before, which may be another by
  /// now: then what is found is looked at once more, or next time.
  bool is_loose(std::string_view key, const Cursor& cursor) {
    if (cursor.key() == main_key(key)) {
      main_ = cursor.key();
      if (is_tombstone(cursor.value())) return true;
      read_head(type_, main_, cursor.value(), head_);
      return has_unsharded_group(type_, main_, cursor.value());
    }
    if (main_ != main_key(key)) return false;
    const std::optional<ShardKey> shard = read_shard_key(key, cursor.key());
    const std::optional<std::size_t> place = shard ? find_sharded(type_, shard->property) : std::nullopt;
    return place && detail::is_loose(type_, type_.sharded[*place], head_.layouts[*place], *shard,
                                     cursor.key(), cursor.value());
  }

  Store& store_;
  const EntityType& type_;
  std::string from_;  // empty: all is seen
  const std::string end_;
  std::string main_;  // the key of the last main record
  MainHead head_;     // and its head
};

}  // namespace

std::uint64_t compact(MapperContext& context, const EntityType& type, const std::string& key,
                      const std::function<bool()>& goes_on, std::string* left) {
  std::uint64_t removed = 0;
  if (is_buried(*context.store.begin(), key)) {
    removed = remove_remains(context, key, goes_on);
  } else {
    Compaction compaction(context, type, key, goes_on);
    removed = compaction.run();
    if (left) *left = compaction.left();
    if (!left && !compaction.left().empty()) context.log(compaction.left());
  }
  if (context.removals.add(key, removed)) context.store.reclaim(key, end_key(key));
  return removed;
}

CompactionResult try_to_compact(MapperContext& context, const EntityType& type, const std::string& key,
                                const std::function<bool()>& goes_on) {
  CompactionResult result;
  const auto fail = [&](const std::string& why) {
    result.failure = describe(key) + " is not compacted: " + why;
  };
  try {
    std::string left;
    result.made_progress = compact(context, type, key, goes_on, &left) > 0;
    if (!left.empty()) fail(left);
  } catch (const StoreUnavailable&) {
    throw;
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {  // out of the application's code
    fail("something that is no std::exception is thrown");
  }
  return result;
}

/// Holds no snapshot while it compacts: what that shows could not be reclaimed.
std::uint64_t compact_kind(MapperContext& context, const EntityType& type) {
  std::uint64_t removed = 0;
  LooseScan scan(context.store, type);
  while (const std::optional<std::string> key = scan.next()) removed += compact(context, type, *key);
  return removed;
}

}  // namespace autoshard::detail
