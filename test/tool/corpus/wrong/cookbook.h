#pragma once
#include <set>
#include <string>

namespace cookbook {

class [[autoshard::entity]] Dish {
 public:
  explicit Dish(std::string name) : name_(std::move(name)) {}

  [[autoshard::shard_method]] void liked_by(const std::string& reader) { likers_.insert(reader); }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::index(elements)]] std::set<std::string> ingredients_;
  // wrong:
  [[autoshard::shardable(neutral = {}, shards = 8, fold = unite)]]
  [[autoshard::index(elements)]]
  // expect: autoshard-index-elements: 'likers_' is sharded, and an index of elements is for collections that
  //     are not; remove 'elements', or the sharding
  std::set<std::string> likers_;
  // right:
  // [[autoshard::shardable(neutral = {}, shards = 8, fold = unite)]]
  // std::set<std::string> likers_;

  static std::set<std::string> unite(std::set<std::string> one, const std::set<std::string>& other) {
    one.insert(other.begin(), other.end());
    return one;
  }
};

}  // namespace cookbook
