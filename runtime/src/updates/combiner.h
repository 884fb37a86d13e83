#pragma once

#include <autoshard/options.h>
#include <autoshard/store.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "async_request.h"
#include "attempts.h"
#include "counters.h"
#include "mutex.h"
#include "platform.h"
#include "request.h"
#include "shard_affinity.h"
#include "shard_writer.h"

namespace autoshard::detail {

/// Makes one commit of the updates that wait at the same time (flat combining). Thread-safe.
///
/// At any time at most one thread has the *turn* to commit. A caller that finds the turn free takes it, and
/// commits its own update alone, as cheaply as without a combiner. All other callers add their updates to the
/// *open batch*. After a commit, the thread gives the turn up if the open batch is empty. Otherwise the turn
/// goes to the *committer*, a thread that commits one batch after the other, while the next batch fills,
/// until an open batch stays empty.
///
/// So an update in the open batch is committed by the commit after the present one, and no caller waits for
/// more than two commits. There are three exceptions. A conflict or its size may divide a batch into several
/// commits; its callers are woken after all of them. Callbacks, which run between two commits, may commit
/// updates themselves.
class Combiner {
 public:
  /// The argument must outlive the combiner.
  Combiner(MapperContext& context);
  /// Waits for the submitted updates and their callbacks. No call may be in progress, except in those
  /// callbacks.
  void stop();
  ~Combiner();
  Combiner(const Combiner&) = delete;
  Combiner& operator=(const Combiner&) = delete;

  /// Makes one attempt to commit the request, together with others. Afterwards the request has a result.
  void commit(Request& request);

  /// Attempts to commit the request until it has a result, and completes it.
  void submit(AsyncRequest& request);

  /// Acknowledges the request, and commits it later, within the time of the options. Must be called for a
  /// request without any other owner.
  void buffer(AsyncRequest& request);
  /// Waits until all updates buffered before have a result; with a key, those of that entity.
  void flush(EntityKeyView key = {});
  /// Waits until all updates submitted before for this entity have a result.
  void settle(EntityKeyView key);
  /// Throws `UpdatesLost`, once, if a buffered update could not be committed, or has an unknown outcome.
  void throw_if_lost();

  /// The number of callers whose requests are in the open batch, about.
  std::uint32_t waiting() const;
  /// The number of asynchronous and buffered requests without a result, about.
  std::uint32_t in_flight() const { return begun_.load() - landed_.load(); }

  /// The number of callers since construction that have joined others.
  std::uint32_t joined() const { return joined_.load(); }
  /// The number of times that a caller has waited because too many updates were in flight.
  std::uint32_t held_up() const { return held_up_.load(); }
  /// Returns whether the committer waits for the turn of another thread. For tests.
  bool waits_for_turn() const { return (state_.load() & kWanted) != 0; }
  /// Returns whether `stop` was called.
  bool is_stopping() const {
    const MutexLock lock(mutex_);
    return stopping_;
  }

 private:
  using Clock = platform::Clock;

  /// The newest request of the open batch, linked to the older ones, with the flags below in the address bits
  /// that are always zero.
  using State = std::uintptr_t;
  static constexpr State kTaken = 1;   ///< a thread has the turn; only then the open batch may have requests
  static constexpr State kParity = 2;  ///< of the number of the open batch
  static constexpr State kWanted = 4;  ///< the committer must have the turn next
  static constexpr State kFlags = kTaken | kParity | kWanted;
  static_assert(alignof(Request) > kFlags);
  /// The newest request of the open batch; null if the batch is empty.
  static Request* newest(State state) { return reinterpret_cast<Request*>(state & ~kFlags); }

  /// The number of hash classes of keys. Entities of one class are treated as one where that only costs time.
  static constexpr std::size_t kPlaces = 256;

  /// Numbers of requests, by the hashes of their keys.
  using InFlight = std::array<platform::Word, kPlaces>;

  /// Counts the finished batches of one parity. Each counter has a cache line of its own, because many
  /// threads poll it.
  struct alignas(64) Generation {
    platform::Word done{0};
  };

  /// Buffered updates whose loss must be reported.
  struct Loss {
    std::uint64_t number = 0;
    std::string first;
  };

  /// A request to attempt again.
  struct Retry {
    Clock::time_point due;
    AsyncRequest* request;
  };

  /// A thread that waits without sleeping: when its last turn of the loop ended, and whether it took long.
  struct Spin {
    Clock::time_point last = Clock::now();
    bool was_long = false;
  };

  void wait(Request& request, Generation& generation);
  void note_spin(Spin& spin);
  void give_turn_to_committer();
  bool give_up_turn();

  void run();
  bool wait_for_turn();
  bool is_woken() const AUTOSHARD_REQUIRES(mutex_) {
    return committers_turn_ || (stopping_ && in_flight() == 0);
  }
  void commit_batch();
  void take_batch();
  void take_retries();
  void gather();
  void finish(Generation& generation);
  void finish_markers();
  void call_back();
  bool retry_later(AsyncRequest& request);
  std::uint32_t begin_flight();
  void land(std::uint32_t number);
  void land_at_places(std::size_t first);
  static bool is_any(const InFlight& in_flight, EntityKeyView key);
  void wait_for_earlier(EntityKeyView key);
  void commit_buffered_at(Clock::time_point due);
  Clock::time_point first_due() const;
  bool is_retrying(EntityKeyView key, std::uint64_t batch) const;
  void note_lost(AsyncRequest& request);
  bool is_committer() const { return committer_of_thread() == this; }

  const std::uint32_t max_in_flight_;
  const bool buffers_;
  const std::chrono::milliseconds buffered_for_;
  AffinityNumber affinity_ = next_affinity();
  Counters& counters_;
  ShardWriter writer_;  // used by the thread that has the turn

  alignas(64) platform::Atomic<State> state_{0};
  std::array<Generation, 2> generations_;
  platform::Atomic<bool> brief_{true};  // the last commit was short enough to wait for without sleeping
  platform::Atomic<Clock::time_point> crowded_until_{Clock::time_point::min()};  // by other runnable threads
  alignas(64) platform::Word joined_{0};  // counts the requests that were added to open batches
  // The value of `joined_` for which the committer waits while it gathers.
  platform::Word awaited_{0};
  platform::Word gathered_{0};  // counts how often that value was reached
  // Counts asynchronous requests, including those that wait to be submitted.
  alignas(64) platform::Word begun_{0};
  // Counts completed asynchronous requests.
  alignas(64) platform::Word landed_{0};
  platform::Atomic<std::uint32_t> held_up_{0};
  alignas(64) InFlight buffered_in_flight_{};   // acknowledged requests
  alignas(64) InFlight submitted_in_flight_{};  // all other asynchronous requests
  // The newest acknowledged request that is in no batch yet, linked to the older ones.
  platform::Atomic<Request*> buffered_{nullptr};

  // Used by the committer only.
  std::vector<Request*> batch_;
  std::vector<AsyncRequest*> finished_;  // and not called back yet
  std::vector<AsyncRequest*> called_;    // being called back
  std::vector<Retry> retries_;
  std::vector<AsyncRequest*> markers_;   // of flushes
  std::uint64_t batches_ = 0;            // counts taken batches
  std::atomic<std::uint32_t> taken_{0};  // counts requests of `joined_` in taken batches; written by it only
  std::uint32_t returning_ = 0;          // callers that the last batch releases
  Clock::time_point began_;              // when its last commit began
  Clock::duration took_{};               // how long that took

  mutable Mutex mutex_;
  ConditionVariable wake_committer_;
  bool committers_turn_ AUTOSHARD_GUARDED_BY(mutex_) = false;
  Clock::time_point buffered_due_ AUTOSHARD_GUARDED_BY(mutex_) = Clock::time_point::max();
  Loss lost_ AUTOSHARD_GUARDED_BY(mutex_);
  Loss unknown_ AUTOSHARD_GUARDED_BY(mutex_);  // with an unknown outcome
  platform::Atomic<bool> has_lost_{false};
  bool stopping_ AUTOSHARD_GUARDED_BY(mutex_) = false;
  platform::Thread committer_;
};

}  // namespace autoshard::detail
