#include "lane.h"

#include <algorithm>
#include <atomic>

#include "random.h"

namespace autoshard::detail {

LaneNumber next_lane() {
  // Random where the process begins, so that processes do not begin at the same shards.
  static std::atomic<std::uint32_t> next{static_cast<std::uint32_t>(random_bits())};
  return next.fetch_add(1, std::memory_order_relaxed);
}

LaneNumber& lane_of_thread() {
  thread_local LaneNumber lane = next_lane();
  return lane;
}

std::uint32_t number_of_thread() {
  static std::atomic<std::uint32_t> next{0};
  thread_local const std::uint32_t number = next.fetch_add(1, std::memory_order_relaxed);
  return number;
}

std::uint16_t Lane::pick(std::uint32_t shards) const {
  if (shards <= 1) return 0;
  const LaneNumber lane = choice_ == ShardChoice::kSticky ? kept_ : random_bits();
  return static_cast<std::uint16_t>(lane % shards);
}

void Lane::leave(std::span<const Layout> layouts) {
  if (choice_ != ShardChoice::kSticky) return;
  std::uint32_t most = 1;
  for (const Layout& layout : layouts) most = std::max(most, layout.shards);
  if (most == 1) return;
  std::uint64_t step = 0;
  const auto stays = [&](const Layout& layout) { return layout.shards > 1 && step % layout.shards == 0; };
  do {
    step = 1 + random_below(most - 1);  // 1 at the latest moves all of them
  } while (std::any_of(layouts.begin(), layouts.end(), stays));
  kept_ += step;
}

}  // namespace autoshard::detail
