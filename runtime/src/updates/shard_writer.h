#pragma once

#include <autoshard/options.h>
#include <autoshard/store.h>

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "admission.h"
#include "attempts.h"
#include "context.h"
#include "layout.h"
#include "request.h"
#include "shard_affinity.h"
#include "shard_value.h"
#include "strategy.h"
#include "updated_entity.h"
#include "window.h"

namespace autoshard::detail {

/// Commits updates to shards. Folds the updates of one entity, into one record for each property, and commits
/// the updates of all entities in one transaction. Used by one thread at a time.
class ShardWriter {
 public:
  /// The arguments must outlive the writer.
  ShardWriter(MapperContext& context, AffinityNumber& affinity)
      : context_(context), traits_(context.store.traits()), affinity_(context.options.choice, affinity) {}

  /// Makes one attempt to commit the requests; afterwards each has a result. The requests are in order of
  /// arrival, in which the updates of one entity are folded; on return they are in another order.
  ///
  /// Each request has the result that it would have alone. A failed update (the entity is absent, a fold
  /// throws, a record is corrupt) does not affect the others. A conflict concerns one entity: the requests
  /// are halved until that entity has a transaction of its own. Requests that are too large for one commit
  /// are halved until they fit, which they do sooner as deltas. Only an error of the store affects
  /// all of them.
  void commit(std::span<Request*> requests) noexcept;

 private:
  using Group = std::span<Request* const>;  // updates of one entity

  /// The effect of the transaction in progress on a property that is counted.
  struct Touched {
    PropertyRef property;
    std::uint32_t updates = 0, retries = 0;
  };

  template <class Action>
  static void for_each_waiting(Group group, Action action) {
    for (Request* request : group) {
      if (request->waits()) action(*request);
    }
  }

  void append_groups(std::span<Request*> requests);
  void commit_groups(std::span<const Group> groups);
  void commit_parts(Group group, const std::string& too_large);
  bool commit_unfolded(Group group);
  void settle(std::span<const Group> groups, CommitOutcome outcome);
  CommitOutcome attempt(std::span<const Group> groups, Folding folding);
  static bool needs_clock(std::span<const Group> groups);
  Now ask_clock_for(std::span<const Group> groups);
  static Now instant_of(Group group, Now attempt);
  /// Whether the reads of a transaction are announced. Checks expect that with every store.
  bool announces_reads() const {
    if constexpr (kChecks) return true;
    return traits_.prefetches;
  }
  void prefetch(Transaction& transaction, std::span<const Group> groups, std::string_view mark, Now now);
  void append_reads(Group group, Now instant);
  void announce_reads(Group group, Now instant);
  static void expect_prefetched(Transaction& transaction, bool expected);
  bool updates(Group group, std::size_t place) const;
  void put(Transaction& transaction, Group group, Now now);
  std::exception_ptr too_long(Group group, std::size_t key) const;
  void stage(Transaction& transaction, Group group, Now now);
  void look_at_indexes(Transaction& transaction, const EntityType& type);
  void leave_out_repeated(Transaction& transaction, Group group);
  void put_tokens(Transaction& transaction, Group group, Now now);
  void* admit(Group group, void* shard);
  bool try_to_admit(Group group);
  Staging staging(std::size_t place, Now now);
  void stage_part(std::size_t place, void* shard, Now now);
  void note_in_index(std::size_t place);
  const EntityIndex* ranked_index(const EntityType& type, std::size_t place);
  void* fold(Group group);
  static std::string unknown_outcome(Group group);
  void note_touched(std::size_t place, Group group);
  void record_usage(CommitOutcome outcome);

  MapperContext& context_;
  const StoreTraits traits_;
  ShardAffinity affinity_;
  const std::uint32_t thread_ = number_of_thread();  // stands for all threads whose commits follow each other

  // Kept to reuse their memory.
  std::vector<Group> groups_;
  ShardValue folded_;
  UpdatedEntity entity_;
  std::string stored_;
  RecordKey key_;
  std::vector<std::string> keys_;
  std::unordered_map<std::string_view, const Request*> firsts_;  // by their tokens
  StagedWrites writes_;
  Admission admission_;
  std::vector<Touched> touched_;
  platform::Clock::duration took_{};          // the last transaction
  std::vector<const EntityType*> looked_at_;  // in the transaction in progress
  std::unordered_map<const IndexType*, const EntityIndex*> ranked_indexes_;
  std::vector<std::pair<const EntityType*, EntityKeyView>> compactable_;  // entities to compact afterwards
  std::exception_ptr clock_error_;                                        // in the transaction in progress
  std::size_t attempted_ = 0;            // groups in the transaction in progress
  bool any_exceeded_ = false;            // in the transaction in progress
  Folding folding_ = Folding::kInStore;  // in the transaction in progress
  bool would_shrink_ = false;            // in the transaction in progress, see `Staging`
  // The transaction writes a record of an index that other updates write, too: a conflict need not concern a
  // shard.
  bool may_meet_at_index_ = false;
};

}  // namespace autoshard::detail
