#include "random.h"

#include <pthread.h>

#include <atomic>

#include "platform.h"

namespace autoshard::detail {
namespace {

std::atomic<std::uint64_t> forks{0};  // that have led to this process since a thread first drew a number

std::uint64_t count_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { ++forks; });
  (void)registered;
  return forks.load(std::memory_order_relaxed);
}

}  // namespace

// SplitMix64: eight bytes of state for each thread. A child process has a copy of them.
std::uint64_t random_bits() {
  thread_local std::uint64_t state = platform::entropy();
  thread_local std::uint64_t seeded_after = count_forks();
  if (const std::uint64_t now = forks.load(std::memory_order_relaxed); now != seeded_after) {
    state = platform::entropy();
    seeded_after = now;
  }
  std::uint64_t bits = state += 0x9E3779B97F4A7C15;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return bits ^ bits >> 31;
}

}  // namespace autoshard::detail
