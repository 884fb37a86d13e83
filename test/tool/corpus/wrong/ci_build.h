#pragma once
#include <map>
#include <string>

namespace ci {

class [[autoshard::entity]] Project {
 public:
  using Counts = std::map<std::string, int>;

  explicit Project(std::string repository) : repository_(std::move(repository)) {}

  // So that callers can write `project.of("linux")++`.
  [[autoshard::shard_method]] int& of(const std::string& platform) { return builds_[platform]; }  // expect: autoshard-shard-method-result

 private:
  [[autoshard::shard_fold]] static Counts add(Counts a, const Counts& b) {
    for (const auto& [platform, count] : b) a[platform] += count;
    return a;
  }

  [[autoshard::id]] std::string repository_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Counts builds_;
};

}  // namespace ci
