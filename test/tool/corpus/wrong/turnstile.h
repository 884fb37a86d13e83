#pragma once
#include <functional>
#include <string>

namespace transit {

/// Its source was forgotten: nobody gave it to the generator.
class [[autoshard::entity]] Turnstile {
 public:
  explicit Turnstile(std::string station) : station_(std::move(station)) {}
  [[autoshard::shard_method]] void passed() { ++passengers_; }
  int passengers() const;
  static int capacity();
  // wrong:
  void startDay();
  // expect: autoshard-plain-method-body: 'startDay' may change a sharded member, and the change would be
  //     lost; no file that was given defines it, so it cannot be checked; name the source that does, perhaps
  //     'turnstile.cpp' (--source, or SOURCES of autoshard_generate), or make it const if it only reads
  // right:
  // [[autoshard::shard_write]] void startDay() { passengers_ = 0; }

 private:
  [[autoshard::id]] std::string station_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int passengers_ = 0;
};

}  // namespace transit
