#include "lane.h"

#include <algorithm>
#include <atomic>

#include "random.h"

namespace autoshard::detail {
namespace {

std::uint32_t& kept() {
  // Random where the process begins, so that processes do not begin at the same shards.
  static std::atomic<std::uint32_t> next{static_cast<std::uint32_t>(random_bits())};
  thread_local std::uint32_t lane = next.fetch_add(1, std::memory_order_relaxed);
  return lane;
}

}  // namespace

std::uint16_t Lane::pick(std::uint32_t shards) {
  shards_ = std::max(shards_, shards);
  const std::uint64_t lane = choice_ == ShardChoice::kSticky ? kept() : random_bits();
  return static_cast<std::uint16_t>(lane % shards);
}

void Lane::leave() {
  if (choice_ == ShardChoice::kSticky && shards_ > 1) {
    kept() += static_cast<std::uint32_t>(1 + random_below(shards_ - 1));
  }
}

}  // namespace autoshard::detail
