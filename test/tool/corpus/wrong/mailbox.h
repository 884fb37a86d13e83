#pragma once
#include <memory>
#include <string>
#include <vector>

namespace mail {

struct Letter {
  std::string from;
  std::string text;
};

class [[autoshard::entity]] Mailbox {
 public:
  using Letters = std::vector<std::unique_ptr<Letter>>;

  explicit Mailbox(std::string owner) : owner_(std::move(owner)) {}
  std::size_t size() const { return letters_.size(); }

 private:
  [[autoshard::shard_fold]] static Letters joined(Letters a, Letters b) {
    for (std::unique_ptr<Letter>& letter : b) a.push_back(std::move(letter));
    return a;
  }

  [[autoshard::id]] std::string owner_;
  [[autoshard::shardable(neutral = {}, shards = 8, order = any)]] Letters letters_;  // expect: autoshard-not-copyable
};

}  // namespace mail
