#pragma once
#include <cstdint>
#include <string>

// A garage with gates that count in and out. The entity was meant for the application's own use only.
namespace city {
// wrong:
class Garage {
 public:
  explicit Garage(std::string name) : name_(std::move(name)) {}

 private:
  class [[autoshard::entity]] Deck {
  // expect: autoshard-entity-place: 'Deck' is inside a class; move it to a namespace
   public:
    [[autoshard::shard_method]] void Enter() { ++cars_; }
    [[autoshard::shard_method]] void Leave() { --cars_; }

   private:
    [[autoshard::id]] int level_ = 0;
    [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int cars_ = 0;
  };
// right:
// class [[autoshard::entity]] Deck {
//  public:
//   [[autoshard::shard_method]] void Enter() { ++cars_; }
//   [[autoshard::shard_method]] void Leave() { --cars_; }
//
//  private:
//   [[autoshard::id]] int level_ = 0;
//   [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int cars_ = 0;
// };
//
// class Garage {
//  public:
//   explicit Garage(std::string name) : name_(std::move(name)) {}
//
//  private:

  std::string name_;
  Deck deck_;
};
}  // namespace city
