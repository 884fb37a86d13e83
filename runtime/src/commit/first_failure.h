#pragma once

#include <autoshard/errors.h>

#include <exception>

namespace autoshard::detail {

/// Runs tasks of which each may fail without keeping the others from running. Used by one thread.
class FirstFailure {
 public:
  /// Keeps the first error of the tasks. `StoreUnavailable` is thrown at once: the other tasks would fail
  /// too.
  template <class Task>
  void run(Task task) {
    try {
      task();
    } catch (const StoreUnavailable&) {
      throw;
    } catch (...) {
      if (!first_) first_ = std::current_exception();
    }
  }

  /// Throws the first error of the tasks. To be called after the last task.
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::exception_ptr first_;
};

}  // namespace autoshard::detail
