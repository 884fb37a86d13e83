// The first version of the class Tally.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace poll {

class [[autoshard::entity("Tally")]] FirstTally {
 public:
  static constexpr std::int64_t kMostSeats = 100;

  explicit FirstTally(int id, int votes = 0, int views = 0, std::int64_t seats = 0)
      : id_(id), votes_(votes), views_(views), seats_(seats) {}

  [[autoshard::shard_method]] void vote(int votes) { votes_ += votes; }
  [[autoshard::shard_method]] void view(int views) { views_ += views; }
  [[autoshard::shard_method]] void sell(std::int64_t seats) { seats_ -= seats; }
  [[autoshard::shard_write]] void set_votes(int votes) { votes_ = votes; }
  [[autoshard::shard_write]] void set_views(int views) { views_ = views; }
  [[autoshard::shard_write]] void set_seats(std::int64_t seats) { seats_ = seats; }

  int id() const { return id_; }
  int votes() const { return votes_; }
  int views() const { return views_; }
  std::int64_t seats() const { return seats_; }

  std::string title;

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int votes_ = 0;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] int views_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = 0,
                         max = kMostSeats)]] std::int64_t seats_ = 0;
};

}  // namespace poll
