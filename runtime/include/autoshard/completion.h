#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <utility>

namespace autoshard {

namespace detail {
class Combiner;
class Updates;
struct AsyncRequest;
struct LetGo {
  void operator()(AsyncRequest* request) const;
};
}  // namespace detail

/// What `Mapper::apply_async` returns: tells when the update is committed, or why it is not. For one thread
/// at a time. Used once, in one of four ways: wait with `get`, pass it a callback, turn it into a
/// `std::future`, or `co_await` it in a coroutine; one of nothing throws `InvalidUse` then. Or drop it:
/// the update takes place all the same, and if it fails, that is logged, unless the mapper is gone.
///
/// Callbacks and coroutines go on in the mapper's *committer*, the thread that commits, while no commit is
/// under way: what they do delays the next one. They may use the mapper in any way, but must not wait for
/// another completion, or the `std::future` made of one, which only the committer can bring about; nor for
/// somebody who waits for the committer: one who holds a mutex that they lock while it calls the mapper, or,
/// where callbacks of two mappers call the other one, that one's; nor destroy the mapper. Where the update is
/// done already when the callback is passed, it is called at once, in the caller's thread.
class [[nodiscard]] Completion {
 public:
  using Callback = std::function<void(std::exception_ptr)>;

  /// Of nothing.
  Completion() = default;

  /// Whether it is that of an update, and was not used yet.
  bool valid() const { return request_ != nullptr; }

  /// Whether the update is done; then `get` does not wait. `InvalidUse` for one of nothing.
  bool ready() const;

  /// Waits until the update is committed; throws what `apply` would have thrown. Throws `InvalidUse`
  /// where it would wait for ever, in a callback.
  void get();

  /// Calls back with a null pointer when the update is committed, or else with what `apply` would have
  /// thrown. What the callback itself throws is logged, and otherwise ignored.
  void then(Callback callback) &&;

  /// Ready when the update is done.
  operator std::future<void>() &&;  // NOLINT(google-explicit-constructor)

  class Awaiter;
  /// Resumes when the update is committed; throws what `apply` would have thrown.
  Awaiter operator co_await() &&;

 private:
  friend class detail::Combiner;
  friend class detail::Updates;
  explicit Completion(detail::AsyncRequest* request) : request_(request) {}

  /// Whether the callback will be called; otherwise the update is done.
  bool set_callback(Callback& callback);
  /// Of an update that is done; this one is of nothing then.
  std::exception_ptr take_error();

  std::unique_ptr<detail::AsyncRequest, detail::LetGo> request_;
};

class Completion::Awaiter {
 public:
  explicit Awaiter(Completion completion) : completion_(std::move(completion)) {}

  bool await_ready() const { return completion_.ready(); }
  bool await_suspend(std::coroutine_handle<> coroutine) {
    Callback callback = [this, coroutine](std::exception_ptr error) {
      error_ = std::move(error);
      coroutine.resume();
    };
    return completion_.set_callback(callback);
  }
  void await_resume() {
    if (completion_.valid()) error_ = completion_.take_error();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  Completion completion_;
  std::exception_ptr error_;
};

inline Completion::Awaiter Completion::operator co_await() && { return Awaiter(std::move(*this)); }

}  // namespace autoshard
