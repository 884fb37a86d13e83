#pragma once

#include <autoshard/mapper.h>

#include <cstdint>
#include <span>

namespace autoshard::detail {

/// Which shard an update writes to: a number that a thread keeps, modulo the number of shards. Threads start
/// with numbers that follow each other, so that as many as there are shards do not meet at all.
class Lane {
 public:
  explicit Lane(ShardChoice choice) : choice_(choice) {}

  /// The shard of a property that has so many.
  std::uint16_t pick(std::uint32_t shards) const;

  /// To be called after a conflict: moves on to another shard of every property that has one.
  void leave(std::span<const ShardedPropertyType> properties);

 private:
  ShardChoice choice_;
};

}  // namespace autoshard::detail
