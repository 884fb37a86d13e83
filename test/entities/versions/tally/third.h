// A later version than SecondTally: its names sort behind those of the first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace poll {

class [[autoshard::entity("Tally")]] ThirdTally {
 public:
  static constexpr std::int64_t kMostSeats = 100;

  explicit ThirdTally(int id, int votes = 0, int views = 0, std::int64_t seats = 0)
      : id_(id), zeal_(votes), visits_(views), tickets_(seats) {}

  [[autoshard::shard_method]] void vote(int votes) { zeal_ += votes; }
  [[autoshard::shard_method]] void view(int views) { visits_ += views; }
  [[autoshard::shard_method]] void sell(std::int64_t seats) { tickets_ -= seats; }
  [[autoshard::shard_write]] void set_votes(int votes) { zeal_ = votes; }
  [[autoshard::shard_write]] void set_views(int views) { visits_ = views; }
  [[autoshard::shard_write]] void set_seats(std::int64_t seats) { tickets_ = seats; }

  int id() const { return id_; }
  int votes() const { return zeal_; }
  int views() const { return visits_; }
  std::int64_t seats() const { return tickets_; }

  std::string title;

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}),
    autoshard::also_load("votes", "likes")]] int zeal_ = 0;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{}),
    autoshard::also_load("views", "hits")]] int visits_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = 0, max = kMostSeats),
    autoshard::also_load("seats", "places")]] std::int64_t tickets_ = 0;
};

}  // namespace poll
