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
  // wrong:
  explicit Tile(LatLon corner) : corner_(corner) {}
  // right:
  // explicit Tile(LatLon corner) : number_(number_of(corner)), corner_(corner) {}
  [[autoshard::shard_method]] void served() { ++served_; }

 private:
  // wrong:
  [[autoshard::id]] LatLon corner_;
  // expect: autoshard-id-type: id 'corner_' has type 'maps::LatLon'; an id is an integer, a bool, an enum, a
  //     std::string, a std::array of bytes, or a struct with one of these as its only member and without
  //     constructors
  // right:
  // [[autoshard::id]] long number_;
  // LatLon corner_;
  // static long number_of(const LatLon& corner);
  std::string url_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long served_ = 0;
};

}  // namespace maps
