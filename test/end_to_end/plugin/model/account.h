#pragma once

#include <string>
#include <utility>
#include <vector>

namespace bank {

class [[autoshard::entity]] Account {
 public:
  Account(int number, std::string owner) : number_(number), owner_(std::move(owner)) {}

  [[autoshard::shard_method]] void deposit(long cents) { balance_ += cents; }
  [[autoshard::shard_method]] void withdraw(long cents);
  [[autoshard::shard_fold]] static long sum(long a, long b) { return a + b; }

  long balance() const { return balance_; }
  const std::string& owner() const { return owner_; }
  void note(std::string remark) { remarks_.push_back(std::move(remark)); }
  std::size_t remarks() const { return remarks_.size(); }

 private:
  [[autoshard::id]] int number_;
  std::string owner_;
  std::vector<std::string> remarks_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] long balance_ = 0;
};

}  // namespace bank
