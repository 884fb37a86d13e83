#pragma once

namespace port {

class [[autoshard::entity]] Quay {
 public:
  explicit Quay(int number) : number_(number) {}

  // wrong:
  [[autoshard::shard_method]] void moor(long length, long width) {
  // expect: autoshard-law-not-proved: it is not proved that moor gives the same on whichever shard it runs: a
  //     loop whose number of rounds is not constant; it was tried on 451 of 729 combinations of values;
  //     rewrite it, add law tests, or give the reason why it holds: shard_method(trusted = "…")
    for (long at = 0; at < length * width; at += length + 1) ++berths_;
  }
  // right:
  // [[autoshard::shard_method(trusted = "the loop only counts, by its parameters")]]
  // void moor(long length, long width) {
  //   for (long at = 0; at < length * width; at += length + 1) ++berths_;
  // }
  [[autoshard::shard_method]] void leave(long berths) { berths_ -= berths; }

 private:
  [[autoshard::shard_fold]] static long total(long a, long b) { return a + b; }
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] long berths_ = 0;
};

}  // namespace port
