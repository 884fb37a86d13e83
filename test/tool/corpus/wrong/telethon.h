#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace telethon {

// The studio's wall wants to see a donation at once.
class [[autoshard::entity("Appeal")]] Appeal {
 public:
  Appeal(std::string region, std::string presenter)
      : region_(std::move(region)), presenter_(std::move(presenter)) {}

  [[autoshard::shard_method]] void pledge(std::int64_t cents) {
    cents_ += cents;
    largest_ = std::max(largest_, cents);
  }
  [[autoshard::shard_fold(cents_)]] static std::int64_t add(std::int64_t a, std::int64_t b) { return a + b; }
  [[autoshard::shard_fold(largest_)]] static std::int64_t larger(std::int64_t a, std::int64_t b) {
    return std::max(a, b);
  }

 private:
  [[autoshard::id]] std::string region_;
  std::string presenter_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 32),
    autoshard::index(staleness = 0)]]
    // expect: autoshard-index-staleness: the staleness of an index is a constant number of seconds, from 1 to
    //     86400
  std::int64_t cents_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 32),
  //   autoshard::index(staleness = 1)]]
  // std::int64_t cents_ = 0;
  [[autoshard::shardable(neutral = INT64_MIN, shards = 32)]] std::int64_t largest_ = INT64_MIN;
};

}  // namespace telethon
