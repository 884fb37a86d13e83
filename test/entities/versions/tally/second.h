// A later version than FirstTally: its names sort before those of the first.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace poll {

class [[autoshard::entity("Tally")]] SecondTally {
 public:
  static constexpr std::int64_t kMostSeats = 100;

  explicit SecondTally(int id, int votes = 0, int views = 0, std::int64_t seats = 0)
      : id_(id), likes_(votes), hits_(views), places_(seats) {}

  [[autoshard::shard_method]] void vote(int votes) { likes_ += votes; }
  [[autoshard::shard_method]] void view(int views) { hits_ += views; }
  [[autoshard::shard_method]] void sell(std::int64_t seats) { places_ -= seats; }
  [[autoshard::shard_write]] void set_votes(int votes) { likes_ = votes; }
  [[autoshard::shard_write]] void set_views(int views) { hits_ = views; }
  [[autoshard::shard_write]] void set_seats(std::int64_t seats) { places_ = seats; }

  int id() const { return id_; }
  int votes() const { return likes_; }
  int views() const { return hits_; }
  std::int64_t seats() const { return places_; }

  std::string title;

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}),
    autoshard::also_load("votes")]] int likes_ = 0;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{}), autoshard::also_load("views")]] int hits_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = 0, max = kMostSeats),
    autoshard::also_load("seats")]] std::int64_t places_ = 0;
};

}  // namespace poll
