#pragma once

#include <autoshard/mapper.h>

#include <cstdint>

namespace autoshard::detail {

/// Which shard an update writes to: a number that a thread keeps, modulo the number of shards. Threads start
/// with numbers that follow each other, so that as many as there are shards do not meet at all.
class Lane {
 public:
  explicit Lane(ShardChoice choice) : choice_(choice) {}

  /// The shard of a property that has so many.
  std::uint16_t pick(std::uint32_t shards);

  /// To be called after a conflict: moves on to another shard, if there is one.
  void leave();

 private:
  ShardChoice choice_;
  std::uint32_t shards_ = 1;  // the most that were picked from
};

}  // namespace autoshard::detail
