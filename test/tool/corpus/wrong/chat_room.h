#pragma once
#include <deque>
#include <string>
#include <utility>

namespace chat {

struct Line {
  std::string who;
  std::string said;
};

class [[autoshard::entity]] Room {
 public:
  explicit Room(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void say(const std::string& who, const std::string& what) {
    lines_.push_back({who, what});
  }

 private:
  using Lines = std::deque<Line>;
  [[autoshard::shard_fold]] static Lines append(Lines a, const Lines& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] std::string name_;
  // wrong:
  [[autoshard::shardable(neutral = {}, shards = 8, order = time)]] Lines lines_;
  // expect: autoshard-order: there is no order 'time'; write 'order = any' where the order of the elements
  //     does not matter, or leave it out
  // right:
  // [[autoshard::shardable(neutral = {}, shards = 8, order = any)]] Lines lines_;
};

}  // namespace chat
