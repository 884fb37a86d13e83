#pragma once
#include <functional>
#include <string>

namespace library {

class [[autoshard::entity]] Book {
 public:
  explicit Book(std::string isbn) : isbn_(std::move(isbn)) {}

  [[autoshard::shard_method]] void Lend() { ++lent_; }
  [[autoshard::shard_method]] void Return() { --lent_; }
  // Every January.
  // wrong:
  void StartYear() {
    lent_ = 0;
    // expect: autoshard-plain-write: 'StartYear' may change the sharded member 'lent_' and uses 'year_',
    //     which is not sharded; move what changes 'lent_' into a shard method, and call that
    year_ += 1;
  }
  // right:
  // void StartYear() {
  //   Reset();
  //   year_ += 1;
  // }
  // [[autoshard::shard_write]] void Reset() { lent_ = 0; }
  int lent() const { return lent_; }

 private:
  [[autoshard::id]] std::string isbn_;
  int year_ = 2024;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int lent_ = 0;
};

}  // namespace library
