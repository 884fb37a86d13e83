#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// A thread that calls a function periodically until the object is destroyed.
class Periodic {
 public:
  /// Waits for `period` before each call.
  Periodic(std::chrono::milliseconds period, std::function<void()> work)
      : period_(period), work_(std::move(work)), thread_([this] { run(); }) {}

  /// Waits for a call that is under way.
  ~Periodic() {
    {
      const MutexLock lock(mutex_);
      stopping_ = true;
    }
    stop_.notify_one();
    thread_.join();
  }
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

 private:
  void run() {
    MutexLock lock(mutex_);
    for (;;) {
      const auto due = platform::Clock::now() + period_;
      while (!stopping_ && platform::Clock::now() < due) stop_.wait_until(lock, due);
      if (stopping_) return;
      lock.unlock();
      work_();
      lock.lock();
    }
  }

  const std::chrono::milliseconds period_;
  const std::function<void()> work_;
  Mutex mutex_;
  ConditionVariable stop_;
  bool stopping_ AUTOSHARD_GUARDED_BY(mutex_) = false;
  platform::Thread thread_;
};

}  // namespace autoshard::detail
