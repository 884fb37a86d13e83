#pragma once
#include <functional>
#include <string>

namespace city::air {

class [[autoshard::entity]] Sensor {
 public:
  explicit Sensor(std::string where) : where_(std::move(where)) {}

  [[autoshard::shard_method]] void measured() { ++measured_; }
  // wrong:
  [[autoshard::shard_method]] static void measured_all(int n) { all_ += n; }
  // expect: autoshard-shard-method-static: shard method 'measured_all' is static; a shard method updates the
  //     sharded members of one object, so drop 'static' or the attribute
  // right:
  // [[autoshard::shard_method]] void measured_all(int n) { measured_ += n; }

 private:
  inline static long all_ = 0;
  [[autoshard::id]] std::string where_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long measured_ = 0;
};

}  // namespace city::air
