#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "attempts.h"
#include "entity_index.h"
#include "room.h"

namespace autoshard::detail {

/// Commits the writes that `work` adds to a transaction. After a conflict `work` is called again.
template <class Work>
void commit_work(CommitContext& context, const EntityType& type, const Work& work) {
  commit_retried(context, "changing the indexes of " + std::string(type.kind), {},
                 [&](Transaction& transaction) {
                   work(transaction);
                   return true;
                 });
}

/// Completes the indexes of a class. Mappers maintain all indexes of the class meanwhile. So an index is
/// complete once entries without an entity are gone, and each entity that existed at the beginning has its
/// entries. May be interrupted anywhere, and may run several times concurrently.
class IndexBuild {
 public:
  IndexBuild(CommitContext& context, const EntityType& type) : context_(context), type_(type) {}

  /// Builds the indexes that are incomplete. Returns the number of entities visited. Throws `NotUnique`, and
  /// `IndexNotBuilt` if a program that does not maintain the indexes has written meanwhile.
  std::uint64_t run();

  /// Completes the indexes, unless entities exist by then.
  void complete_without_entities();

  /// Makes the indexes incomplete.
  void forget();

  /// Removes the records of indexes that the class does not have.
  void remove_others();

 private:
  using Keys = std::vector<std::string>;

  bool begin();
  void clean(const EntityIndex& index);
  void clean_some(const EntityIndex& index, std::span<const std::string> records);
  std::uint64_t restore_all();
  void restore(std::span<const EntityKey> entities);
  bool end();
  template <class Work>
  void commit(Work work) {
    commit_work(context_, type_, work);
  }
  /// Commits the writes that `work` makes for each key, in one commit if possible.
  template <class Key, class Work>
  void commit_each(std::span<const Key> keys, Work work) {
    commit_in_halves(keys, [&](std::span<const Key> some) {
      commit([&](Transaction& transaction) {
        for (const Key& key : some) work(transaction, key);
      });
    });
  }

  CommitContext& context_;
  const EntityType& type_;
  std::vector<const EntityIndex*> indexes_;  // the indexes that are being built
  std::string generation_;                   // the generation in which they are being built
};

}  // namespace autoshard::detail
