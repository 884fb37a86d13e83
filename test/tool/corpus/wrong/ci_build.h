#pragma once
#include <map>
#include <string>

namespace ci {

class [[autoshard::entity]] Project {
 public:
  using Counts = std::map<std::string, int>;

  explicit Project(std::string repository) : repository_(std::move(repository)) {}

  // wrong:
  // So that callers can write `project.of("linux")++`.
  [[autoshard::shard_method]] int& of(const std::string& platform) { return builds_[platform]; }
  // expect: autoshard-shard-method-result: shard method 'of' returns a reference, pointer, view or iterator,
  //     which may lead into a value that is replaced; return a value, or '*this'
  // right:
  // [[autoshard::shard_method]] void built(const std::string& platform) { ++builds_[platform]; }

 private:
  [[autoshard::shard_fold]] static Counts add(Counts a, const Counts& b) {
    for (const auto& [platform, count] : b) a[platform] += count;
    return a;
  }

  [[autoshard::id]] std::string repository_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Counts builds_;
};

}  // namespace ci
