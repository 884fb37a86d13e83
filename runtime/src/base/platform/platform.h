#pragma once

#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <random>
#include <thread>

/// The nondeterministic inputs of the runtime: time, randomness and the scheduling of threads. The runtime
/// takes them from this header only. The simulation (test/simulation) compiles the same sources with another
/// header in place of this one, and so controls these inputs.
namespace autoshard::detail::platform {

using Clock = std::chrono::steady_clock;
using SystemClock = std::chrono::system_clock;

using Thread = std::thread;
using Mutex = std::mutex;
using Condition = std::condition_variable;

/// A variable through which threads communicate.
template <class T>
using Atomic = std::atomic<T>;

inline void yield() { sched_yield(); }

inline void sleep_for(std::chrono::nanoseconds time) { std::this_thread::sleep_for(time); }

/// From now on the calling thread wakes within a microsecond of the end of a wait, instead of some fifty.
inline void wake_promptly() { prctl(PR_SET_TIMERSLACK, 1UL); }

/// Unpredictable bits from the system; slow.
inline std::uint64_t entropy() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

/// A word on which threads sleep until another thread changes it: `std::atomic::wait` without its spinning.
/// With more threads than cores, each yield switches to a thread that has nothing to do yet; that costs more
/// than sleeping at once.
using Word = Atomic<std::uint32_t>;
static_assert(sizeof(Word) == sizeof(std::uint32_t) && Word::is_always_lock_free);

/// Sleeps while the word has this value. May also return spuriously.
inline void park(Word& word, std::uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

/// As `park`, for at most `time`.
inline void park_for(Word& word, std::uint32_t value, std::chrono::nanoseconds time) {
  const timespec timeout{.tv_sec = time.count() / 1'000'000'000, .tv_nsec = time.count() % 1'000'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, &timeout, nullptr, 0);
}

/// Wakes up to `threads` threads that are parked at the word.
inline void unpark(Word& word, int threads = INT_MAX) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

}  // namespace autoshard::detail::platform
