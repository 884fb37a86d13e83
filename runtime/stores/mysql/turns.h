#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <list>

#include "check.h"
#include "mutex.h"

namespace autoshard::mysql_store {

/// Limits how many threads do something at the same time. Other threads wait for their turn, in the order in
/// which they came. Thread-safe.
class Turns {
 public:
  explicit Turns(std::size_t number) : number_(number), free_(number) {}

  /// Waits for a turn. Returns false if it takes longer than `within`.
  bool begin(std::chrono::milliseconds within) {
    detail::MutexLock lock(mutex_);
    if (free_ > 0) {
      AUTOSHARD_CHECK(std::ranges::all_of(waiting_, &Waiting::has_turn), {"waiting", waiting_.size()});
      --free_;
      return true;
    }
    const auto own = waiting_.emplace(waiting_.end());
    const auto until = std::chrono::steady_clock::now() + within;
    while (!own->has_turn && std::chrono::steady_clock::now() < until) own->woken.wait_until(lock, until);
    const bool has_turn = own->has_turn;
    waiting_.erase(own);
    return has_turn;
  }

  void end() {
    const detail::MutexLock lock(mutex_);
    for (Waiting& next : waiting_) {
      if (next.has_turn) continue;  // and is about to wake
      next.has_turn = true;
      next.woken.notify_one();
      return;
    }
    ++free_;
    AUTOSHARD_CHECK(free_ <= number_, {"free", free_}, {"turns", number_});
  }

  /// How many threads wait.
  std::size_t waiting() {
    const detail::MutexLock lock(mutex_);
    return waiting_.size();
  }

 private:
  struct Waiting {
    detail::ConditionVariable woken;
    bool has_turn = false;
  };

  const std::size_t number_;
  detail::Mutex mutex_;
  std::size_t free_ AUTOSHARD_GUARDED_BY(mutex_);
  std::list<Waiting> waiting_ AUTOSHARD_GUARDED_BY(mutex_);
};

}  // namespace autoshard::mysql_store
