#pragma once

#include <autoshard/options.h>

#include <cstdint>
#include <span>

#include "layout.h"

namespace autoshard::detail {

/// Which shard an update writes to: a number, modulo the number of shards. Whoever commits keeps one: each
/// thread for itself, or all those of a combiner, whose commits follow each other, one in common.
using LaneNumber = std::uint64_t;

/// Numbers that are given out follow each other, so that as many as there are shards do not meet at all.
LaneNumber next_lane();

/// The number that this thread keeps.
LaneNumber& lane_of_thread();

/// This thread's, and no other's of the process at the same time: numbers of threads that have ended are
/// given out again, so that a thread for each request does not look like many. Threads beyond the 63rd share
/// one.
inline constexpr std::uint32_t kThreadNumbers = 64;
std::uint32_t number_of_thread();

class Lane {
 public:
  /// `kept` must outlive it.
  Lane(ShardChoice choice, LaneNumber& kept) : choice_(choice), kept_(kept) {}

  /// To be called before each transaction, all of whose updates go to one lane.
  void begin();

  /// The shard of a property that has so many.
  std::uint16_t pick(std::uint32_t shards) const;

  /// To be called after a conflict: moves on to another shard of every property that has one.
  void leave(std::span<const Layout> layouts);

 private:
  ShardChoice choice_;
  LaneNumber& kept_;
  LaneNumber drawn_ = 0;  // for this transaction
};

}  // namespace autoshard::detail
