#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace ledger {

class [[autoshard::entity]] Network {
 public:
  // wrong:
  struct Shard {
  // expect: autoshard-collision: 'Shard' is the name of something that the companion class adds; rename this
  // right:
  // struct Node {
    std::uint32_t number = 0;
    std::string leader;
  };

  explicit Network(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void transferred(std::uint64_t coins) { volume_ += coins; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{})]] std::uint64_t volume_ = 0;
};

}  // namespace ledger
