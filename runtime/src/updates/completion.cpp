#include <autoshard/completion.h>
#include <autoshard/errors.h>
#include <autoshard/future.h>

#include <future>
#include <memory>

#include "async_request.h"
#include "check.h"

namespace autoshard {

using detail::AsyncRequest;

bool Completion::ready() const {
  if (!valid())
    throw InvalidUse("the Completion belongs to no update, or was used already: use each Completion once");
  return request_->phase.load(std::memory_order_acquire) == AsyncRequest::kDone;
}

void Completion::get() {
  while (!ready()) {
    AUTOSHARD_CHECK(request_->committer != nullptr);
    if (request_->committer == detail::committer_of_thread())
      throw InvalidUse(
          "a callback waits for an update that only its own thread can commit: use Completion::then instead");
    // Changes nothing if it is done by now, which ends the wait, or after a wake-up without a reason.
    std::uint32_t pending = AsyncRequest::kPending;
    request_->phase.compare_exchange_strong(pending, AsyncRequest::kAwaited);
    detail::platform::park(request_->phase, AsyncRequest::kAwaited);
  }
  if (const std::exception_ptr error = take_error()) std::rethrow_exception(error);
}

void Completion::then(Callback callback) && {
  if (set_callback(callback)) return;
  const auto request = std::move(request_);  // the callback may destroy this object
  request->call_back(callback);
}

std::future<void> detail::FutureOf<std::future<void>>::of(Completion completion) {
  const auto promise = std::make_shared<std::promise<void>>();
  std::future<void> future = promise->get_future();
  std::move(completion).then([promise](const std::exception_ptr& error) {
    error ? promise->set_exception(error) : promise->set_value();
  });
  return future;
}

bool Completion::set_callback(Callback& callback) {
  ready();  // throws if the completion is empty
  // Released first, because the callback may destroy this object.
  AsyncRequest* request = request_.release();
  request->callback = std::move(callback);
  std::uint32_t pending = AsyncRequest::kPending;
  if (request->phase.compare_exchange_strong(pending, AsyncRequest::kContinued, std::memory_order_acq_rel))
    return true;
  callback = std::move(request->callback);
  request_.reset(request);
  return false;
}

std::exception_ptr Completion::take_error() {
  std::exception_ptr error = std::move(request_->error);
  request_.reset();
  return error;
}

}  // namespace autoshard
