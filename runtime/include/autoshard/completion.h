#pragma once

#include <exception>
#include <functional>
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
template <class Future>
struct FutureOf;
}  // namespace detail

/// The result of `Mapper::apply_async`: tells when the update is committed, or why it is not. Used by one
/// thread at a time, and once, in one of four ways: wait with `get`, pass a callback to `then`, convert it to
/// a `std::future`, or `co_await` it in a coroutine. An empty completion throws `InvalidUse` in each of them.
/// If a completion is dropped, the update takes place all the same; a failure is logged unless the mapper is
/// gone.
///
/// Callbacks and coroutines run in the mapper's *committer*, the thread that commits, while no commit is
/// under way. Their time delays the next commit. They may use the mapper in any way, with these limits. They
/// must not destroy the mapper. They must not wait for another completion, or for the `std::future` of one,
/// because only the committer can complete it. They must not wait for a thread that waits for the committer:
/// a thread that calls the mapper while it holds a mutex which the callback locks, or the committer of
/// another mapper whose callbacks call this one. If the update is already done when the callback is passed,
/// the callback runs at once, in the caller's thread.
class [[nodiscard]] Completion {
 public:
  using Callback = std::function<void(std::exception_ptr)>;

  /// An empty completion.
  Completion() = default;

  /// Returns whether the completion belongs to an update and was not used yet.
  bool valid() const { return request_ != nullptr; }

  /// Returns whether the update is done; `get` does not wait then. Throws `InvalidUse` if the completion is
  /// empty.
  bool ready() const;

  /// Waits until the update is committed. Throws the error that `apply` would have thrown. Throws
  /// `InvalidUse` in a callback, if it would wait for ever.
  void get();

  /// Calls `callback` with a null pointer when the update is committed, or with the error that `apply` would
  /// have thrown. An exception from the callback is logged and otherwise ignored.
  void then(Callback callback) &&;

  /// Converts to a `std::future<void>`, which is ready when the update is done. Needs
  /// `#include <autoshard/future.h>`.
  template <template <class> class Future>
  operator Future<void>() && {  // NOLINT(google-explicit-constructor)
    static_assert(
        requires { sizeof(detail::FutureOf<Future<void>>); },
        "the conversion of a completion to std::future<void> needs its header: #include "
        "<autoshard/future.h>");
    return detail::FutureOf<Future<void>>::of(std::move(*this));
  }

  class Awaiter;
  /// Resumes the coroutine when the update is committed. Throws the error that `apply` would have thrown.
  Awaiter operator co_await() &&;

 private:
  friend class detail::Combiner;
  friend class detail::Updates;
  explicit Completion(detail::AsyncRequest* request) : request_(request) {}

  /// Returns true if the callback will be called, and false if the update is already done.
  bool set_callback(Callback& callback);
  /// Takes the error of an update that is done, and leaves the completion empty.
  std::exception_ptr take_error();

  std::unique_ptr<detail::AsyncRequest, detail::LetGo> request_;
};

class Completion::Awaiter {
 public:
  explicit Awaiter(Completion completion) : completion_(std::move(completion)) {}

  bool await_ready() const { return completion_.ready(); }
  /// `coroutine` is a `std::coroutine_handle`.
  template <class Coroutine>
  bool await_suspend(Coroutine coroutine) {
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
