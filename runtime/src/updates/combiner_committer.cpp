/// The committer: the thread that commits what has gathered while another thread committed.

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "check.h"
#include "combiner.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

/// A commit is brief if it takes less. Only then a waiting thread spins before it sleeps.
constexpr std::chrono::microseconds kBrief(1000);

/// The time that the committer waits for the next released caller to return: this fraction of the commit's
/// time if the callers spin, and `kGather` if they sleep.
constexpr int kPatience = 4;
constexpr std::chrono::microseconds kGather(20);

}  // namespace

void Combiner::run() {
  committer_of_thread() = this;
  platform::wake_promptly();  // for `kGather`
  while (wait_for_turn()) {
    do {
      commit_batch();
      call_back();
      if (returning_ > 0) gather();
    } while (!give_up_turn());
  }
}

/// Returns the due time of the earliest retry.
Combiner::Clock::time_point Combiner::first_due() const {
  Clock::time_point due = Clock::time_point::max();
  for (const Retry& retry : retries_) due = std::min(due, retry.due);
  return due;
}

/// Returns false if there will be no further turn.
bool Combiner::wait_for_turn() {
  MutexLock lock(mutex_);
  while (!is_woken()) {
    Clock::time_point due = std::min(first_due(), buffered_due_);
    // An update that is being buffered may miss the commit that was scheduled for it.
    if (due == Clock::time_point::max() && buffers_ && in_flight() > 0)
      due = buffered_due_ = Clock::now() + std::max(buffered_for_, std::chrono::milliseconds(1));
    if (due == Clock::time_point::max()) {
      wake_committer_.wait(lock);
    } else if (due > Clock::now()) {
      wake_committer_.wait_until(lock, due);
    } else {
      buffered_due_ = Clock::time_point::max();
      // The thread that has the turn passes it on.
      if ((state_.fetch_or(kTaken | kWanted, std::memory_order_acquire) & kTaken) == 0) return true;
      while (!committers_turn_) wake_committer_.wait(lock);
    }
  }
  return std::exchange(committers_turn_, false);
}

void Combiner::commit_batch() {
  const State opened = state_.load(std::memory_order_relaxed) & kParity;
  take_batch();
  began_ = Clock::now();
  if (!batch_.empty()) writer_.commit(batch_);
  const auto end = Clock::now();
  took_ = end - began_;
  brief_.store(took_ < kBrief && end >= crowded_until_.load(std::memory_order_relaxed),
               std::memory_order_relaxed);
  finish(generations_[opened / kParity]);
}

void Combiner::take_batch() {
  const State opened = state_.load(std::memory_order_relaxed) & kParity;
  const State taken = state_.exchange(kTaken | (opened ^ kParity), std::memory_order_acquire);
  AUTOSHARD_CHECK((taken & kTaken) != 0 && (taken & kParity) == opened, {"state", taken & kFlags});
  batch_.clear();
  returning_ = 0;
  ++batches_;
  for (Request* request = newest(taken); request; request = request->next) {
    if (!request->type) {
      auto* marker = static_cast<AsyncRequest*>(request);
      marker->batch = batches_;
      markers_.push_back(marker);
      continue;
    }
    batch_.push_back(request);
    if (request->asynchronous) {
      static_cast<AsyncRequest*>(request)->batch = batches_;
    } else {
      ++returning_;
    }
  }
  taken_.store(taken_.load(std::memory_order_relaxed) + returning_, std::memory_order_relaxed);
  // Taken after the open batch, so that this batch also has every update that was buffered before one of its
  // markers. These come first in the batch, because they were acknowledged before the others can be.
  if (buffered_.load(std::memory_order_relaxed)) {
    for (Request* request = buffered_.exchange(nullptr, std::memory_order_acquire); request;
         request = request->next) {
      static_cast<AsyncRequest*>(request)->batch = batches_;
      batch_.push_back(request);
    }
  }
  if (!retries_.empty()) take_retries();
  std::reverse(batch_.begin(), batch_.end());  // the newest was first
}

/// Takes the retries that are due, and all other retries of the same entities and of the entities in the
/// batch: an earlier update must not overwrite a later replacement.
void Combiner::take_retries() {
  const Clock::time_point now = Clock::now();
  std::unordered_set<EntityKeyView> entities;
  for (const Request* request : batch_) entities.insert(request->key);
  for (const Retry& retry : retries_) {
    if (retry.due <= now) entities.insert(retry.request->key);
  }
  const auto taken = std::stable_partition(retries_.begin(), retries_.end(), [&](const Retry& retry) {
    return !entities.contains(retry.request->key);
  });
  for (auto retry = retries_.end(); retry != taken;) batch_.push_back((--retry)->request);
  retries_.erase(taken, retries_.end());
}

/// Sets the results of the batch, and wakes the waiting callers.
void Combiner::finish(Generation& generation) {
  const std::size_t first = finished_.size();
  for (Request* request : batch_) {
    AUTOSHARD_CHECK(!request->waits() && !request->done.load(std::memory_order_relaxed),
                    {"key", request->key});
    if (!request->asynchronous) {
      request->done.store(true, std::memory_order_release);  // the request may be destroyed from here on
      continue;
    }
    auto* own = static_cast<AsyncRequest*>(request);
    if (own->result == Request::Result::kConflict && retry_later(*own)) continue;
    if (own->buffered) note_lost(*own);
    finished_.push_back(own);
  }
  land_at_places(first);
  if (returning_ > 0) {
    generation.done.fetch_add(1, std::memory_order_release);
    platform::unpark(generation.done);
  }
  finish_markers();
  land(static_cast<std::uint32_t>(finished_.size() - first));
}

/// Counts the finished requests from `first` on as landed. Requests of one entity are adjacent.
void Combiner::land_at_places(std::size_t first) {
  for (std::size_t end = first; first < finished_.size(); first = end) {
    const std::size_t place = finished_[first]->hash % kPlaces;
    std::uint32_t buffered = 0, submitted = 0;
    for (; end < finished_.size() && finished_[end]->hash == finished_[first]->hash; ++end)
      ++(finished_[end]->buffered ? buffered : submitted);
    AUTOSHARD_CHECK(
        buffered_in_flight_[place].load() >= buffered && submitted_in_flight_[place].load() >= submitted,
        {"buffered", buffered}, {"submitted", submitted});
    if (buffered > 0) buffered_in_flight_[place].fetch_sub(buffered);
    if (submitted > 0) submitted_in_flight_[place].fetch_sub(submitted);
  }
}

/// Finishes the flushes whose earlier updates are all done.
void Combiner::finish_markers() {
  const auto done = std::partition(markers_.begin(), markers_.end(), [&](const AsyncRequest* marker) {
    return is_retrying(marker->key, marker->batch);
  });
  finished_.insert(finished_.end(), done, markers_.end());
  markers_.erase(done, markers_.end());
}

/// Returns whether an update of that batch or an earlier one waits for another attempt; with a key, an update
/// of that entity.
bool Combiner::is_retrying(EntityKeyView key, std::uint64_t batch) const {
  return std::any_of(retries_.begin(), retries_.end(), [&](const Retry& retry) {
    const AsyncRequest& request = *retry.request;
    return request.batch <= batch && (key.empty() || request.key == key);
  });
}

/// Callbacks may commit batches themselves. Updates that are finished by that are called back afterwards, not
/// recursively.
void Combiner::call_back() {
  while (!finished_.empty()) {
    called_.swap(finished_);
    for (AsyncRequest* request : called_) request->complete();
    called_.clear();
  }
}

void Combiner::note_lost(AsyncRequest& request) {
  if (request.result != Request::Result::kFailed) return;
  const auto note = [this](Counter& counter, Loss Combiner::*loss, const std::string& what) {
    counter.add();
    const MutexLock lock(mutex_);
    if ((this->*loss).number++ == 0) (this->*loss).first = what;
    has_lost_.store(true, std::memory_order_relaxed);
  };
  try {
    std::rethrow_exception(request.error);
  } catch (const NotFound&) {
    request.error = nullptr;  // erased after it was acknowledged: to every observer the erase came later
  } catch (const OutcomeUnknown& error) {
    note(counters_.unknown_updates, &Combiner::unknown_, error.what());
  } catch (const std::exception& error) {
    note(counters_.lost_updates, &Combiner::lost_, error.what());
  } catch (...) {  // from a fold
    note(counters_.lost_updates, &Combiner::lost_, "an update of " + describe(request.key));
  }
}

/// Returns false if the policy allows no further attempt.
bool Combiner::retry_later(AsyncRequest& request) {
  AUTOSHARD_CHECK(request.result == Request::Result::kConflict && request.attempts, {"key", request.key});
  try {
    retries_.push_back({Clock::now() + request.attempts->pause(began_), &request});
    request.set_waiting();
    return true;
  } catch (...) {
    request.fail(std::current_exception());
    return false;
  }
}

/// Waits for callers to return. Released callers are likely to be back soon; the next commit is worth waiting
/// for as long as their number grows.
void Combiner::gather() {
  const std::uint32_t taken = taken_.load(std::memory_order_relaxed);
  const std::uint32_t awaited = taken + returning_;
  const auto is_back = [&](std::uint32_t joined) { return static_cast<std::int32_t>(awaited - joined) <= 0; };
  if (brief_.load(std::memory_order_relaxed)) {
    Spin spin;
    Clock::time_point joined_last = spin.last;
    for (std::uint32_t before = taken; !is_back(before) && spin.last - joined_last <= took_ / kPatience;) {
      platform::yield();
      note_spin(spin);
      const std::uint32_t joined = joined_.load();
      if (joined != before) joined_last = spin.last;
      before = joined;
    }
    return;
  }
  const std::uint32_t gathered = gathered_.load();
  awaited_.store(awaited);
  for (std::uint32_t before = taken;;) {
    const std::uint32_t joined = joined_.load();
    if (is_back(joined)) break;
    platform::park_for(gathered_, gathered, kGather);
    if (joined == before) break;
    before = joined;
  }
  awaited_.store(0);
}

}  // namespace autoshard::detail
