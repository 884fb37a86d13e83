#include "combiner.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "check.h"

namespace autoshard::detail {

const Combiner*& committer_of_thread() {
  thread_local const Combiner* combiner = nullptr;
  return combiner;
}

namespace {

/// After a brief commit, a waiting thread first yields and tests its request again, this many times. To sleep
/// and to be woken takes a processor several times as long as such a spin.
constexpr int kMostSpins = 100;

/// Two consecutive spins that take this long show that another thread runs and does not yield (a single one
/// happens now and then by itself). While there may be such a thread, it is better to sleep: a woken thread
/// is scheduled first, a yielding thread last.
constexpr std::chrono::microseconds kLongSpin(1000);
constexpr std::chrono::milliseconds kCrowded(50);

/// Returns how long buffered updates stay in memory; at most a day, which avoids overflow.
std::chrono::milliseconds time_in_memory(const Durability& durability) {
  const auto* buffered = std::get_if<durability::buffered>(&durability);
  return buffered ? std::min<std::chrono::milliseconds>(buffered->within, std::chrono::hours(24))
                  : std::chrono::milliseconds(0);
}

}  // namespace

Combiner::Combiner(MapperContext& context)
    : max_in_flight_(std::max(context.options.max_in_flight, 1U)),
      buffers_(std::holds_alternative<durability::buffered>(context.options.durability)),
      buffered_for_(time_in_memory(context.options.durability)),
      counters_(context.counters),
      writer_(context, affinity_),
      committer_([this] { run(); }) {}

Combiner::~Combiner() { stop(); }

void Combiner::stop() {
  if (!committer_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    stopping_ = true;
    if (buffered_due_ != Clock::time_point::max()) buffered_due_ = Clock::now();
  }
  wake_committer_.notify_one();
  committer_.join();
}

void Combiner::commit(Request& request) {
  Request* alone = &request;
  if (is_committer()) return writer_.commit({&alone, 1});  // in a callback: this thread has the turn
  State state = state_.load(std::memory_order_relaxed);
  for (;;) {
    if ((state & kTaken) == 0) {
      // unreachable: no test can have another thread take the turn between these two instructions
      if (!state_.compare_exchange_weak(state, state | kTaken, std::memory_order_acquire)) continue;
      writer_.commit({&alone, 1});
      if (!give_up_turn()) give_turn_to_committer();
      return;
    }
    request.next = newest(state);
    // unreachable: no test can have another thread join between these two instructions
    if (!state_.compare_exchange_weak(state, reinterpret_cast<State>(&request) | (state & kFlags),
                                      std::memory_order_release, std::memory_order_relaxed))
      continue;
    if (joined_.fetch_add(1) + 1 == awaited_.load()) {
      gathered_.fetch_add(1);
      platform::unpark(gathered_);
    }
    return wait(request, generations_[(state & kParity) / kParity]);
  }
}

void Combiner::wait(Request& request, Generation& generation) {
  Spin spin;
  for (int spins = 0; spins < kMostSpins && brief_.load(std::memory_order_relaxed); ++spins) {
    if (request.done.load(std::memory_order_acquire)) return;
    platform::yield();
    note_spin(spin);
  }
  for (;;) {
    const std::uint32_t done = generation.done.load(std::memory_order_acquire);
    if (request.done.load(std::memory_order_acquire)) return;
    platform::park(generation.done, done);
  }
}

/// Must be called in each turn of a waiting loop. Detects turns that take too long.
void Combiner::note_spin(Spin& spin) {
  const Clock::time_point now = Clock::now();
  const bool is_long = now - spin.last > kLongSpin;
  if (is_long && spin.was_long) {
    crowded_until_.store(now + kCrowded, std::memory_order_relaxed);
    brief_.store(false, std::memory_order_relaxed);
  }
  spin = {now, is_long};
}

void Combiner::submit(AsyncRequest& request) {
  begin_flight();
  request.committer = this;
  if (request.type) submitted_in_flight_[request.hash % kPlaces].fetch_add(1);
  State state = state_.load(std::memory_order_relaxed);
  do {
    request.next = newest(state);
    // unreachable: no test can have another thread join between these two instructions
  } while (!state_.compare_exchange_weak(
      state, reinterpret_cast<State>(static_cast<Request*>(&request)) | kTaken | (state & kFlags),
      std::memory_order_acq_rel, std::memory_order_relaxed));
  if ((state & kTaken) == 0) give_turn_to_committer();
}

void Combiner::buffer(AsyncRequest& request) {
  request.phase.store(AsyncRequest::kDropped, std::memory_order_relaxed);
  request.buffered = true;
  const std::uint32_t in_flight = begin_flight();
  buffered_in_flight_[request.hash % kPlaces].fetch_add(1);
  Request* before = buffered_.load(std::memory_order_relaxed);
  Clock::time_point due;
  do {
    if (!before) {
      // Set the time first: other updates are acknowledged after this one, however long this thread is
      // delayed here.
      due = Clock::now() + buffered_for_;
      commit_buffered_at(due);
    }
    request.next = before;
    // unreachable: no test can have another thread buffer something between these two instructions
  } while (!buffered_.compare_exchange_weak(before, &request, std::memory_order_acq_rel));
  if (!before) commit_buffered_at(due);  // the first call may have come too early
  if (in_flight == max_in_flight_ / 2 || in_flight >= max_in_flight_) commit_buffered_at(Clock::now());
}

void Combiner::commit_buffered_at(Clock::time_point due) {
  {
    const MutexLock lock(mutex_);
    if (stopping_) due = Clock::now();  // called from a callback
    if (due >= buffered_due_) return;
    buffered_due_ = due;
  }
  wake_committer_.notify_one();
}

void Combiner::flush(EntityKeyView key) {
  if (is_any(buffered_in_flight_, key)) wait_for_earlier(key);
}

void Combiner::settle(EntityKeyView key) {
  if (is_any(submitted_in_flight_, key) || is_any(buffered_in_flight_, key)) wait_for_earlier(key);
}

/// Waits until all updates submitted or buffered before have a result; with a key, those of that entity.
void Combiner::wait_for_earlier(EntityKeyView key) {
  if (is_committer()) {  // in a callback: this thread has the turn
    commit_batch();
    for (const std::uint64_t batch = batches_; is_retrying(key, batch); commit_batch())
      platform::sleep_for(first_due() - Clock::now());
    return;
  }
  AsyncRequest* marker = AsyncRequest::make_marker(key);
  Completion completion(marker);
  submit(*marker);
  completion.get();
}

void Combiner::throw_if_lost() {
  if (!has_lost_.load(std::memory_order_relaxed)) return;
  const MutexLock lock(mutex_);
  const Loss lost = std::exchange(lost_, {}), unknown = std::exchange(unknown_, {});
  has_lost_.store(false, std::memory_order_relaxed);
  std::string message;
  if (lost.number > 0) {
    message = std::to_string(lost.number) +
              " acknowledged buffered updates are lost; the first error: " + lost.first + "; ";
  }
  if (unknown.number > 0) {
    message += std::to_string(unknown.number) +
               " acknowledged buffered updates have an unknown outcome: load their entities and look; the "
               "first error: " +
               unknown.first + "; ";
  }
  // unreachable: the losses are told already only if two calls come here at the same time
  if (!message.empty()) throw UpdatesLost(message + "this call did nothing: repeat it");
}

std::uint32_t Combiner::waiting() const {
  const std::uint32_t taken = taken_.load(std::memory_order_relaxed);
  return static_cast<std::uint32_t>(std::max(static_cast<std::int32_t>(joined_.load() - taken), 0));
}

/// Waits while the limit of earlier updates is in flight. Returns an upper bound of the number in flight. The
/// committer does not wait, because it completes the updates.
std::uint32_t Combiner::begin_flight() {
  const std::uint32_t number = begun_.fetch_add(1) + 1;
  for (;;) {
    const std::uint32_t landed = landed_.load();
    // Negative if later updates have landed already.
    const auto flying = static_cast<std::int32_t>(number - landed);
    if (flying <= static_cast<std::int64_t>(max_in_flight_) || is_committer())
      return static_cast<std::uint32_t>(std::max(flying, 0));
    held_up_.fetch_add(1);
    platform::park(landed_, landed);
  }
}

void Combiner::land(std::uint32_t number) {
  if (number == 0) return;
  const std::uint32_t landed = landed_.fetch_add(number);
  AUTOSHARD_CHECK(begun_.load() - landed >= number, {"begun", begun_.load()}, {"landed", landed},
                  {"number", number});
  if (begun_.load() - landed > max_in_flight_) platform::unpark(landed_);
}

/// Returns whether an update of the entity is in flight; without a key, whether any update is. May also count
/// an update of another entity.
bool Combiner::is_any(const InFlight& in_flight, EntityKeyView key) {
  if (!key.empty()) return in_flight[Request::hash_of(key) % kPlaces].load() > 0;
  return std::any_of(in_flight.begin(), in_flight.end(),
                     [](const platform::Word& number) { return number.load() > 0; });
}

void Combiner::give_turn_to_committer() {
  {
    const MutexLock lock(mutex_);
    committers_turn_ = true;
  }
  wake_committer_.notify_one();
}

/// Returns false, and keeps the turn, if the open batch is not empty or the committer wants the turn.
bool Combiner::give_up_turn() {
  State state = state_.load(std::memory_order_relaxed) & (kTaken | kParity);
  return state_.compare_exchange_strong(state, state & ~kTaken, std::memory_order_release,
                                        std::memory_order_relaxed);
}

}  // namespace autoshard::detail
