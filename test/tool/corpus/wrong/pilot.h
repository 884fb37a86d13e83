#pragma once

namespace port {

/// The draught of the ship that goes deepest.
class [[autoshard::entity]] Pilot {
 public:
  explicit Pilot(int number) : number_(number) {}

  // wrong:
  [[autoshard::shard_method(trusted = "")]] void guide(unsigned long draught) {
  // expect: autoshard-trusted-reason: 'trusted' needs the reason why the law holds, as a string: trusted =
  //     "ids are unique, so there are no ties"
    deepest_ = deeper(deepest_, draught);
  }
  // right:
  // [[autoshard::shard_method]] void guide(unsigned long draught) { deepest_ = deeper(deepest_, draught); }
  unsigned long deepest() const { return deepest_; }

 private:
  [[autoshard::shard_fold]] static unsigned long deeper(unsigned long a, unsigned long b) {
    return a < b ? b : a;
  }
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] unsigned long deepest_ = 0;
};

}  // namespace port
