#pragma once

#include <mutex>
#include <shared_mutex>

#include "platform.h"

/// Mutexes that Clang checks. A member that is `AUTOSHARD_GUARDED_BY(mutex_)` may be accessed only while the
/// mutex is held, and a function that is `AUTOSHARD_REQUIRES(mutex_)` may be called only then. Builds with
/// Clang reject everything else.
#if defined(__clang__)
#define AUTOSHARD_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define AUTOSHARD_THREAD_SAFETY(attribute)
#endif
#define AUTOSHARD_GUARDED_BY(mutex) AUTOSHARD_THREAD_SAFETY(guarded_by(mutex))
#define AUTOSHARD_REQUIRES(mutex) AUTOSHARD_THREAD_SAFETY(requires_capability(mutex))

namespace autoshard::detail {

class AUTOSHARD_THREAD_SAFETY(capability("mutex")) Mutex {
 private:
  friend class MutexLock;
  platform::Mutex mutex_;
};

/// Holds a mutex until the end of the scope, except between `unlock` and `lock`.
class AUTOSHARD_THREAD_SAFETY(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) AUTOSHARD_THREAD_SAFETY(acquire_capability(mutex)) : lock_(mutex.mutex_) {}
  ~MutexLock() AUTOSHARD_THREAD_SAFETY(release_capability()) = default;
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void unlock() AUTOSHARD_THREAD_SAFETY(release_capability()) { lock_.unlock(); }
  void lock() AUTOSHARD_THREAD_SAFETY(acquire_capability()) { lock_.lock(); }

 private:
  friend class ConditionVariable;
  std::unique_lock<platform::Mutex> lock_;
};

/// Waits may end spuriously: test the condition in a loop.
class ConditionVariable {
 public:
  void wait(MutexLock& lock) { condition_.wait(lock.lock_); }
  void wait_until(MutexLock& lock, platform::Clock::time_point time) {
    condition_.wait_until(lock.lock_, time);
  }
  void notify_one() { condition_.notify_one(); }
  void notify_all() { condition_.notify_all(); }

 private:
  platform::Condition condition_;
};

/// Held by any number of readers, or by one writer.
class AUTOSHARD_THREAD_SAFETY(capability("mutex")) SharedMutex {
 private:
  friend class ReaderLock;
  friend class WriterLock;
  std::shared_mutex mutex_;
};

class AUTOSHARD_THREAD_SAFETY(scoped_lockable) ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) AUTOSHARD_THREAD_SAFETY(acquire_shared_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~ReaderLock() AUTOSHARD_THREAD_SAFETY(release_generic_capability()) = default;
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

class AUTOSHARD_THREAD_SAFETY(scoped_lockable) WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) AUTOSHARD_THREAD_SAFETY(acquire_capability(mutex))
      : lock_(mutex.mutex_) {}
  ~WriterLock() AUTOSHARD_THREAD_SAFETY(release_capability()) = default;
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  std::unique_lock<std::shared_mutex> lock_;
};

}  // namespace autoshard::detail
