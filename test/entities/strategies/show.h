// Every way to shard a value.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace theatre {

/// An evening at the theatre.
class [[autoshard::entity]] Show {
 public:
  static constexpr int kSeats = 200;
  using Tags = std::set<std::string>;

  explicit Show(std::string title) : title_(std::move(title)) {}

  [[autoshard::shard_method]] void like() { ++likes_; }
  [[autoshard::shard_method]] void view(long times = 1) { views_ += times; }
  [[autoshard::shard_method]] void book(int seats) { booked_ += seats; }
  [[autoshard::shard_method]] void cancel(int seats) { booked_ -= seats; }
  [[autoshard::shard_method]] void rate(int stars) {
    stars_ += stars;
    ++ratings_;
  }
  [[autoshard::shard_method]] void tag(const std::string& tag) { tags_.insert(tag); }

  /// Forgets what was.
  [[autoshard::shard_write]] void resetRatings() {
    // Both at once.
    stars_ = 0;
    ratings_ = 0;
  }
  [[autoshard::shard_write]] int startWith(int stars) {
    resetRatings();
    stars_ = stars;
    return stars_ = 2 * stars;
  }
  [[autoshard::shard_write]] Show& resetViews(long views = 0) try /* { */ {
    views_ = views;
    return *this;
  } catch (...) {
    throw;
  }
  [[autoshard::shard_write]] void untag() { tags_.clear(); }

  long likes() const { return likes_; }
  long views() const { return views_; }
  int booked() const { return booked_; }
  int stars() const { return stars_; }
  int ratings() const { return ratings_; }
  const Tags& tags() const { return tags_; }

 private:
  static Tags unite(Tags one, const Tags& other) {
    one.insert(other.begin(), other.end());
    return one;
  }
  static constexpr short least() { return -5; }

  [[autoshard::id]] std::string title_;
  // Each update is a record.
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] long likes_ = 0;
  [[autoshard::shardable(neutral = {}, fold = unite)]] Tags tags_;
  // As many shards as the load asks for.
  [[autoshard::shardable(neutral = 0, shards = adaptive, fold = std::plus<>{})]] long views_ = 0;
  [[autoshard::shardable(neutral = 0, shards = adaptive(2, 16), fold = std::plus<>{}, min = 0, max = kSeats)]] int
      booked_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = least())]] short balance_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int stars_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int ratings_ = 0;
};

}  // namespace theatre
