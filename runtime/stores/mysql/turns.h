#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <mutex>

namespace autoshard {

/// So many may be at something at the same time; others wait, and whoever came first is next. Thread-safe.
class Turns {
 public:
  explicit Turns(std::size_t number) : free_(number) {}

  /// False if it takes longer.
  bool begin(std::chrono::milliseconds within) {
    std::unique_lock lock(mutex_);
    if (free_ > 0) {  // then nobody waits
      --free_;
      return true;
    }
    const auto own = waiting_.emplace(waiting_.end());
    own->woken.wait_for(lock, within, [&] { return own->has_turn; });
    const bool has_turn = own->has_turn;
    waiting_.erase(own);
    return has_turn;
  }

  void end() {
    const std::lock_guard lock(mutex_);
    for (Waiting& next : waiting_) {
      if (next.has_turn) continue;  // and is about to go
      next.has_turn = true;
      next.woken.notify_one();
      return;
    }
    ++free_;
  }

  /// How many wait.
  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
  }

 private:
  struct Waiting {
    std::condition_variable woken;
    bool has_turn = false;
  };

  std::mutex mutex_;
  std::size_t free_;
  std::list<Waiting> waiting_;
};

}  // namespace autoshard
