#ifndef FEED_H_
#define FEED_H_

// A social network's feed. Everything is hot, and nobody counts the shards. Style: Google, before C++11 in spirit.

#include <stdint.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "feed_types.h"

namespace feed {

typedef int64_t UserId;

class [[autoshard::entity("feed.Post")]] Post {
 public:
  Post() : id_(0) {}
  Post(int64_t id, const std::string& text) : id_(id), text_(text) {}

  [[autoshard::shard_method]] void Like();
  [[autoshard::shard_method]] void Unlike();
  [[autoshard::shard_method]] void Comment(const std::string& text);
  [[autoshard::shard_method]] void SeenBy(UserId user);

  // After a moderator has been here.
  [[autoshard::shard_write]] void SetLikes(int64_t likes);
  [[autoshard::shard_write]] void DropComments();
  [[autoshard::shard_write]] void StartOver() {
    SetLikes(0);
    DropComments();
  }

  int64_t likes() const { return likes_; }
  const std::vector<std::string>& comments() const { return comments_; }
  size_t reach() const { return seen_by_.size(); }

 private:
  [[autoshard::shard_fold]] static std::vector<std::string> Join(const std::vector<std::string>& one,
                                                                const std::vector<std::string>& other);
  [[autoshard::shard_fold]] static std::set<UserId> Unite(std::set<UserId> one, const std::set<UserId>& other) {
    one.insert(other.begin(), other.end());
    return one;
  }

  [[autoshard::id]] int64_t id_;
  std::string text_;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] int64_t likes_ = 0;
  [[autoshard::shardable(neutral = {}, order = any)]] std::vector<std::string> comments_;
  [[autoshard::shardable(neutral = {}, shards = adaptive)]] std::set<UserId> seen_by_;
};

}  // namespace feed

#endif  // FEED_H_
