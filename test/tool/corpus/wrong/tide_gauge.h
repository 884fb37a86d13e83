#pragma once
#include <functional>

namespace tides {

class [[autoshard::entity]] Gauge {
 public:
  explicit Gauge(int id) : id_(id) {}
  [[autoshard::shard_method]] void measured() { ++measurements_; }
  int checksum() const {
    // wrong:
    const auto& [id, height, measurements] = *this;
    // expect: autoshard-decomposition: this structured binding takes a 'Gauge' apart, whose companion class
    //     has one more member; name the members that are wanted
    return id ^ static_cast<int>(height) ^ measurements;
    // right:
    // return id_ ^ static_cast<int>(height_) ^ measurements_;
  }

 private:
  [[autoshard::id]] int id_;
  double height_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int measurements_ = 0;
};

}  // namespace tides
