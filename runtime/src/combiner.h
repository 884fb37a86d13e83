#pragma once

#include <autoshard/mapper.h>
#include <autoshard/store.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "attempts.h"
#include "lane.h"
#include "request.h"
#include "shard_writer.h"

namespace autoshard::detail {

/// Makes one commit of the updates that wait at the same time (flat combining). Thread-safe.
///
/// At any time at most one thread has the *turn* to commit. A caller that finds nobody has it takes it, and
/// commits its own update alone, as cheaply as if there were no combiner. All others add theirs to the *open
/// batch*. Whoever has committed gives up the turn if the open batch is empty; else the turn goes to the
/// *committer*, a thread that commits one batch after the other, while the next one fills, until an open
/// batch stays empty.
///
/// So an update that is in the open batch is committed by the commit after the one under way: nobody waits
/// for more than two.
class Combiner {
 public:
  /// What is passed must outlive it.
  Combiner(Store& store, const MapperOptions& options, Statistics& statistics);
  /// No call of `commit` may be under way.
  ~Combiner();
  Combiner(const Combiner&) = delete;
  Combiner& operator=(const Combiner&) = delete;

  /// Makes one attempt to commit it, with others; it has a result then.
  void commit(Request& request);

 private:
  /// The newest request of the open batch, the others behind it, and the flags below in the bits that
  /// addresses of requests leave free.
  using State = std::uintptr_t;
  static constexpr State kTaken = 1;   ///< somebody has the turn; only then is there anything in the batch
  static constexpr State kParity = 2;  ///< of the number of the open batch
  static constexpr State kFlags = kTaken | kParity;
  static_assert(alignof(Request) > kFlags);

  /// Counts the batches of one parity that are done. A line of the cache for each, for many threads look.
  struct alignas(64) Generation {
    std::atomic<std::uint32_t> done{0};
  };

  void wait(Request& request, Generation& generation);
  void end_turn();
  bool give_up_turn();

  void run();
  bool wait_for_turn();
  void commit_open_batch();

  LaneNumber lane_ = next_lane();
  ShardWriter writer_;  // of whoever has the turn
  alignas(64) std::atomic<State> state_{0};
  std::array<Generation, 2> generations_;

  std::vector<Request*> batch_;  // the committer's

  std::mutex mutex_;
  std::condition_variable wake_committer_;
  bool committers_turn_ = false;
  bool stopping_ = false;
  std::thread committer_;
};

}  // namespace autoshard::detail
