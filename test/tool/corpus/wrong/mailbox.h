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
  // wrong:
  using Letters = std::vector<std::unique_ptr<Letter>>;
  // right:
  // using Letters = std::vector<Letter>;

  explicit Mailbox(std::string owner) : owner_(std::move(owner)) {}
  std::size_t size() const { return letters_.size(); }

 private:
  // wrong:
  [[autoshard::shard_fold]] static Letters joined(Letters a, Letters b) {
    for (std::unique_ptr<Letter>& letter : b) a.push_back(std::move(letter));
    return a;
  // right:
  // [[autoshard::shard_fold]] static Letters joined(Letters a, const Letters& b) {
  //   a.insert(a.end(), b.begin(), b.end());
  //   return a;
  }

  [[autoshard::id]] std::string owner_;
  // wrong:
  [[autoshard::shardable(neutral = {}, shards = 8, order = any)]] Letters letters_;
  // expect: autoshard-not-copyable: sharded member 'letters_' has type 'mail::Mailbox::Letters', which cannot
  //     be copied, but shard methods run on copies; hold the values themselves instead of pointers to them
  // right:
  // [[autoshard::shardable(neutral = {}, shards = 8, order = any)]] Letters letters_;
};

}  // namespace mail
