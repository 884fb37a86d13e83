#include "compaction.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "attempts.h"
#include "check.h"
#include "compactable_scan.h"
#include "entity_expiry.h"
#include "finish_erase.h"
#include "first_failure.h"
#include "keys.h"
#include "main_record.h"
#include "message_of.h"
#include "room.h"
#include "strategies.h"
#include "updated_entity.h"

namespace autoshard::detail {
namespace {

/// The largest number of records in one transaction, so that it meets few conflicts.
constexpr std::size_t kBatch = 256;

/// A compactable record, and the index of its property.
struct Compactable {
  std::size_t place;
  CompactableRecord record;
};

class Compaction {
 public:
  /// `only`: the place of the property to which the records must belong.
  Compaction(MapperContext& context, const EntityType& type, EntityKeyView key, std::function<bool()> goes_on,
             std::optional<std::size_t> only = std::nullopt)
      : context_(context), type_(type), key_(key), goes_on_(std::move(goes_on)), only_(only) {}

  /// Compacts the records of one snapshot; records that are written meanwhile are left for the next time.
  std::uint64_t run() {
    const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
    const std::unique_ptr<Cursor> cursor = snapshot->scan(key_.bytes(), end_key(key_));
    if (!cursor->valid() || !is_main_key(cursor->key(), key_) || is_tombstone(cursor->value())) return 0;
    MainHead head;
    read_head(type_, key_, cursor->value(), head);
    const Now now = ask_clock(context_.options, type_);
    if (has_unsharded_group(type_, key_, cursor->value())) {
      for (std::size_t place = 0; place < type_.sharded.size(); ++place)
        if (is_included(place) && type_.sharded[place].folds_in_order() && !compact_main(place))
          return removed_;
    }
    for (cursor->next(); cursor->valid(); cursor->next()) {
      const std::optional<FoundPart> found = find_part(type_, head, now, key_, *cursor);
      if (!found || !is_included(found->place) || !is_compactable(*found)) continue;
      const auto& [place, property, record] = *found;
      Compactable compactable{place, {RecordKey(record.key), record.key.size() + record.value.size(), {}}};
      strategy_of(property.property).append_order(property, record, compactable.record.order);
      if (!compactable.record.order.empty()) {
        ordered_.push_back(std::move(compactable));
      } else if (!add(std::move(compactable))) {
        return removed_;
      }
    }
    if (add_ordered()) compact_batch();
    return removed_;
  }

  /// Returns why some records stay as they are; null: none does.
  const std::exception_ptr& left() const { return left_; }

 private:
  bool is_included(std::size_t place) const { return !only_ || *only_ == place; }

  /// Adds a record to the batch, whose records belong to one property. Returns false if the entity is gone,
  /// or the rest has to be left.
  bool add(Compactable compactable) {
    if ((!room_.is_left() || (!batch_.empty() && place_ != compactable.place)) && !compact_batch())
      return false;
    AUTOSHARD_CHECK(batch_.empty() || place_ == compactable.place, {"batch", place_},
                    {"record", compactable.place});
    room_.take(compactable.record.bytes);
    place_ = compactable.place;
    batch_.push_back(std::move(compactable.record));
    return true;
  }

  /// Compacts the records that need their order.
  bool add_ordered() {
    std::stable_sort(ordered_.begin(), ordered_.end(), [](const Compactable& one, const Compactable& other) {
      return std::tie(one.place, one.record.order) < std::tie(other.place, other.record.order);
    });
    return std::all_of(ordered_.begin(), ordered_.end(), [&](Compactable& compactable) {
      return stopped_.contains(compactable.place) || add(std::move(compactable));
    });
  }

  /// Commits the compaction of the batch. Returns false if the entity is gone, or the rest has to be left.
  bool compact_batch() {
    if (batch_.empty()) return true;
    if (goes_on_ && !goes_on_()) return false;
    AUTOSHARD_CHECK(place_ < type_.sharded.size(), {"place", place_});
    if (strategy_of(type_.sharded[place_]).uses_store_clock())
      context_.has_buckets.store(true, std::memory_order_relaxed);
    bool is_there = true;
    in_halves(std::span<const CompactableRecord>(batch_), [&](std::span<const CompactableRecord> records) {
      return is_there ? compact(records, is_there) : std::optional<std::uint64_t>(0);
    });
    batch_.clear();
    room_ = Room(context_.store.traits(), kBatch);
    return is_there;
  }

  /// Compacts records of one property. A single record that makes a commit too large, or has an element whose
  /// key is too long for the store, stays as it is; it still counts in each load. If a commit was too large,
  /// every other record of the property that is at least as large stays too, without an attempt: the record
  /// that it would be folded into may be the cause. If the property's records must be compacted in their
  /// order, the next ones stay as well. Sets `is_there` to false if the entity is gone. Returns nothing if
  /// the records do not fit in one commit.
  std::optional<std::uint64_t> compact(std::span<const CompactableRecord> records, bool& is_there) {
    if (!records.front().order.empty() && stopped_.contains(place_)) return 0;
    std::size_t bytes = 0;
    for (const CompactableRecord& record : records) bytes += record.bytes;
    if (place_ == too_large_place_ && bytes >= too_large_bytes_) return std::nullopt;
    try {
      is_there = commit([&](Now now, StagedWrites& writes) {
        return strategy_of(type_.sharded[place_]).compact(entity_, place_, now, records, writes);
      });
      return records.size();
    } catch (const CommitTooLarge&) {
      if (records.size() > 1) return std::nullopt;
      too_large_place_ = place_;
      too_large_bytes_ = bytes;
      leave();
    } catch (const KeyTooLong&) {
      if (records.size() > 1) return std::nullopt;
      leave();
    }
    if (!records.front().order.empty()) stopped_.insert(place_);
    return 0;
  }

  /// Keeps the exception that is being handled, as the reason why some records stay.
  void leave() {
    if (!left_) left_ = std::current_exception();
  }

  /// Compacts the content of the main record for a property whose parts have an order; it is the first of
  /// them. If it has to stay, those of the property's other records that must be compacted in their order
  /// stay, too. Returns false if the entity is gone, or the rest has to be left.
  bool compact_main(std::size_t place) {
    if (goes_on_ && !goes_on_()) return false;
    try {
      return commit([&](Now, StagedWrites& writes) {
        const ShardedPropertyType& property = type_.sharded[place];
        if (!strategy_of(property).compact_main(entity_, place, writes)) return std::size_t{0};
        StagedWrites::Write& write = writes.put();
        write.key = entity_.main_key;
        write.value = without_unsharded(type_, property, key_, entity_.main_record);
        return std::size_t{0};
      });
    } catch (const CommitTooLarge&) {
      leave();
    } catch (const KeyTooLong&) {
      leave();
    }
    stopped_.insert(place);
    return true;
  }

  /// Commits the writes that `stage` stages, if there are any. `stage` returns the number of records that
  /// they remove. Returns false if the entity is gone.
  template <class Stage>
  bool commit(Stage stage) try {
    std::size_t removed = 0;
    commit_retried(context_, "compacting", key_, [&](Transaction& transaction) {
      StagedWrites writes;
      const Now now = ask_clock(context_.options, type_);
      entity_.read(context_.store, now, transaction, type_, key_);
      context_.indexes.note_move(transaction, type_);
      removed = stage(now, writes);
      check_keys(writes);
      AUTOSHARD_CHECK(removed <= writes.size(), {"removed", removed}, {"writes", writes.size()});
      writes.write(0, transaction);
      return writes.size() > 0;
    });
    removed_ += removed;
    return true;
  } catch (const NotFound&) {
    return false;
  }

  /// An earlier version of the class may have left what needs longer keys in this version: a collection that
  /// has become a group, or a property with a longer name.
  void check_keys(const StagedWrites& writes) const {
    const std::size_t longest = writes.longest_key(0), allowed = context_.store.traits().longest_key;
    if (allowed == 0 || longest <= allowed) return;
    throw KeyTooLong(
        "a record of " + describe(key_) + " would need a key of " + std::to_string(longest) +
        " bytes, and the store allows " + std::to_string(allowed) +
        ": the older record stays and still counts; use shorter elements, or a shorter name of the property");
  }

  MapperContext& context_;
  const EntityType& type_;
  const EntityKeyView key_;
  const std::function<bool()> goes_on_;
  const std::optional<std::size_t> only_;
  UpdatedEntity entity_;
  std::vector<CompactableRecord> batch_;
  std::size_t place_ = 0;                       // of the property in the batch
  Room room_{context_.store.traits(), kBatch};  // in the batch
  std::vector<Compactable> ordered_;            // the records that must be compacted in their order
  std::set<std::size_t> stopped_;               // the properties whose ordered records must stay
  std::uint64_t removed_ = 0;
  std::exception_ptr left_;
  std::optional<std::size_t> too_large_place_;  // of the property that was folded last
  std::size_t too_large_bytes_ = 0;             // of its smallest record that made a commit too large
};

/// Returns a sentence for the log.
std::string not_compacted(EntityKeyView key, const std::exception_ptr& why) {
  return describe(key) + " is not compacted: " + message_of(why);
}

}  // namespace

std::uint64_t compact(MapperContext& context, const EntityType& type, EntityKeyView key,
                      const std::function<bool()>& goes_on, std::exception_ptr* left) {
  if (has_tombstone(*context.store.begin(), key)) return finish_erase(context, key, goes_on);
  Compaction compaction(context, type, key, goes_on);
  const std::uint64_t removed = compaction.run();
  context.counters.compactions.add();
  context.counters.compacted_records.add(removed);
  if (left) {
    *left = compaction.left();
  } else if (compaction.left()) {
    context.log(not_compacted(key, compaction.left()));
  }
  return removed;
}

std::exception_ptr compact_property(MapperContext& context, const EntityType& type, EntityKeyView key,
                                    std::size_t place) {
  Compaction compaction(context, type, key, {}, place);
  compaction.run();
  return compaction.left();
}

CompactionResult try_to_compact(MapperContext& context, const EntityType& type, EntityKeyView key,
                                const std::function<bool()>& goes_on) {
  CompactionResult result;
  std::exception_ptr failure;
  try {
    result.made_progress = compact(context, type, key, goes_on, &failure) > 0;
  } catch (const StoreUnavailable&) {
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) result.failure = not_compacted(key, failure);
  return result;
}

/// Holds no snapshot while it compacts: the records that a snapshot shows could not be reclaimed.
std::uint64_t compact_kind(MapperContext& context, const EntityType& type) {
  std::uint64_t removed = 0;
  FirstFailure failure;
  CompactableScan scan(context.store, type, ask_clock(context.options, type));
  while (!scan.is_at_end()) {
    if (const std::optional<EntityKey> key = scan.next_in_page())
      failure.run([&] { removed += compact(context, type, *key); });
  }
  failure.rethrow();
  return removed;
}

}  // namespace autoshard::detail
