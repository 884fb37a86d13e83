#pragma once

#include <autoshard/mapper.h>
#include <autoshard/store.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "attempts.h"
#include "lane.h"
#include "request.h"
#include "shard_value.h"

namespace autoshard::detail {

/// Commits updates to shards: those of one entity folded into one record a property, those of all entities in
/// one transaction. For one thread at a time.
class ShardWriter {
 public:
  /// What is passed must outlive it.
  ShardWriter(Store& store, const MapperOptions& options, Statistics& statistics, LaneNumber& lane)
      : store_(store), options_(options), statistics_(statistics), lane_(options.choice, lane) {}

  /// Makes one attempt to commit them; each has a result then. Changes the order of the requests.
  ///
  /// Each fares as it would alone. One that fails (there is no such entity, a fold throws, a record is
  /// corrupt) leaves the others alone. A conflict is that of one entity: the updates are halved until it has
  /// a transaction of its own. Only what befalls the store befalls all.
  void commit(std::span<Request*> requests) noexcept;

 private:
  using Group = std::span<Request* const>;  // updates of one entity

  struct Record {
    std::string key, value;
  };

  void commit_groups(std::span<const Group> groups);
  void put(Transaction& transaction, Group group);
  void put_folded(Transaction& transaction, Group group);
  void* fold(Group group);
  CommitOutcome commit(Transaction& transaction);
  Record& next_record();

  Store& store_;
  const MapperOptions& options_;
  Statistics& statistics_;
  Lane lane_;

  // Kept for their memory.
  std::vector<Group> groups_;
  ShardValue folded_;
  std::string main_key_, main_record_, stored_;
  std::vector<Record> records_;
  std::size_t records_used_ = 0;
};

}  // namespace autoshard::detail
