#pragma once
#include <cstdint>
#include <string>

// A garage with gates that count in and out. The entity was meant for the application's own use only.
namespace city {
class Garage {
 public:
  explicit Garage(std::string name) : name_(std::move(name)) {}

 private:
  class [[autoshard::entity]] Deck {  // expect: autoshard-entity-place
   public:
    [[autoshard::shard_method]] void Enter() { ++cars_; }
    [[autoshard::shard_method]] void Leave() { --cars_; }

   private:
    [[autoshard::id]] int level_ = 0;
    [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int cars_ = 0;
  };

  std::string name_;
  Deck deck_;
};
}  // namespace city
