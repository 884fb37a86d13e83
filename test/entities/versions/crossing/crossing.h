// Bounded numbers that are not the first sharded property, and two of them in one update.
#pragma once

#include <functional>

namespace ferry {

class [[autoshard::entity]] Crossing {
 public:
  explicit Crossing(int number, int cars = 0, int people = 0)
      : number_(number), cars_(cars), people_(people) {}

  [[autoshard::shard_method]] void view() { ++views_; }
  [[autoshard::shard_method]] void board(int cars, int people) {
    cars_ += cars;
    people_ += people;
  }

  int views() const { return views_; }
  int cars() const { return cars_; }
  int people() const { return people_; }

 private:
  static constexpr int kCars = 10, kPeople = 100;

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int views_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = 0, max = kCars)]] int cars_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = 0,
                         max = kPeople)]] int people_ = 0;
};

}  // namespace ferry
