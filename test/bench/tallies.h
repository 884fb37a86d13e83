#pragma once

#include <functional>

/// A number, sharded in each of the ways there are.
namespace tallies {

class [[autoshard::entity]] Static {
 public:
  explicit Static(int id) : id_(id) {}
  [[autoshard::shard_method]] void add(int by) { value_ += by; }
  int value() const { return value_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 1, fold = std::plus<>{})]] int value_ = 0;
};

class [[autoshard::entity]] Adaptive {
 public:
  explicit Adaptive(int id) : id_(id) {}
  [[autoshard::shard_method]] void add(int by) { value_ += by; }
  int value() const { return value_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = adaptive(1, 64), fold = std::plus<>{})]] int value_ = 0;
};

class [[autoshard::entity]] Bounded {
 public:
  explicit Bounded(int id) : id_(id) {}
  [[autoshard::shard_method]] void add(int by) { value_ += by; }
  int value() const { return value_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 1, fold = std::plus<>{}, min = 0,
                         max = 1000000000)]] int value_ = 0;
};

class [[autoshard::entity]] Replaced {
 public:
  explicit Replaced(int id) : id_(id) {}
  [[autoshard::shard_method]] void add(int by) { value_ += by; }
  [[autoshard::shard_write]] void set(int value) { value_ = value; }
  int value() const { return value_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 1, fold = std::plus<>{})]] int value_ = 0;
};

class [[autoshard::entity]] Dynamic {
 public:
  explicit Dynamic(int id) : id_(id) {}
  [[autoshard::shard_method]] void add(int by) { value_ += by; }
  int value() const { return value_; }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] int value_ = 0;
};

}  // namespace tallies
