#pragma once
#include <functional>
#include <string>
#include <vector>

namespace chess {

class Club;

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void changed(const Club& club) = 0;
};

class [[autoshard::entity]] Club {
 public:
  explicit Club(std::string name) : name_(std::move(name)) {}
  // wrong:
  [[autoshard::shard_method]] void played(Listener& listener) {
    ++games_;
    listener.changed(*this);
    // expect: autoshard-shard-method-escape: shard method 'played' passes 'this' on; it runs on a shard too,
    //     which has nothing but sharded members and shard methods
  // right:
  // [[autoshard::shard_method]] void played() {
  //   ++games_;
  }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int games_ = 0;
};

}  // namespace chess
