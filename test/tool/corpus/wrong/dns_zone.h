#pragma once
#include <cstdlib>
#include <functional>
#include <string>

namespace dns {

/// As many as the machine can bear.
// wrong:
inline int shards_wanted() {
  const char* given = std::getenv("DNS_SHARDS");
  return given ? std::atoi(given) : 4;
}
// right:
// inline constexpr int kShards = 4;

class [[autoshard::entity]] Zone {
 public:
  explicit Zone(std::string origin) : origin_(std::move(origin)) {}
  [[autoshard::shard_method]] void queried() { ++queries_; }

 private:
  [[autoshard::id]] std::string origin_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = shards_wanted(), fold = std::plus<>{})]] long queries_ = 0;
  // expect: autoshard-shards-not-constant: the number of shards is not a constant that is known here; write a
  //     constant expression of integers
  // right:
  // [[autoshard::shardable(neutral = 0, shards = kShards, fold = std::plus<>{})]] long queries_ = 0;
};

}  // namespace dns
