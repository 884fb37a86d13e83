// Shapes that nobody writes by hand, and that random headers were found to have.
#pragma once

namespace odd {

class Neighbour;
class [[autoshard::entity("OddNeighbour")]] Neighbour {
 public:
  [[autoshard::shard_method]] void up() { ++votes_; }
  int votes() const { return votes_; }

 private:
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int votes_ = 0;
};class Neighbour;

}  // namespace odd
