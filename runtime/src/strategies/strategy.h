#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keys.h"
#include "layout.h"
#include "shard_affinity.h"
#include "staged_writes.h"
#include "updated_entity.h"

namespace autoshard::detail {

/// A property of a stored entity, and the instant at which it is read.
struct StoredProperty {
  const EntityType& type;
  const ShardedPropertyType& property;
  const Layout& layout;
  Now now;
};

/// A record of a property: a shard, a delta, an element or a bucket.
struct PartRecord {
  ShardKey parts;  ///< of `key`
  std::string_view key, value;
};

/// The state of a record for programs with the present version of the class.
enum class PartState : std::uint8_t {
  kCurrent,  ///< updates go to it, or it has to stay for another reason
  /// The record counts. Compaction folds it into another record, which is worthwhile if there are many.
  kDelta,
  kCompactable,  ///< compaction folds it into another record, or removes it
};

/// Where an update is folded into the record that it belongs to.
enum class Folding : std::uint8_t {
  kInStore,        ///< in the store if it can, otherwise in the transaction
  kInTransaction,  ///< after the transaction has read the record
  kNowhere,        ///< a delta takes the update, if the strategy has deltas: the shard is too large
};

/// The place where the update of one property is staged. `now`: the instant of the update.
struct Staging {
  UpdatedEntity& entity;
  std::size_t place;  ///< of the property
  Now now;
  const ShardAffinity& affinity;
  Folding folding;
  const StoreTraits& traits;
  bool& would_shrink;  ///< set if `kNowhere` would write less
  StagedWrites& writes;
  std::string& scratch;

  const ShardedPropertyType& property() const { return entity.type->sharded[place]; }
  const Layout& layout() const { return entity.head.layouts[place]; }
};

/// A record that compaction has found to be compactable.
struct CompactableRecord {
  RecordKey key;
  std::size_t bytes;  ///< of the key and the value
  std::string order;  ///< see `Strategy::append_order`
};

/// How the value of a sharded property is kept in records: which records an update writes, how records are
/// folded when an entity is read, and how compaction and a resize change them. Each way to shard a value is
/// an implementation of this interface. Only strategies.h names the implementations.
///
/// Stateless and thread-safe. A *part* is a value of the property's type: one update, or several folded
/// updates.
class Strategy {
 public:
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  // Writing.

  /// Throws `BoundExceeded` if no new entity may have the value.
  virtual void check_first(const ShardedPropertyType& property, EntityKeyView entity_key,
                           const void* value) const;

  /// Stages the records of the value of a new entity.
  virtual void put_first(const EntityType& type, const ShardedPropertyType& property,
                         EntityKeyView entity_key, const void* value, Now now,
                         StagedWrites& writes) const = 0;

  /// Appends the keys of the records that `stage` may read. A store that prefetches reads them in one round
  /// trip. A strategy that reads other keys has to prefetch those itself.
  virtual void append_reads(const Staging& staging, std::vector<std::string>& keys) const = 0;

  /// Stages a part that is not neutral. Returns whether it leaves records for compaction. Not called if
  /// `ShardedPropertyType::admits_updates`: then `Admission` stages the admitted updates.
  virtual bool stage(Staging& staging, const void* part) const = 0;

  /// Stages a value that replaces the whole value. The epoch of the layout increases, which voids all
  /// existing records and those that concurrent updates are about to write. Returns as `stage` does; a load
  /// notices deltas that have become void.
  virtual bool replace(Staging& staging, const void* value) const;

  /// Returns whether an update of a record that is too large for a commit becomes a record of its own.
  virtual bool may_leave_large_records() const { return true; }

  // Reading.

  /// Folds a record into the value, unless the record is void. Sets `state`, unless it is null.
  virtual void fold(const StoredProperty& stored, const PartRecord& record, void* value,
                    PartState* state) const = 0;

  /// Returns the state that `fold` sets.
  virtual PartState state(const StoredProperty& stored, const PartRecord& record) const = 0;

  /// Appends the position of a record in the order in which records are folded. Positions compare as bytes.
  /// Only called if `ShardedPropertyType::folds_in_order`.
  virtual void append_fold_order(const StoredProperty& stored, const PartRecord& record,
                                 std::string& order) const;
  /// As `append_fold_order`, for the content that a class without the sharding left in the main record.
  virtual void append_main_order(const ShardedPropertyType& property, std::string& order) const;

  // Compaction.

  /// Appends the position of a compactable record among the records that must be compacted in order. Appends
  /// nothing if the order does not matter.
  virtual void append_order(const StoredProperty& stored, const PartRecord& record, std::string& order) const;

  /// Stages the compaction of compactable records, in their order. Some of them may no longer be compactable
  /// in this transaction. Returns the number of records removed.
  virtual std::size_t compact(UpdatedEntity& entity, std::size_t place, Now now,
                              std::span<const CompactableRecord> records, StagedWrites& writes) const = 0;

  /// Stages records for the content that a class without the sharding left in the main record. Returns
  /// whether there is such content; the caller then removes it from the main record. Only called if
  /// `ShardedPropertyType::folds_in_order`: the content of other properties counts in the main record.
  virtual bool compact_main(UpdatedEntity& entity, std::size_t place, StagedWrites& writes) const;

  /// Returns whether compaction gives records an end by the clock of the store, which then has to advance.
  virtual bool uses_store_clock() const { return false; }

  // Resizing.

  /// Throws `InvalidUse` if the property cannot have this many shards. 0: each update is a record of its own.
  virtual void check_shards(const ShardedPropertyType& property, std::uint32_t shards) const;

  /// Stages the immediate changes for another number of shards, which the entity's layout already has. The
  /// remaining records are compactable from then on.
  virtual void resize(UpdatedEntity& entity, std::size_t place, StagedWrites& writes) const;

 protected:
  constexpr Strategy() = default;
  ~Strategy() = default;
};

}  // namespace autoshard::detail
