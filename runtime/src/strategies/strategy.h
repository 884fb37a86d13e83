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
#include "lane.h"
#include "layout.h"
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

/// What a record is to the programs of this version of the class.
enum class PartState : std::uint8_t {
  kCurrent,  ///< updates go to it, or it is to stay for another reason
  kDelta,    ///< it counts; compaction folds it into another record, which pays where there are many
  kLoose,    ///< compaction folds it into another record, or removes it
};

/// Where the update of one property is staged. `now`: the instant of the update.
struct Staging {
  UpdatedEntity& entity;
  std::size_t place;  ///< of the property
  Now now;
  const Lane& lane;
  const StoreTraits* folds;  ///< of a store that is to fold what it can; null: the store is not to fold
  StagedWrites& writes;
  std::string& scratch;

  const ShardedPropertyType& property() const { return entity.type->sharded[place]; }
  const Layout& layout() const { return entity.head.layouts[place]; }
};

/// A record that compaction has found loose.
struct LooseRecord {
  std::string key;
  std::size_t bytes;  ///< of the key and the value
  std::string order;  ///< see `Strategy::append_order`
};

/// How the value of a sharded property lies in records: which records an update writes, how they are folded
/// when an entity is read, what compaction and a resize make of them. Each way to shard a value is an
/// implementation of this interface, and nothing but strategies.h knows which ways there are.
///
/// Stateless and thread-safe. A *part* is a value of the property's type: one update, or several that are
/// folded.
class Strategy {
 public:
  Strategy(const Strategy&) = delete;
  Strategy& operator=(const Strategy&) = delete;

  // Writing.

  /// Stages the records of the value of a new entity. Throws `BoundExceeded`.
  virtual void put_first(const EntityType& type, const ShardedPropertyType& property,
                         std::string_view entity_key, const void* value, Now now,
                         StagedWrites& writes) const = 0;

  /// Appends the keys of the records that `stage` may read. A store that prefetches reads these in one round
  /// trip. Of other keys, a strategy has to prefetch what it reads itself.
  virtual void append_reads(const Staging& staging, std::vector<std::string>& keys) const = 0;

  /// Stages a part that is no neutral one. Returns whether it leaves something to compaction. Not called
  /// where `ShardedPropertyType::admits_updates`: there `Admission` stages what it has admitted.
  virtual bool stage(Staging& staging, const void* part) const = 0;

  /// Stages a value that replaces the whole one: the epoch of the layout goes up, which voids all records
  /// that are there, and those that others are about to write. Returns as `stage` does.
  virtual bool replace(Staging& staging, const void* value) const;

  // Reading.

  /// Folds a record into the value, unless it is void.
  virtual PartState fold(const StoredProperty& stored, const PartRecord& record, void* value) const = 0;

  /// What `fold` returns, without the value.
  virtual PartState state(const StoredProperty& stored, const PartRecord& record) const = 0;

  // Compaction.

  /// Appends the place of a loose record among those that must be compacted in their order; nothing where any
  /// order will do.
  virtual void append_order(const StoredProperty& stored, const PartRecord& record, std::string& order) const;

  /// Stages what becomes of loose records, in their order. Some may not be loose any more in this
  /// transaction. Returns how many records it removes.
  virtual std::size_t compact(UpdatedEntity& entity, std::size_t place, Now now,
                              std::span<const LooseRecord> records, StagedWrites& writes) const = 0;

  /// Stages records of what a class without the sharding left in the main record. Returns whether it left
  /// anything, which the caller takes out of the main record. Only called where
  /// `ShardedPropertyType::folds_in_order`: other values are counted where they are.
  virtual bool compact_main(UpdatedEntity& entity, std::size_t place, StagedWrites& writes) const;

  // Resizing.

  /// Throws `InvalidUse` if the property cannot have so many shards. 0: each update is a record of its own.
  virtual void check_shards(const ShardedPropertyType& property, std::uint32_t shards) const;

  /// Stages what another number of shards, which the entity's layout has already, changes at once. What it
  /// leaves is loose from then on.
  virtual void resize(UpdatedEntity& entity, std::size_t place, StagedWrites& writes) const;

 protected:
  constexpr Strategy() = default;
  ~Strategy() = default;
};

}  // namespace autoshard::detail
