#include "shard_affinity.h"

#include <algorithm>
#include <atomic>
#include <bit>

#include "of_thread.h"
#include "random.h"

namespace autoshard::detail {
namespace {

/// The lowest free number, taken until the thread ends.
class ThreadNumber {
 public:
  ThreadNumber() {
    for (std::uint64_t taken = taken_.load(); ~taken != 0;) {
      const std::uint64_t lowest_free = ~taken & (taken + 1);
      // unreachable: no test can have another thread begin between these two instructions
      if (!taken_.compare_exchange_weak(taken, taken | lowest_free)) continue;
      number_ = static_cast<std::uint32_t>(std::countr_zero(lowest_free));
      return;
    }
  }
  ~ThreadNumber() {
    if (number_ < kThreadNumbers - 1) taken_.fetch_and(~(std::uint64_t{1} << number_));
  }
  ThreadNumber(const ThreadNumber&) = delete;
  ThreadNumber& operator=(const ThreadNumber&) = delete;

  std::uint32_t get() const { return number_; }

 private:
  static inline std::atomic<std::uint64_t> taken_{0};
  std::uint32_t number_ = kThreadNumbers - 1;  // several threads may share this number
};

}  // namespace

AffinityNumber next_affinity() {
  // The first number is random, so that processes do not begin at the same shards.
  static std::atomic<std::uint32_t> next{static_cast<std::uint32_t>(random_bits())};
  return next.fetch_add(1, std::memory_order_relaxed);
}

AffinityNumber& affinity_of_thread() {
  thread_local AffinityNumber affinity = next_affinity();
  return affinity;
}

std::uint32_t number_of_thread() {
  const ThreadNumber* const number = OfThread<ThreadNumber>::get();
  return number ? number->get() : kThreadNumbers - 1;
}

void ShardAffinity::begin() {
  if (choice_ != ShardChoice::kSticky) drawn_ = random_bits();
}

std::uint16_t ShardAffinity::pick(std::uint32_t shards) const {
  if (shards <= 1) return 0;
  const AffinityNumber affinity = choice_ == ShardChoice::kSticky ? kept_ : drawn_;
  return static_cast<std::uint16_t>(affinity % shards);
}

void ShardAffinity::leave(std::span<const Layout> layouts) {
  if (choice_ != ShardChoice::kSticky) return;
  std::uint32_t most = 1;
  for (const Layout& layout : layouts) most = std::max(most, layout.shards);
  if (most == 1) return;
  std::uint64_t step = 0;
  const auto stays = [&](const Layout& layout) { return layout.shards > 1 && step % layout.shards == 0; };
  do {
    step = 1 + random_below(most - 1);  // a step of 1 moves all layouts, so the loop ends
  } while (std::any_of(layouts.begin(), layouts.end(), stays));
  kept_ += step;
}

}  // namespace autoshard::detail
