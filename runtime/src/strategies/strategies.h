#pragma once

#include "strategy.h"

/// The ways to shard a value.
namespace autoshard::detail {

/// A number of shards with one record each. With the number 0 each update is a record of its own, a *delta*,
/// until compaction. The number may follow the load.
const Strategy& shards_strategy();

/// Shards of an integer that together keep to bounds; see `Escrow`.
const Strategy& bounded_strategy();

/// A record for each element of a container; see elements.h.
const Strategy& group_strategy();

/// A sliding window: a record for each shard and bucket of time. A bucket counts until its age is the length
/// of the window.
const Strategy& window_strategy();

inline const Strategy& strategy_of(const ShardedPropertyType& property) {
  switch (property.strategy) {
    case StrategyKind::kBounded:
      return bounded_strategy();
    case StrategyKind::kGroup:
      return group_strategy();
    case StrategyKind::kWindow:
      return window_strategy();
    case StrategyKind::kShards:
      break;
  }
  return shards_strategy();
}

}  // namespace autoshard::detail
