#pragma once

#include <autoshard/mapper.h>
#include <autoshard/store.h>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "attempts.h"
#include "platform.h"

namespace autoshard::detail {

/// Whether the index has an entry for each entity in this state of the store; a rollup, a right one for each
/// that is not dirty.
bool is_complete(const Snapshot& snapshot, const EntityType& type, const IndexType& index);

/// Brings indexes to hold every entity. Whoever writes entities maintains all indexes of their class at any
/// time, so an index is complete from the instant on at which each entity that was there before the class
/// had it has been given its entry. A record of its state says so (runtime/FORMAT.md). Thread-safe.
class IndexStates {
 public:
  IndexStates(Store& store, const MapperOptions& options, Notes& notes, Writers& writers)
      : store_(store), options_(options), notes_(notes), writers_(writers) {}

  /// To be called before an entity is created: while there are none, every index is complete.
  void note_creation(const EntityType& type);

  /// Gives every entity its entries in the indexes that are not complete, and removes those of indexes that
  /// the class does not have. Batch by batch; may be cut short anywhere, and done by several at the same
  /// time. Returns how many entities have been gone through. Throws `NotUnique`.
  std::uint64_t build(const EntityType& type);

 private:
  using Keys = std::vector<std::string>;

  void remove_others(const EntityType& type);
  bool begin(const EntityType& type, const IndexType& index);
  void end(const EntityType& type, const std::vector<const IndexType*>& indexes);
  void restore(const EntityType& type, const std::vector<const IndexType*>& indexes,
               std::span<const std::string> entities);
  template <class Work>
  void commit(const EntityType& type, Work work);

  Store& store_;
  const MapperOptions& options_;
  Notes& notes_;
  Writers& writers_;
  platform::Mutex mutex_;
  std::set<const EntityType*> noted_;  // whose first creation here has been seen
};

}  // namespace autoshard::detail
