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

/// The limits for writing entries.
struct EntryLimits {
  Now now;                  ///< entities that have expired by then have no unique key
  std::size_t longest_key;  ///< of the store; 0: no limit
};

/// The change of an entity in a commit. Of its members, `main_members` of the class are set; in a new entity
/// all members are set.
struct EntityChange {
  EntityKeyView key;   ///< of the entity
  const void* before;  ///< as the transaction has read it; null: absent, or not needed
  const void* after;   ///< as written; null: it is erased
  bool is_new;         ///< there was no main record
};

/// One index of a class. Each kind of index is an implementation of this interface. Only index_kinds.h names
/// the implementations. Thread-safe. Made once for each index; lives as long as the program.
class EntityIndex {
 public:
  virtual ~EntityIndex() = default;
  EntityIndex(const EntityIndex&) = delete;
  EntityIndex& operator=(const EntityIndex&) = delete;

  const EntityType& type() const { return type_; }
  const IndexType& declared() const { return declared_; }
  /// The prefix of the keys of the index's records. It is itself the key of the record of the index's state.
  const std::string& key() const { return key_; }

  // Writing.

  /// The members of main records that determine the entries.
  virtual std::span<const std::string_view> main_members() const = 0;

  /// Stages the index's writes for this change. Throws `NotUnique` or `KeyTooLong`.
  virtual void stage(Transaction& transaction, const EntityChange& change, const EntryLimits& limits,
                     StagedWrites& writes) const = 0;

  /// Appends the keys of the records that `note_update` reads.
  virtual void append_update_reads(EntityKeyView entity_key, std::vector<std::string>& keys) const;

  /// Stages the writes that keep queries from relying on the entries of an entity, whose indexed sharded
  /// property the transaction updates. Returns whether it writes a record that other updates of the entity
  /// write as well. `scratch`: memory to use.
  virtual bool note_update(Transaction& transaction, EntityKeyView entity_key, StagedWrites& writes,
                           std::string& scratch) const;

  // Building and removing.

  /// Writes the records of an entity that may be missing. `change.before` is null. An entity that has expired
  /// gets no unique key. Throws `NotUnique` or `KeyTooLong`.
  virtual void restore(Transaction& transaction, const EntityChange& change, bool has_expired,
                       const EntryLimits& limits) const = 0;

  /// Removes this record of the index if it belongs to no entity.
  virtual void clean(Transaction& transaction, std::string_view record_key) const = 0;

  /// Removes the records of an entity that is erased, of whose members nothing is known: all records that are
  /// no entries, and an entry that another commit may move at the same time. Afterwards the caller removes
  /// the entries that it finds in a snapshot.
  virtual void erase_unread(Transaction& transaction, EntityKeyView entity_key) const;

  // Walking.

  /// Returns the prefixes of the keys of its entries, one for each shard of the index.
  virtual std::vector<std::string> entry_prefixes() const = 0;

  /// Returns whether ids follow the values in the keys of entries.
  virtual bool has_ids_in_keys() const { return true; }

  /// Returns the size of the members' values in an entry's key after the prefix.
  std::size_t size_of_values(std::string_view suffix) const;

  /// Returns the key of the entity that an entry leads to. Throws `CorruptRecord`.
  virtual EntityKey entity_of(std::string_view entry_key, std::string_view suffix,
                              std::string_view value) const;

  /// Returns the entities whose entries may be missing or wrong in this state of the store, sorted by their
  /// keys. A query has to read these entities, and to ignore their entries.
  virtual std::vector<EntityKey> dirty_entities(const Snapshot& snapshot) const;

  /// Returns whether an entity can have several entries, one for each element of the member. A query may then
  /// only walk the entries of one element.
  virtual bool repeats_entities() const { return false; }

  /// Returns whether a scan is cheaper than a walk over all entries.
  virtual bool is_dear_to_walk() const { return false; }

  /// Returns a line for `explain`, after the lines that all indexes have.
  virtual std::string explain() const { return {}; }

  // Upkeep.

  /// Returns the interval at which entries of dirty entities have to be corrected; empty if no entity is ever
  /// dirty.
  virtual std::optional<std::chrono::seconds> refresh_every() const { return std::nullopt; }

  /// Corrects the entries of dirty entities and returns their number. With `failures`, an entity that cannot
  /// be refreshed is logged once, and tried again after pauses; if null, each failure is logged. `goes_on`,
  /// unless empty, is called before each batch, and ends the refresh by returning false.
  virtual std::uint64_t refresh(CommitContext& context, Failures* failures,
                                const std::function<bool()>& goes_on) const;

 protected:
  /// `form`: anything else than the declaration that determines the entries; may be empty.
  EntityIndex(const EntityType& type, const IndexType& declared, std::string_view form = {});

  /// Throws `KeyTooLong` if the store has no room for an entry's key. `element`: the part of the key that is
  /// one element of the member; empty if the entry has whole values.
  void check_size(EntityKeyView entity_key, std::string_view entry_key, const EntryLimits& limits,
                  std::string_view element = {}) const;

  /// Returns `main_members` of this entity as the transaction sees it; null if the entity is absent or has
  /// expired by `now`.
  std::shared_ptr<void> read_members(Transaction& transaction, EntityKeyView entity_key, Now now) const;

 private:
  const EntityType& type_;
  const IndexType& declared_;
  const std::string key_;
};

/// The indexes of a class, in the order of their declaration.
struct EntityIndexes {
  std::vector<std::unique_ptr<const EntityIndex>> all;
  std::vector<std::string_view> main_members;  ///< of all indexes
};
const EntityIndexes& indexes_of(const EntityType& type);
/// `declared` is one of the declarations in `type.indexes`.
const EntityIndex& find_index(const EntityType& type, const IndexType& declared);

/// Writes the index records of an entity in the transaction that writes the main record. `stored`: the main
/// record that the transaction has read, or null. `entity`: the entity as written, or null for an erase; a
/// new entity includes its sharded properties. Returns the size of these records. Throws `NotUnique` or
/// `KeyTooLong` before anything is written.
std::size_t put_index_records(Transaction& transaction, const EntityType& type, EntityKeyView key,
                              const std::string* stored, const void* entity, const EntryLimits& limits);

/// Writes the records of an entity in these indexes that may be missing. Adds the members that its main
/// record lacks to the main record, with the values that the entries have. Throws `NotUnique` or
/// `KeyTooLong`.
void restore_index_records(Transaction& transaction, const EntityType& type, EntityKeyView key,
                           const std::string& stored, const std::vector<const EntityIndex*>& indexes,
                           const EntryLimits& limits);

}  // namespace autoshard::detail
