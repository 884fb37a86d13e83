// Properties that once had other names, and one that is sharded only since it has its new one.
#pragma once

#include <string>
#include <utility>

namespace forum {

class [[autoshard::entity]] Profile {
 public:
  Profile(int number, std::string name) : number_(number), display_name_(std::move(name)) {}
  [[autoshard::shard_method]] void like() { ++praise_; }
  [[autoshard::shard_method]] void visit() { ++views_; }
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }
  const std::string& name() const { return display_name_; }
  void rename(std::string name) { display_name_ = std::move(name); }
  int praise() const { return praise_; }
  int views() const { return views_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::also_load("name"), autoshard::also_load("nick_")]] std::string display_name_;
  [[autoshard::shardable(neutral = 0, shards = 4), autoshard::also_load("likes", "thumbs")]] int praise_ = 0;
  [[autoshard::also_load("visits")]] [[autoshard::shardable(neutral = 0, shards = 2)]] int views_ = 0;
};

}  // namespace forum
