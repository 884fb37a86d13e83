// A number for each way to shard one: bounded, dynamic, replaced as a whole, and adaptive.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace airline {

class [[autoshard::entity]] Flight {
 public:
  static constexpr int kSeats = 1000;

  explicit Flight(int number, int seats = 0) : number_(number), seats_(seats) {}

  [[autoshard::shard_method]] void book(int seats) { seats_ -= seats; }
  [[autoshard::shard_method]] void like() { ++likes_; }
  [[autoshard::shard_method]] void rate(int points) { score_ += points; }
  [[autoshard::shard_write]] void reset_score(int score) { score_ = score; }
  [[autoshard::shard_method]] void view() { ++views_; }
  void set_to(std::string to) { to_ = std::move(to); }

  int number() const { return number_; }
  const std::string& to() const { return to_; }
  int seats() const { return seats_; }
  std::int64_t likes() const { return likes_; }
  int score() const { return score_; }
  int views() const { return views_; }

 private:
  [[autoshard::id]] int number_;
  std::string to_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, min = 0, max = kSeats)]] int seats_ =
      0;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] std::int64_t likes_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int score_ = 0;
  [[autoshard::shardable(neutral = 0, shards = adaptive(1, 16), fold = std::plus<>{})]] int views_ = 0;
};

}  // namespace airline
