#pragma once
#include <functional>

namespace tides {

class [[autoshard::entity]] Gauge {
 public:
  explicit Gauge(int id) : id_(id) {}
  [[autoshard::shard_method]] void measured() { ++measurements_; }
  int checksum() const {
    const auto& [id, height, measurements] = *this;  // expect: autoshard-decomposition
    return id ^ static_cast<int>(height) ^ measurements;
  }

 private:
  [[autoshard::id]] int id_;
  double height_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int measurements_ = 0;
};

}  // namespace tides
