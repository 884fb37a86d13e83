#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace firewall {

#define COUNTS(method, member) \
  void method() { ++member; }

class [[autoshard::entity]] Rule {
 public:
  explicit Rule(std::string name) : name_(std::move(name)) {}
  // wrong:
  [[autoshard::shard_method]] COUNTS(hit, hits_)
  // expect: autoshard-shard-method-macro: shard method 'hit' comes out of a macro; write the method out (its
  //     attribute may come out of one)
  // right:
  // [[autoshard::shard_method]] void hit() { ++hits_; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::uint64_t hits_ = 0;
};

#undef COUNTS

}  // namespace firewall
