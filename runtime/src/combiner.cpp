#include "combiner.h"

#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <utility>

namespace autoshard::detail {

const Combiner*& committer_of_thread() {
  thread_local const Combiner* combiner = nullptr;
  return combiner;
}

namespace {

/// A commit that takes longer is one for which a thread sleeps, instead of letting others run and looking
/// again.
constexpr std::chrono::microseconds kBrief(30);
constexpr int kLooks = 50;

/// How long the committer waits for the next one of those that it has woken to be back.
constexpr std::chrono::microseconds kGather(20);

Request* newest(std::uintptr_t state, std::uintptr_t flags) {
  return reinterpret_cast<Request*>(state & ~flags);
}

}  // namespace

Combiner::Combiner(Store& store, const MapperOptions& options, Statistics& statistics)
    : options_(options),
      max_in_flight_(std::max(options.max_in_flight, 1U)),
      writer_(store, options, statistics, lane_),
      committer_([this] { run(); }) {}

Combiner::~Combiner() { stop(); }

void Combiner::stop() {
  if (!committer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_committer_.notify_one();
  committer_.join();
}

void Combiner::commit(Request& request) {
  Request* alone = &request;
  if (is_committer()) return writer_.commit({&alone, 1});  // in a callback: it has the turn
  State state = state_.load(std::memory_order_relaxed);
  for (;;) {
    if ((state & kTaken) == 0) {
      if (!state_.compare_exchange_weak(state, state | kTaken, std::memory_order_acquire)) continue;
      writer_.commit({&alone, 1});
      if (!give_up_turn()) give_turn_to_committer();
      return;
    }
    request.next = newest(state, kFlags);
    if (!state_.compare_exchange_weak(state, reinterpret_cast<State>(&request) | (state & kFlags),
                                      std::memory_order_release, std::memory_order_relaxed))
      continue;
    if (joined_.fetch_add(1) + 1 == awaited_.load()) {
      gathered_.fetch_add(1);
      unpark(gathered_);
    }
    return wait(request, generations_[(state & kParity) / kParity]);
  }
}

void Combiner::wait(Request& request, Generation& generation) {
  for (int looks = 0; looks < kLooks && brief_.load(std::memory_order_relaxed); ++looks) {
    if (request.done.load(std::memory_order_acquire)) return;
    sched_yield();
  }
  for (;;) {
    const std::uint32_t done = generation.done.load(std::memory_order_acquire);
    if (request.done.load(std::memory_order_acquire)) return;
    park(generation.done, done);
  }
}

void Combiner::submit(AsyncRequest& request) {
  begin_flight();
  request.committer = this;
  State state = state_.load(std::memory_order_relaxed);
  do {
    request.next = newest(state, kFlags);
  } while (!state_.compare_exchange_weak(
      state, reinterpret_cast<State>(static_cast<Request*>(&request)) | kTaken | (state & kFlags),
      std::memory_order_acq_rel, std::memory_order_relaxed));
  if ((state & kTaken) == 0) give_turn_to_committer();
}

/// Waits while as many as may be are in flight. The committer does not, for it is who lands them.
void Combiner::begin_flight() {
  std::uint32_t flying = in_flight_.load(std::memory_order_relaxed);
  for (;;) {
    if (flying < max_in_flight_ || is_committer()) {
      if (in_flight_.compare_exchange_weak(flying, flying + 1, std::memory_order_relaxed)) return;
    } else {
      park(in_flight_, flying);
      flying = in_flight_.load(std::memory_order_relaxed);
    }
  }
}

void Combiner::give_turn_to_committer() {
  {
    const std::lock_guard lock(mutex_);
    committers_turn_ = true;
  }
  wake_committer_.notify_one();
}

/// False, and the turn is kept, if there is something in the open batch, or the committer wants it.
bool Combiner::give_up_turn() {
  State state = state_.load(std::memory_order_relaxed) & (kTaken | kParity);
  return state_.compare_exchange_strong(state, state & ~kTaken, std::memory_order_release,
                                        std::memory_order_relaxed);
}

void Combiner::run() {
  committer_of_thread() = this;
  prctl(PR_SET_TIMERSLACK, 1UL);  // for `kGather`
  while (wait_for_turn()) {
    do {
      commit_batch();
    } while (!give_up_turn());
  }
}

/// False if there will be none.
bool Combiner::wait_for_turn() {
  const auto woken = [&] { return committers_turn_ || (stopping_ && in_flight_.load() == 0); };
  std::unique_lock lock(mutex_);
  if (retries_.empty()) {
    wake_committer_.wait(lock, woken);
  } else {
    const auto first =
        std::min_element(retries_.begin(), retries_.end(),
                         [](const Retry& one, const Retry& other) { return one.due < other.due; });
    if (!wake_committer_.wait_until(lock, first->due, woken)) {
      // Whoever has the turn passes it on.
      if ((state_.fetch_or(kTaken | kWanted, std::memory_order_acquire) & kTaken) == 0) return true;
      wake_committer_.wait(lock, woken);
    }
  }
  return std::exchange(committers_turn_, false);
}

void Combiner::commit_batch() {
  const State opened = state_.load(std::memory_order_relaxed) & kParity;
  take_batch();
  const auto begin = Clock::now();
  if (!batch_.empty()) writer_.commit(batch_);
  brief_.store(Clock::now() - begin < kBrief, std::memory_order_relaxed);
  finish(generations_[opened / kParity]);
  if (returning_ > 0) gather();
}

void Combiner::take_batch() {
  const State opened = state_.load(std::memory_order_relaxed) & kParity;
  const State taken = state_.exchange(kTaken | (opened ^ kParity), std::memory_order_acquire);
  batch_.clear();
  returning_ = 0;
  for (Request* request = newest(taken, kFlags); request; request = request->next) {
    batch_.push_back(request);
    if (!request->asynchronous) ++returning_;
  }
  taken_ += returning_;
  if (retries_.empty()) return;
  const auto due = std::partition(retries_.begin(), retries_.end(),
                                  [now = Clock::now()](const Retry& retry) { return retry.due > now; });
  std::for_each(due, retries_.end(), [&](const Retry& retry) { batch_.push_back(retry.request); });
  retries_.erase(due, retries_.end());
}

/// Tells everybody what became of the batch.
void Combiner::finish(Generation& generation) {
  finished_.clear();
  for (Request* request : batch_) {
    if (!request->asynchronous) {
      request->done.store(true, std::memory_order_release);  // gone from here on
    } else if (auto* own = static_cast<AsyncRequest*>(request); own->result == Request::Result::kConflict) {
      retry_later(*own);
    } else {
      finished_.push_back(own);
    }
  }
  if (returning_ > 0) {
    generation.done.fetch_add(1, std::memory_order_release);
    unpark(generation.done);
  }
  if (finished_.empty()) return;
  const auto landed = static_cast<std::uint32_t>(finished_.size());
  if (in_flight_.fetch_sub(landed) >= max_in_flight_) unpark(in_flight_);
  for (AsyncRequest* request : finished_) request->complete(options_.log);
}

void Combiner::retry_later(AsyncRequest& request) {
  try {
    retries_.push_back({Clock::now() + request.attempts->pause(), &request});
    request.set_waiting();
  } catch (...) {
    request.fail(std::current_exception());
    finished_.push_back(&request);
  }
}

/// Callers that went on are likely to be back soon. As long as more and more are, the next commit is worth
/// waiting for.
void Combiner::gather() {
  if (brief_.load(std::memory_order_relaxed)) {
    sched_yield();
    return;
  }
  const std::uint32_t awaited = taken_ + returning_;
  const std::uint32_t gathered = gathered_.load();
  awaited_.store(awaited);
  for (std::uint32_t before = taken_;;) {
    const std::uint32_t joined = joined_.load();
    if (static_cast<std::int32_t>(awaited - joined) <= 0 || gathered_.load() != gathered) break;
    park_for(gathered_, gathered, kGather);
    if (joined == before) break;
    before = joined;
  }
  awaited_.store(0);
}

}  // namespace autoshard::detail
