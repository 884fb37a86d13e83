#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <ctime>

/// `std::atomic::wait` without its spinning: with more threads than cores, each yield is a switch to a thread
/// that has nothing to do yet, which costs more than sleeping at once.
namespace autoshard::detail {

using Word = std::atomic<std::uint32_t>;
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

}  // namespace autoshard::detail
