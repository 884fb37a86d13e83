#pragma once

#include <functional>
#include <string>
#include <utility>

namespace maps {

struct LatLon {
  double lat = 0;
  double lon = 0;
};

class [[autoshard::entity]] Tile {
 public:
  explicit Tile(LatLon corner) : corner_(corner) {}
  [[autoshard::shard_method]] void served() { ++served_; }

 private:
  [[autoshard::id]] LatLon corner_;  // expect: autoshard-id-type
  std::string url_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long served_ = 0;
};

}  // namespace maps
