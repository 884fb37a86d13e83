#pragma once
#include <string>

namespace fleet {

// wrong:
class [[autoshard::entity]] Vehicle {
// expect: autoshard-entity-abstract: entity 'Vehicle' is abstract, so no object can be loaded; implement its
//     pure virtual methods
 public:
  virtual ~Vehicle() = default;
  virtual double consumption() const = 0;
// right:
// class [[autoshard::entity]] Vehicle {
//  public:
//   virtual ~Vehicle() = default;
//   virtual double consumption() const { return 0; }
  [[autoshard::shard_method]] void drive(unsigned metres) { metres_ += metres; }
  unsigned long metres() const { return metres_; }

 private:
  [[autoshard::shard_fold]] static unsigned long sum(unsigned long a, unsigned long b) { return a + b; }

  [[autoshard::id]] std::string plate_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] unsigned long metres_ = 0;
};

}  // namespace fleet
