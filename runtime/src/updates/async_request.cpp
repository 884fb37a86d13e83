#include "async_request.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "keys.h"
#include "message_of.h"
#include "mutex.h"
#include "of_thread.h"

namespace autoshard::detail {
namespace {

/// Unused requests keep their memory. Each thread has some; a surplus goes to a shared list, because the
/// threads that make requests are not always the threads that release them.
class Pool {
 public:
  ~Pool() { give(free_.size()); }

  AsyncRequest* take() {
    if (free_.empty()) fetch();
    if (free_.empty()) return new AsyncRequest;
    AsyncRequest* request = free_.back();
    free_.pop_back();
    return request;
  }

  void put(AsyncRequest* request) {
    free_.push_back(request);
    if (free_.size() >= 2 * kChunk) give(kChunk);
  }

 private:
  static constexpr std::size_t kChunk = 128;

  struct Shared {
    Mutex mutex;
    std::vector<AsyncRequest*> free AUTOSHARD_GUARDED_BY(mutex);
  };
  static Shared& shared() {
    static Shared& shared = *new Shared;  // never destroyed, for threads that outlive static objects
    return shared;
  }

  void fetch() {
    Shared& pool = shared();
    const MutexLock lock(pool.mutex);
    std::vector<AsyncRequest*>& from = pool.free;
    const std::size_t kept = from.size() - std::min(from.size(), kChunk);
    free_.assign(from.begin() + static_cast<std::ptrdiff_t>(kept), from.end());
    from.resize(kept);
  }

  void give(std::size_t number) {
    Shared& pool = shared();
    const MutexLock lock(pool.mutex);
    std::vector<AsyncRequest*>& to = pool.free;
    to.insert(to.end(), free_.end() - static_cast<std::ptrdiff_t>(number), free_.end());
    free_.resize(free_.size() - number);
  }

  std::vector<AsyncRequest*> free_;
};

void tell(const AsyncRequest& request, const std::string& what, const std::exception_ptr& problem) {
  const auto log = request.log.lock();
  if (!log || !*log) return;
  (*log)(what + ": " + message_of(problem));
}

}  // namespace

AsyncRequest* AsyncRequest::make_marker(EntityKeyView its_key) {
  Pool* pool = OfThread<Pool>::get();
  AsyncRequest* request = pool ? pool->take() : new AsyncRequest;
  request->type = nullptr;
  request->key = its_key;
  request->buffered = false;
  request->committer = nullptr;
  request->phase.store(kPending, std::memory_order_relaxed);
  return request;
}

AsyncRequest* AsyncRequest::make(const EntityType& its_type, EntityKeyView its_key, void* its_shard,
                                 const std::shared_ptr<const Log>& its_log, std::string_view its_token) {
  std::unique_ptr<AsyncRequest> request(make_marker({}));
  // Most requests return to the same mapper, and a change of the reference count would be contended by all
  // threads.
  if (request->log.owner_before(its_log) || its_log.owner_before(request->log)) request->log = its_log;
  request->own_key = its_key;
  request->token_bytes = its_token;
  request->set(its_type, request->own_key, request->value.take(its_type.shard, its_shard), 0,
               request->token_bytes);
  return request.release();
}

void AsyncRequest::release(AsyncRequest* request) {
  if (request->error)
    tell(*request, "an update of " + describe(request->key) + " failed, and no caller waits for it",
         request->error);
  request->value.reset();
  request->error = nullptr;
  request->callback = nullptr;
  Pool* pool = OfThread<Pool>::get();
  pool ? pool->put(request) : delete request;
}

void AsyncRequest::complete() {
  switch (phase.exchange(kDone, std::memory_order_acq_rel)) {
    case kAwaited:
      platform::unpark(phase);  // safe even if the request is released by now: only the address counts
      return;
    case kContinued:
      call_back(callback);
      return release(this);
    case kDropped:
      return release(this);
    default:
      return;  // the completion releases it
  }
}

void AsyncRequest::call_back(const Completion::Callback& its_callback) {
  try {
    its_callback(std::exchange(error, nullptr));
  } catch (...) {
    tell(*this, "the callback of an update of " + describe(key) + " threw", std::current_exception());
  }
}

void LetGo::operator()(AsyncRequest* request) const {
  if (request->phase.exchange(AsyncRequest::kDropped, std::memory_order_acq_rel) == AsyncRequest::kDone)
    AsyncRequest::release(request);
}

}  // namespace autoshard::detail
