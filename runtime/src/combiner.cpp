#include "combiner.h"

namespace autoshard::detail {

Combiner::Combiner(Store& store, const MapperOptions& options, Statistics& statistics)
    : writer_(store, options, statistics, lane_), committer_([this] { run(); }) {}

Combiner::~Combiner() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_committer_.notify_one();
  committer_.join();
}

void Combiner::commit(Request& request) {
  State state = state_.load(std::memory_order_relaxed);
  for (;;) {
    if ((state & kTaken) == 0) {
      if (!state_.compare_exchange_weak(state, state | kTaken, std::memory_order_acquire)) continue;
      Request* alone = &request;
      writer_.commit({&alone, 1});
      return end_turn();
    }
    request.next = reinterpret_cast<Request*>(state & ~kFlags);
    if (state_.compare_exchange_weak(state, reinterpret_cast<State>(&request) | (state & kFlags),
                                     std::memory_order_release, std::memory_order_relaxed))
      return wait(request, generations_[(state & kParity) / kParity]);
  }
}

void Combiner::wait(Request& request, Generation& generation) {
  for (;;) {
    const std::uint32_t done = generation.done.load(std::memory_order_acquire);
    if (request.done.load(std::memory_order_acquire)) return;
    generation.done.wait(done, std::memory_order_acquire);
  }
}

void Combiner::end_turn() {
  if (give_up_turn()) return;
  {
    const std::lock_guard lock(mutex_);
    committers_turn_ = true;
  }
  wake_committer_.notify_one();
}

/// False, and the turn is kept, if there is something in the open batch.
bool Combiner::give_up_turn() {
  State state = state_.load(std::memory_order_relaxed) & kFlags;
  return state_.compare_exchange_strong(state, state & ~kTaken, std::memory_order_release,
                                        std::memory_order_relaxed);
}

void Combiner::run() {
  while (wait_for_turn()) {
    do {
      commit_open_batch();
    } while (!give_up_turn());
  }
}

/// False if there will be none.
bool Combiner::wait_for_turn() {
  std::unique_lock lock(mutex_);
  wake_committer_.wait(lock, [&] { return committers_turn_ || stopping_; });
  return std::exchange(committers_turn_, false);
}

void Combiner::commit_open_batch() {
  const State opened = state_.load(std::memory_order_relaxed) & kParity;
  const State taken = state_.exchange(kTaken | (opened ^ kParity), std::memory_order_acquire);
  batch_.clear();
  for (auto* request = reinterpret_cast<Request*>(taken & ~kFlags); request; request = request->next)
    batch_.push_back(request);
  writer_.commit(batch_);
  for (Request* request : batch_) request->done.store(true, std::memory_order_release);  // gone from here on
  Generation& generation = generations_[opened / kParity];
  generation.done.fetch_add(1, std::memory_order_release);
  generation.done.notify_all();
}

}  // namespace autoshard::detail
