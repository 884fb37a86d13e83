#pragma once

namespace port {

class [[autoshard::entity]] Harbour {
 public:
  explicit Harbour(int number) : number_(number) {}

  // wrong:
  [[autoshard::shard_method]] void moor(long length, long width) {
    for (long at = 0; at < length * width; at += length + 1) ++berths_;
  }
  // right:
  // [[autoshard::shard_method(trusted = "the loop only counts, by its parameters")]]
  // void moor(long length, long width) {
  //   for (long at = 0; at < length * width; at += length + 1) ++berths_;
  // }
  // wrong:
  [[autoshard::shard_method(trusted = "")]] void leave(long berths) { berths_ -= berths; }
  // right:
  // [[autoshard::shard_method]] void leave(long berths) { berths_ -= berths; }

 private:
  [[autoshard::shard_fold]] static long total(long a, long b) { return a + b; }
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] long berths_ = 0;
};

}  // namespace port
