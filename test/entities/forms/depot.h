#pragma once

#include <cstdint>
#include <string>
#include <tuple>

namespace detail {

enum class Region { kEast, kWest };
struct Key {
  int value = 0;
};

}  // namespace detail

/// Where a depot stands. Records hold all of its members.
struct Place {
  double longitude = 0;
#ifdef DEPOT_WITH_HEIGHT
  double height = 0;
#endif
};

/// Without constructors, in no namespace, and with an id of types that others may have, too.
class [[autoshard::entity]] Depot {
 public:
  [[autoshard::shard_method]] auto take(std::int64_t pieces) -> decltype(pieces) {
    stock_ -= pieces;
    return pieces;
  }
  [[autoshard::shard_method]] auto take(std::int64_t pieces, int times) -> decltype(pieces * times) {
    stock_ -= pieces * times;
    return pieces * times;
  }
  std::int64_t stock() const { return stock_; }
  int level() const { return std::get<1>(levels_).level; }
  void move(detail::Region region, int key) {
    region_ = region;
    key_ = {key};
  }

 private:
  struct Level {
    int level = 3;
  };

  [[autoshard::id]] detail::Region region_{};
  [[autoshard::id]] detail::Key key_;
  Place place_;
  std::tuple<int, Level> levels_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] std::int64_t stock_ = 0;
};
