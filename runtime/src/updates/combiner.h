#pragma once

#include <autoshard/options.h>
#include <autoshard/store.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "async_request.h"
#include "attempts.h"
#include "lane.h"
#include "mutex.h"
#include "platform.h"
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
/// for more than two, unless a conflict or its size makes several smaller ones of one, after all of which its
/// callers are told, or callbacks, which run between two commits, commit something themselves.
class Combiner {
 public:
  /// What is passed must outlive it.
  Combiner(MapperContext& context);
  /// Waits for what was submitted, with its callbacks. No call may be under way, except in those.
  void stop();
  ~Combiner();
  Combiner(const Combiner&) = delete;
  Combiner& operator=(const Combiner&) = delete;

  /// Makes one attempt to commit it, with others; it has a result then.
  void commit(Request& request);

  /// Attempts to commit it until it has a result, which it is completed with.
  void submit(AsyncRequest& request);

  /// Acknowledges it: commits it later, within the time that the options give. To be called for a request
  /// that nobody else refers to.
  void buffer(AsyncRequest& request);
  /// Waits until what was buffered before has a result; given a key, what was of that entity.
  void flush(std::string_view key = {});
  /// Waits until what was submitted before for this entity has a result.
  void settle(std::string_view key);
  /// Throws `UpdatesLost`, once, if something that was buffered could not be committed, or may not be.
  void throw_if_lost();

  /// How many callers have found others there, since it was made.
  std::uint32_t joined() const { return joined_.load(); }
  /// How often somebody has waited because too many were in flight.
  std::uint32_t held_up() const { return held_up_.load(); }
  /// Whether `stop` was called.
  bool is_stopping() const {
    const MutexLock lock(mutex_);
    return stopping_;
  }

 private:
  using Clock = platform::Clock;

  /// The newest request of the open batch, the others behind it, and the flags below in the bits that
  /// addresses of requests leave free.
  using State = std::uintptr_t;
  static constexpr State kTaken = 1;   ///< somebody has the turn; only then is there anything in the batch
  static constexpr State kParity = 2;  ///< of the number of the open batch
  static constexpr State kWanted = 4;  ///< the committer is to have the turn next
  static constexpr State kFlags = kTaken | kParity | kWanted;
  static_assert(alignof(Request) > kFlags);

  /// Entities whose keys' hashes are equal modulo this number are taken for one where that only costs time.
  static constexpr std::size_t kPlaces = 256;

  /// Numbers of requests, by the hashes of their keys.
  using InFlight = std::array<platform::Word, kPlaces>;

  /// Counts the batches of one parity that are done. A line of the cache for each, for many threads look.
  struct alignas(64) Generation {
    platform::Word done{0};
  };

  /// Buffered updates to tell of.
  struct Loss {
    std::uint64_t number = 0;
    std::string first;
  };

  /// To be attempted again.
  struct Retry {
    Clock::time_point due;
    AsyncRequest* request;
  };

  /// Of one that waits without sleeping: when its last look ended, and whether that took long.
  struct Looks {
    Clock::time_point last = Clock::now();
    bool was_long = false;
  };

  void wait(Request& request, Generation& generation);
  void note_look(Looks& looks);
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
  std::uint32_t in_flight() const { return begun_.load() - landed_.load(); }
  void land(std::uint32_t number);
  void land_at_places(std::size_t first);
  static bool is_any(const InFlight& in_flight, std::string_view key);
  void wait_for_earlier(std::string_view key);
  void commit_buffered_at(Clock::time_point due);
  Clock::time_point first_due() const;
  bool is_retrying(std::string_view key, std::uint64_t batch) const;
  void note_lost(AsyncRequest& request);
  bool is_committer() const { return committer_of_thread() == this; }

  const std::uint32_t max_in_flight_;
  const bool buffers_;
  const std::chrono::milliseconds buffered_for_;
  LaneNumber lane_ = next_lane();
  ShardWriter writer_;  // of whoever has the turn

  alignas(64) platform::Atomic<State> state_{0};
  std::array<Generation, 2> generations_;
  platform::Atomic<bool> brief_{true};  // the last commit was one to wait for without sleeping
  platform::Atomic<Clock::time_point> crowded_until_{Clock::time_point::min()};  // by others who want to run
  alignas(64) platform::Word joined_{0};  // counts the requests that were added to open batches
  platform::Word awaited_{0};            // how many that shall be before the committer goes on, if it gathers
  platform::Word gathered_{0};           // counts when they were
  alignas(64) platform::Word begun_{0};  // counts asynchronous requests, also those that wait to be submitted
  alignas(64) platform::Word landed_{0};  // those among them that are completed
  platform::Atomic<std::uint32_t> held_up_{0};
  alignas(64) InFlight buffered_in_flight_{};     // that were acknowledged
  alignas(64) InFlight submitted_in_flight_{};    // all other asynchronous ones
  platform::Atomic<Request*> buffered_{nullptr};  // the newest that is in no batch yet, the others behind it

  // The committer's.
  std::vector<Request*> batch_;
  std::vector<AsyncRequest*> finished_;  // and not called back yet
  std::vector<AsyncRequest*> called_;    // is being called back
  std::vector<Retry> retries_;
  std::vector<AsyncRequest*> markers_;  // of flushes
  std::uint64_t batches_ = 0;           // counts those that were taken
  std::uint32_t taken_ = 0;             // of those that joined
  std::uint32_t returning_ = 0;         // callers that the last batch let go on
  Clock::time_point began_;             // its commit
  Clock::duration took_{};              // likewise

  mutable Mutex mutex_;
  ConditionVariable wake_committer_;
  bool committers_turn_ AUTOSHARD_GUARDED_BY(mutex_) = false;
  Clock::time_point buffered_due_ AUTOSHARD_GUARDED_BY(mutex_) = Clock::time_point::max();
  Loss lost_ AUTOSHARD_GUARDED_BY(mutex_);
  Loss unknown_ AUTOSHARD_GUARDED_BY(mutex_);  // whether they are committed
  platform::Atomic<bool> has_lost_{false};
  bool stopping_ AUTOSHARD_GUARDED_BY(mutex_) = false;
  platform::Thread committer_;
};

}  // namespace autoshard::detail
