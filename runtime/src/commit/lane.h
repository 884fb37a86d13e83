#pragma once

#include <autoshard/options.h>

#include <cstdint>
#include <span>

#include "layout.h"

namespace autoshard::detail {

/// Selects the shard of each update: the shard is the lane number modulo the number of shards. A thread that
/// commits for itself has a lane of its own. A combiner has one lane for all its commits, because they follow
/// each other.
using LaneNumber = std::uint64_t;

/// Returns consecutive numbers: with as many lanes as shards, no two lanes share a shard.
LaneNumber next_lane();

/// The lane number of this thread.
LaneNumber& lane_of_thread();

/// A number that no other running thread of the process has. The numbers of threads that have ended are given
/// out again, so that a thread for each request does not look like many writers. Threads beyond the 63rd
/// share a number.
inline constexpr std::uint32_t kThreadNumbers = 64;
std::uint32_t number_of_thread();

class Lane {
 public:
  /// `kept` must outlive the lane.
  Lane(ShardChoice choice, LaneNumber& kept) : choice_(choice), kept_(kept) {}

  /// Must be called before each transaction. All updates of a transaction go to one lane.
  void begin();

  /// Returns the number of the shard, for a property with this many shards.
  std::uint16_t pick(std::uint32_t shards) const;

  /// Must be called after a conflict. Moves on to another shard of every property that has more than one.
  void leave(std::span<const Layout> layouts);

 private:
  ShardChoice choice_;
  LaneNumber& kept_;
  LaneNumber drawn_ = 0;  // for this transaction
};

}  // namespace autoshard::detail
