#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "platform.h"

namespace autoshard::detail {

/// A thread that does something again and again, until it is destroyed.
class Periodic {
 public:
  /// Waits for `period` before each time.
  Periodic(std::chrono::milliseconds period, std::function<void()> work)
      : period_(period), work_(std::move(work)), thread_([this] { run(); }) {}

  /// Waits for work that is under way.
  ~Periodic() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    stop_.notify_one();
    thread_.join();
  }
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!stop_.wait_for(lock, period_, [this] { return stopping_; })) {
      lock.unlock();
      work_();
      lock.lock();
    }
  }

  const std::chrono::milliseconds period_;
  const std::function<void()> work_;
  platform::Mutex mutex_;
  platform::Condition stop_;
  bool stopping_ = false;
  platform::Thread thread_;
};

}  // namespace autoshard::detail
