#pragma once

#include <autoshard/store.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>

#include "scheduler.h"

/// What runtime/src/base/platform/platform.h has, by the scheduler of a simulation.
namespace autoshard::detail::platform {

using simulation::Scheduler;

struct Clock {
  using duration = std::chrono::steady_clock::duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr bool is_steady = true;
  static time_point now() { return time_point(Scheduler::get().time()); }
};

struct SystemClock {
  static std::chrono::system_clock::time_point now() {
    return std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(Scheduler::get().system_time()));
  }
};

class Thread {
 public:
  Thread() = default;
  explicit Thread(std::function<void()> run) : number_(Scheduler::get().start(std::move(run))) {}
  bool joinable() const { return number_ >= 0; }
  void join() { Scheduler::get().join(std::exchange(number_, -1)); }

 private:
  int number_ = -1;
};

class Mutex {
 public:
  void lock() {
    Scheduler::point();
    while (locked_) Scheduler::get().wait(this);
    locked_ = true;
  }
  void unlock() {
    locked_ = false;
    Scheduler::notify(this, 1);
  }

 private:
  bool locked_ = false;
};

class Condition {
 public:
  using Lock = std::unique_lock<Mutex>;

  void wait(Lock& lock) { wait_until(lock, Clock::time_point::max()); }
  template <class Predicate>
  void wait(Lock& lock, Predicate is_met) {
    while (!is_met()) wait(lock);
  }
  void wait_until(Lock& lock, Clock::time_point time) {
    lock.unlock();
    Scheduler::get().wait(this, time.time_since_epoch());
    lock.lock();
  }
  template <class Predicate>
  bool wait_for(Lock& lock, std::chrono::nanoseconds time, Predicate is_met) {
    const auto end = Clock::now() + time;
    while (!is_met()) {
      if (Clock::now() >= end) return false;
      wait_until(lock, end);
    }
    return true;
  }
  void notify_one() { Scheduler::notify(this, 1); }
  void notify_all() { Scheduler::notify(this, INT_MAX); }
};

/// Another thread may go on before each access.
template <class T>
class Atomic {
 public:
  using Order = std::memory_order;

  constexpr Atomic(T value = {}) : value_(value) {}
  T load(Order = Order::seq_cst) const { return at_point().load(); }
  void store(T value, Order = Order::seq_cst) { at_point().store(value); }
  T exchange(T value, Order = Order::seq_cst) { return at_point().exchange(value); }
  T fetch_add(T value, Order = Order::seq_cst) { return at_point().fetch_add(value); }
  T fetch_sub(T value, Order = Order::seq_cst) { return at_point().fetch_sub(value); }
  T fetch_or(T value, Order = Order::seq_cst) { return at_point().fetch_or(value); }
  bool compare_exchange_strong(T& expected, T value, Order = Order::seq_cst, Order = Order::seq_cst) {
    return at_point().compare_exchange_strong(expected, value);
  }
  bool compare_exchange_weak(T& expected, T value, Order = Order::seq_cst, Order = Order::seq_cst) {
    return at_point().compare_exchange_strong(expected, value);
  }

 private:
  std::atomic<T>& at_point() const {
    Scheduler::point();
    return value_;
  }

  mutable std::atomic<T> value_;
};

inline void wake_promptly() {}
inline void yield() { Scheduler::get().sleep(std::chrono::microseconds(1)); }
inline void sleep_for(std::chrono::nanoseconds time) { Scheduler::get().sleep(time); }
inline std::uint64_t entropy() { return Scheduler::get().random(); }

using Word = Atomic<std::uint32_t>;

inline void park_for(Word& word, std::uint32_t value, std::chrono::nanoseconds time) {
  if (word.load() == value) Scheduler::get().wait(&word, Scheduler::get().time() + time);
}
inline void park(Word& word, std::uint32_t value) {
  if (word.load() == value) Scheduler::get().wait(&word);
}
inline void unpark(Word& word, int threads = INT_MAX) {
  Scheduler::point();
  Scheduler::notify(&word, threads);
}

}  // namespace autoshard::detail::platform
