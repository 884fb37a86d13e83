// The version of the class Song before it had an index.
#pragma once

#include <functional>

namespace radio {

class [[autoshard::entity("Song")]] FormerSong {
 public:
  explicit FormerSong(int number) : number_(number) {}

  [[autoshard::shard_method]] void play(int times) { plays_ += times; }
  int number() const { return number_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int plays_ = 0;
};

}  // namespace radio
