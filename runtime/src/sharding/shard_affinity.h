#pragma once

#include <autoshard/options.h>

#include <cstdint>
#include <span>

#include "layout.h"

namespace autoshard::detail {

/// Selects the shard of each update: the shard is the affinity number modulo the number of shards. A thread
/// that commits for itself has an affinity of its own. A combiner has one affinity for all its commits,
/// because they follow each other.
using AffinityNumber = std::uint64_t;

/// Returns consecutive numbers: with as many affinities as shards, no two of them share a shard.
AffinityNumber next_affinity();

/// The affinity number of this thread.
AffinityNumber& affinity_of_thread();

/// A number that no other running thread of the process has. The numbers of threads that have ended are given
/// out again, so that a thread for each request does not look like many writers. Threads beyond the 63rd
/// share a number.
inline constexpr std::uint32_t kThreadNumbers = 64;
std::uint32_t number_of_thread();

class ShardAffinity {
 public:
  /// `kept` must outlive the affinity.
  ShardAffinity(ShardChoice choice, AffinityNumber& kept) : choice_(choice), kept_(kept) {}

  /// Must be called before each transaction. All updates of a transaction go to one affinity.
  void begin();

  /// Returns the number of the shard, for a property with this many shards.
  std::uint16_t pick(std::uint32_t shards) const;

  /// Must be called after a conflict. Moves on to another shard of every property that has more than one.
  void leave(std::span<const Layout> layouts);

 private:
  ShardChoice choice_;
  AffinityNumber& kept_;
  AffinityNumber drawn_ = 0;  // for this transaction
};

}  // namespace autoshard::detail
