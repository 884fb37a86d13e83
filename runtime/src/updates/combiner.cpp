#include "combiner.h"

#include <autoshard/errors.h>
#include <sys/prctl.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <variant>

#include "check.h"
#include "keys.h"

namespace autoshard::detail {

const Combiner*& committer_of_thread() {
  thread_local const Combiner* combiner = nullptr;
  return combiner;
}

namespace {

/// After a commit that takes longer than this, a waiting thread sleeps at once. After a shorter commit it
/// first yields and looks again, this many times. To sleep and to be woken takes a processor several times as
/// long as such a look.
constexpr std::chrono::microseconds kBrief(1000);
constexpr int kLooks = 100;

/// Two consecutive looks that take this long show that another thread runs and does not yield (a single one
/// happens now and then by itself). While there may be such a thread, it is better to sleep: a woken thread
/// is scheduled first, a yielding thread last.
constexpr std::chrono::microseconds kLongLook(1000);
constexpr std::chrono::milliseconds kCrowded(50);

/// The time that the committer waits for the next released caller to return: this fraction of the commit's
/// time if the callers look, and `kGather` if they sleep.
constexpr int kPatience = 4;
constexpr std::chrono::microseconds kGather(20);

/// Returns how long buffered updates stay in memory; at most a day, which avoids overflow.
std::chrono::milliseconds time_in_memory(const Durability& durability) {
  const auto* buffered = std::get_if<durability::buffered>(&durability);
  return buffered ? std::min<std::chrono::milliseconds>(buffered->within, std::chrono::hours(24))
                  : std::chrono::milliseconds(0);
}

Request* newest(std::uintptr_t state, std::uintptr_t flags) {
  return reinterpret_cast<Request*>(state & ~flags);
}

}  // namespace

Combiner::Combiner(MapperContext& context)
    : max_in_flight_(std::max(context.options.max_in_flight, 1U)),
      buffers_(std::holds_alternative<durability::buffered>(context.options.durability)),
      buffered_for_(time_in_memory(context.options.durability)),
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
    request.next = newest(state, kFlags);
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
  Looks looks;
  for (int look = 0; look < kLooks && brief_.load(std::memory_order_relaxed); ++look) {
    if (request.done.load(std::memory_order_acquire)) return;
    platform::yield();
    note_look(looks);
  }
  for (;;) {
    const std::uint32_t done = generation.done.load(std::memory_order_acquire);
    if (request.done.load(std::memory_order_acquire)) return;
    platform::park(generation.done, done);
  }
}

/// Must be called after each look. Detects looks that take too long.
void Combiner::note_look(Looks& looks) {
  const Clock::time_point now = Clock::now();
  const bool is_long = now - looks.last > kLongLook;
  if (is_long && looks.was_long) {
    crowded_until_.store(now + kCrowded, std::memory_order_relaxed);
    brief_.store(false, std::memory_order_relaxed);
  }
  looks = {now, is_long};
}

void Combiner::submit(AsyncRequest& request) {
  begin_flight();
  request.committer = this;
  if (request.type) submitted_in_flight_[request.hash % kPlaces].fetch_add(1);
  State state = state_.load(std::memory_order_relaxed);
  do {
    request.next = newest(state, kFlags);
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
  if (is_any(submitted_in_flight_, key)) wait_for_earlier(key);
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

void Combiner::run() {
  committer_of_thread() = this;
  prctl(PR_SET_TIMERSLACK, 1UL);  // for `kGather`
  while (wait_for_turn()) {
    do {
      commit_batch();
      call_back();
      if (returning_ > 0) gather();
    } while (!give_up_turn());
  }
}

/// Returns when the first retry is due, which no thread has the turn for.
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
  for (Request* request = newest(taken, kFlags); request; request = request->next) {
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
  taken_ += returning_;
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
  const auto note = [this](Loss Combiner::*loss, const std::string& what) {
    const MutexLock lock(mutex_);
    if ((this->*loss).number++ == 0) (this->*loss).first = what;
    has_lost_.store(true, std::memory_order_relaxed);
  };
  try {
    std::rethrow_exception(request.error);
  } catch (const NotFound&) {
    request.error = nullptr;  // erased after it was acknowledged: to every observer the erase came later
  } catch (const OutcomeUnknown& error) {
    note(&Combiner::unknown_, error.what());
  } catch (const std::exception& error) {
    note(&Combiner::lost_, error.what());
  } catch (...) {  // from a fold
    note(&Combiner::lost_, "an update of " + describe(request.key));
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
  const std::uint32_t awaited = taken_ + returning_;
  const auto is_back = [&](std::uint32_t joined) { return static_cast<std::int32_t>(awaited - joined) <= 0; };
  if (brief_.load(std::memory_order_relaxed)) {
    Looks looks;
    Clock::time_point joined_last = looks.last;
    for (std::uint32_t before = taken_; !is_back(before) && looks.last - joined_last <= took_ / kPatience;) {
      platform::yield();
      note_look(looks);
      const std::uint32_t joined = joined_.load();
      if (joined != before) joined_last = looks.last;
      before = joined;
    }
    return;
  }
  const std::uint32_t gathered = gathered_.load();
  awaited_.store(awaited);
  for (std::uint32_t before = taken_;;) {
    const std::uint32_t joined = joined_.load();
    if (is_back(joined)) break;
    platform::park_for(gathered_, gathered, kGather);
    if (joined == before) break;
    before = joined;
  }
  awaited_.store(0);
}

}  // namespace autoshard::detail
