#pragma once

#include <autoshard/options.h>
#include <autoshard/store.h>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "attempts.h"
#include "entity_index.h"
#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// Makes indexes incomplete that a writer does not maintain. A mapper maintains the indexes of its class. A
/// program with another version of the class may have other indexes in the same store. Before a mapper
/// writes, it removes the records of their states. Queries do not use these indexes until they are built
/// again.
///
/// Each transaction that creates, saves or erases an entity reads the *generation* of the kind's indexes, and
/// validates it. A transaction that updates sharded properties does so too, if several processes can write
/// the store. A new index changes the generation. So every mapper notices a new index, however long the
/// mapper has been running. Thread-safe.
class IndexStates {
 public:
  explicit IndexStates(CommitContext& context)
      : context_(context), others_write_(context.store.traits().many_writing_processes) {}

  /// Must be called for each transaction that creates, saves or erases an entity. Also completes the indexes
  /// of the class while there are no entities, so that they need no build. Returns false if the transaction
  /// may conflict because the indexes have changed.
  bool note_write(Transaction& transaction, const EntityType& type);

  /// Writes the index records in a transaction that writes the main record of an entity: `note_write`, then
  /// `put_index_records`, which explains the arguments and the result.
  std::size_t put(Transaction& transaction, const EntityType& type, EntityKeyView key,
                  const std::string* stored, const void* entity, const EntryLimits& limits);

  /// Must be called before each update of sharded properties. Only the first update of a class looks for
  /// indexes that the class does not have, and only if no other process can add one later.
  void note_update(const EntityType& type);

  /// Must be called for each transaction that may move values from records under one name of a property to
  /// records under another name. A program that does not know both names then reads another value.
  void note_move(Transaction& transaction, const EntityType& type);

  /// Returns whether `note_write` must also be called for each transaction that updates sharded properties.
  bool are_read_by_updates() const { return others_write_; }

 private:
  std::optional<std::string> prepared(const EntityType& type);
  std::string prepare(const EntityType& type);
  std::string give_up_others(const EntityType& type);

  CommitContext& context_;
  const bool others_write_;  // other processes, with other versions of the class
  Mutex mutex_;
  /// The generation of the indexes for which the writes of a class are prepared.
  std::map<const EntityType*, std::string> prepared_ AUTOSHARD_GUARDED_BY(mutex_);
  std::set<const EntityType*> updated_ AUTOSHARD_GUARDED_BY(mutex_);  // classes with a noted first update
  // A part of `updated_` that is readable without the mutex.
  std::array<platform::Atomic<const EntityType*>, 64> recently_updated_{};
};

}  // namespace autoshard::detail
