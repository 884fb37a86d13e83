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
  void StartYear() {
    lent_ = 0;  // expect: autoshard-plain-write
    year_ += 1;
  }
  int lent() const { return lent_; }

 private:
  [[autoshard::id]] std::string isbn_;
  int year_ = 2024;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int lent_ = 0;
};

}  // namespace library
