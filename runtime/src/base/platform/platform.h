#pragma once

#include <linux/futex.h>
#include <sched.h>
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

/// All that a run depends on besides what it is asked to do: what time it is, chance, and which thread goes
/// on when. The runtime has it from here alone, so that the simulation (test/simulation), which compiles the
/// same sources with a header of its own in the place of this one, decides it.
namespace autoshard::detail::platform {

using Clock = std::chrono::steady_clock;
using SystemClock = std::chrono::system_clock;

using Thread = std::thread;
using Mutex = std::mutex;
using Condition = std::condition_variable;

/// Through which threads tell each other something.
template <class T>
using Atomic = std::atomic<T>;

inline void yield() { sched_yield(); }

inline void sleep_for(std::chrono::nanoseconds time) { std::this_thread::sleep_for(time); }

/// Nobody could have foreseen them; slow.
inline std::uint64_t entropy() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

/// To sleep until somebody changes it: `std::atomic::wait` without its spinning. With more threads than
/// cores, each yield is a switch to a thread that has nothing to do yet, which costs more than sleeping at
/// once.
using Word = Atomic<std::uint32_t>;
static_assert(sizeof(Word) == sizeof(std::uint32_t) && Word::is_always_lock_free);

/// Sleeps while the word has this value; may also return without a reason.
inline void park(Word& word, std::uint32_t value) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}

/// Likewise, for so long at most.
inline void park_for(Word& word, std::uint32_t value, std::chrono::nanoseconds time) {
  const timespec timeout{.tv_sec = time.count() / 1'000'000'000, .tv_nsec = time.count() % 1'000'000'000};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, &timeout, nullptr, 0);
}

/// Wakes up to so many threads that are parked at the word.
inline void unpark(Word& word, int threads = INT_MAX) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, threads, nullptr, nullptr, 0);
}

}  // namespace autoshard::detail::platform
