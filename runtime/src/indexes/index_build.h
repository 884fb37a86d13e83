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

/// One commit of what `work` puts into a transaction, which is made anew after a conflict.
template <class Work>
void commit_work(CommitContext& context, const EntityType& type, const Work& work) {
  commit_retried(context, "changing the indexes of " + std::string(type.kind), {},
                 [&](Transaction& transaction) {
                   work(transaction);
                   return true;
                 });
}

/// Brings the indexes of a class to hold every entity. Mappers maintain all indexes of the class meanwhile.
/// So an index is complete once the entries are gone that no entity has, and each entity that was there at
/// the beginning has its entries. May be cut short anywhere, and done by several at the same time.
class IndexBuild {
 public:
  IndexBuild(CommitContext& context, const EntityType& type) : context_(context), type_(type) {}

  /// Builds the indexes that are not complete. Returns how many entities it went through. Throws `NotUnique`,
  /// and `IndexNotBuilt` if a program has written meanwhile that does not maintain them.
  std::uint64_t run();

  /// Completes the indexes, unless there are entities meanwhile.
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
  void restore(std::span<const std::string> entities);
  bool end();
  template <class Work>
  void commit(Work work) {
    commit_work(context_, type_, work);
  }
  /// What `work` puts for each key, in one commit if that is possible.
  template <class Work>
  void commit_each(std::span<const std::string> keys, Work work) {
    commit_in_halves(keys, [&](std::span<const std::string> some) {
      commit([&](Transaction& transaction) {
        for (const std::string& key : some) work(transaction, key);
      });
    });
  }

  CommitContext& context_;
  const EntityType& type_;
  std::vector<const EntityIndex*> indexes_;  // that are being built
  std::string generation_;                   // in which they are
};

}  // namespace autoshard::detail
