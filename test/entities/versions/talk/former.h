// The version of the class Talk before it had indexes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

namespace conference {

class [[autoshard::entity("Talk")]] FormerTalk {
 public:
  explicit FormerTalk(int number, int seats = 0) : number_(number), seats_(seats) {}

  [[autoshard::shard_method]] void book(int seats) { seats_ -= seats; }
  [[autoshard::shard_method]] void like() { ++likes_; }
  [[autoshard::shard_method]] void rate(int points) { score_ += points; }
  [[autoshard::shard_write]] void reset_score(int score) { score_ = score; }
  [[autoshard::shard_method]] void praise(const std::string& words) { best_ = std::max(best_, words); }

  std::string room;
  int number() const { return number_; }
  int seats() const { return seats_; }
  std::int64_t likes() const { return likes_; }
  int score() const { return score_; }
  const std::string& best() const { return best_; }

 private:
  static constexpr int kSeats = 1000;
  static std::string greater(std::string x, const std::string& y) { return std::max(x, y); }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, min = 0, max = kSeats)]] int seats_ =
      0;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] std::int64_t likes_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int score_ = 0;
  [[autoshard::shardable(neutral = {}, shards = adaptive(1, 16), fold = greater)]] std::string best_;
};

}  // namespace conference
