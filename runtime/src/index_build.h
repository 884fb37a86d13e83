#pragma once

#include <autoshard/errors.h>
#include <autoshard/mapper.h>
#include <autoshard/store.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "attempts.h"

namespace autoshard::detail {

/// Whether there are entities of the kind, also some that have expired.
bool has_entities(const Snapshot& snapshot, const EntityType& type);

/// One commit of what `work` puts into a transaction, which is made anew after a conflict.
template <class Work>
void commit_work(Store& store, const MapperOptions& options, Notes& notes, Writers& writers,
                 const EntityType& type, Work work) {
  const std::string doing = "changing the indexes of " + std::string(type.kind);
  for (Attempts attempts(options, notes, doing, {});;) {
    const std::unique_ptr<Transaction> transaction = store.begin();
    work(*transaction);
    if (attempts.commit(writers, *transaction)) return;
  }
}

/// Brings the indexes of a class to hold every entity. Mappers maintain all indexes of the class meanwhile.
/// So an index is complete once the entries are gone that no entity has, and each entity that was there at
/// the beginning has its entries. May be cut short anywhere, and done by several at the same time.
class IndexBuild {
 public:
  IndexBuild(Store& store, const MapperOptions& options, Notes& notes, Writers& writers,
             const EntityType& type)
      : store_(store), options_(options), notes_(notes), writers_(writers), type_(type) {}

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
  void clean(const IndexType& index);
  void clean_some(const IndexType& index, std::span<const std::string> records);
  std::uint64_t restore_all();
  void restore(std::span<const std::string> entities);
  bool end();
  template <class Work>
  void commit(Work work) {
    commit_work(store_, options_, notes_, writers_, type_, work);
  }
  /// One commit of what `work` puts for each key. One that many write, or that takes much room, is no reason
  /// to give up the others.
  template <class Work>
  void commit_each(std::span<const std::string> keys, Work work) {
    try {
      return commit([&](Transaction& transaction) {
        for (const std::string& key : keys) work(transaction, key);
      });
    } catch (const Contention&) {
      if (keys.size() == 1) throw;
    } catch (const CommitTooLarge&) {
      if (keys.size() == 1) throw;
    }
    commit_each(keys.first(keys.size() / 2), work);
    commit_each(keys.subspan(keys.size() / 2), work);
  }

  Store& store_;
  const MapperOptions& options_;
  Notes& notes_;
  Writers& writers_;
  const EntityType& type_;
  std::vector<const IndexType*> indexes_;  // that are being built
  std::string generation_;                 // in which they are
};

}  // namespace autoshard::detail
