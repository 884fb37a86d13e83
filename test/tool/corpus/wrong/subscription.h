#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace press {

// wrong:
class [[autoshard::entity]] Subscription {
// expect: autoshard-no-id: entity 'Subscription' has no id; mark one of its members [[autoshard::id]]
// right:
// class [[autoshard::entity]] Subscription {
 public:
  explicit Subscription(std::string reader) : reader(std::move(reader)) {}
  [[autoshard::shard_method]] void read_article() { articles += 1; }

  const std::string reader_name() const { return reader; }

 private:
  // wrong:
  std::string reader;
  // right:
  // [[autoshard::id]] std::string reader;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] std::uint64_t articles = 0;
};

}  // namespace press
