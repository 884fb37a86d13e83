#pragma once
#include <functional>
#include <string>

namespace album {

class [[autoshard::entity]] Photo {
 public:
  explicit Photo(std::string file) : file_(std::move(file)) {}
  [[autoshard::shard_method]] void liked() { ++likes_; }

 private:
  [[autoshard::id]] std::string file_;
  // wrong:
  [[autoshard::transcient]] int width_ = 0;
  // expect: autoshard-unknown-attribute: there is no attribute 'autoshard::transcient'; did you mean
  //     'transient'?
  // right:
  // [[autoshard::transient]] int width_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int likes_ = 0;
};

}  // namespace album
