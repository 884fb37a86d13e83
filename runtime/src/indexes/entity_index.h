#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "commit_context.h"
#include "staged_writes.h"

/// The indexes of a class. Their records are defined in runtime/FORMAT.md.
namespace autoshard::detail {

class Failures;

/// What entries are written by.
struct EntryLimits {
  Now now;                  ///< entities that have expired by then have no unique key
  std::size_t longest_key;  ///< of the store; 0: no limit
};

/// What a commit makes of an entity, as far as its indexes ask. Of the members, `main_members` of the class
/// are set, and in a new entity all of them.
struct EntityChange {
  const std::string& key;  ///< of the entity
  const void* before;      ///< the entity as the transaction has read it; null: there is none, or nobody asks
  const void* after;       ///< as it is written; null: it is erased
  bool is_new;             ///< no main record was there
};

/// What an update leaves in its note, see `note_prefix`. A refresh that is about to correct the entry puts a
/// number in its place that nobody else has drawn, which no update leaves there.
inline constexpr std::string_view kNoteOfUpdate = "\xC0";

/// One index of a class. Each kind of index is an implementation of this interface, and nothing but
/// index_kinds.h knows which kinds there are. Thread-safe. Made once for each index; lives as long as the
/// program.
class EntityIndex {
 public:
  virtual ~EntityIndex() = default;
  EntityIndex(const EntityIndex&) = delete;
  EntityIndex& operator=(const EntityIndex&) = delete;

  const EntityType& type() const { return type_; }
  const IndexType& declared() const { return declared_; }
  /// What the keys of its records begin with; by itself the key of the record of its state.
  const std::string& key() const { return key_; }

  // Writing.

  /// The members of main records that its entries follow from.
  virtual std::span<const std::string_view> main_members() const = 0;

  /// Adds what the index writes in the transaction of this change. Throws `NotUnique` or `KeyTooLong`.
  virtual void stage(Transaction& transaction, const EntityChange& change, const EntryLimits& limits,
                     StagedWrites& writes) const = 0;

  /// If updates of the sharded property that is indexed leave a note, in the same commit, that the entry may
  /// be wrong from then on: what the key of the note has in front of the id. Otherwise empty.
  const std::string& note_prefix() const { return note_prefix_; }

  // Building and removing.

  /// Puts what the index has of an entity, where it may be missing. `change.before` is null. An entity that
  /// has expired gets no unique key. Throws `NotUnique` or `KeyTooLong`.
  virtual void restore(Transaction& transaction, const EntityChange& change, bool has_expired,
                       const EntryLimits& limits) const = 0;

  /// Removes this record of the index if no entity has it.
  virtual void clean(Transaction& transaction, const std::string& record_key) const = 0;

  /// Removes the records of the entity that are no entries.
  virtual void erase_notes(Transaction& transaction, std::string_view entity_key) const;

  // Walking.

  /// What the keys of its entries begin with, of each of its shards.
  virtual std::vector<std::string> entry_prefixes() const = 0;

  /// Whether ids follow the values in the keys of entries.
  virtual bool has_ids_in_keys() const { return true; }

  /// How much of what follows the prefix in an entry's key are the values of the index's members.
  std::size_t size_of_values(std::string_view suffix) const;

  /// Of an entry: the key of the entity that it leads to. Throws `CorruptRecord`.
  virtual std::string entity_of(std::string_view entry_key, std::string_view suffix,
                                std::string_view value) const;

  /// Entities whose entries may be missing or wrong in this state of the store, in the order of their keys: a
  /// query has to read them, and to overlook their entries.
  virtual std::vector<std::string> stale_entities(const Snapshot& snapshot) const;

  /// Whether an entity can have several entries, one for each element of the member: a query may only walk
  /// those of one element.
  virtual bool repeats_entities() const { return false; }

  /// Whether a query that asks for all entries is better off with a scan.
  virtual bool is_dear_to_walk() const { return false; }

  /// A line for `explain`, behind what all indexes say.
  virtual std::string explain() const { return {}; }

  // Upkeep.

  /// How often stale entries are to be corrected; none: there are never any.
  virtual std::optional<std::chrono::seconds> refresh_every() const { return std::nullopt; }

  /// Corrects stale entries; returns how many. `failures`: an entity that cannot be refreshed is logged once,
  /// and tried again after pauses; null: it is logged each time. `goes_on`, unless empty, is asked before
  /// each batch.
  virtual std::uint64_t refresh(CommitContext& context, Failures* failures,
                                const std::function<bool()>& goes_on) const;

 protected:
  /// `form`: what else than the declaration makes the entries others; empty for nothing.
  EntityIndex(const EntityType& type, const IndexType& declared, std::string_view form = {});

  /// Throws `KeyTooLong` where the store has no room for an entry's key.
  void check_size(std::string_view entity_key, std::string_view entry_key, const EntryLimits& limits) const;

  /// `main_members` of this entity, as the transaction sees it; null if it is not there, or expired by then.
  std::shared_ptr<void> read_members(Transaction& transaction, const std::string& entity_key, Now now) const;

  std::string note_prefix_;

 private:
  const EntityType& type_;
  const IndexType& declared_;
  const std::string key_;
};

/// The indexes of a class, in the order of their declaration.
struct EntityIndexes {
  std::vector<std::unique_ptr<const EntityIndex>> all;
  std::vector<std::string_view> main_members;  ///< of all of them
};
const EntityIndexes& indexes_of(const EntityType& type);
const EntityIndex& find_index(const EntityType& type, const IndexType& declared);

/// Puts into the transaction that writes the main record what the indexes are to say from then on. `stored`:
/// the main record as the transaction has read it, null without one. `entity`: what is written, null for an
/// erase; of a new one also its sharded properties. Throws `NotUnique` or `KeyTooLong`, before anything is
/// put.
void put_index_records(Transaction& transaction, const EntityType& type, const std::string& key,
                       const std::string* stored, const void* entity, const EntryLimits& limits);

/// Puts the records of an entity in these indexes, where they may be missing, and puts into its main record
/// the members that it does not have, as they are in the entries; throws `NotUnique` or `KeyTooLong`.
void restore_index_records(Transaction& transaction, const EntityType& type, const std::string& key,
                           const std::string& stored, const std::vector<const EntityIndex*>& indexes,
                           const EntryLimits& limits);

}  // namespace autoshard::detail
