// A shop: an entity already, of which nothing is sharded yet.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace shop {

struct Review {
  std::string author;
  int stars = 0;
};

class [[autoshard::entity("Article")]] Product {
 public:
  Product(std::int64_t number, std::string name, int stock)
      : number_(number), name_(std::move(name)), stock_(stock) {}

  [[autoshard::shard_method]] Product& viewed() {
    ++views_;
    return *this;
  }

  /// Several at once, in cents.
  [[autoshard::shard_method]] void sold(int pieces, std::int64_t price) {
    if (pieces < 1) throw std::invalid_argument("nothing sold");
    sold_ += pieces;
    revenue_ = revenue_ + pieces * price;
  }
  [[autoshard::shard_method]] void returned(int pieces, std::int64_t price) {
    sold_ -= pieces, revenue_ -= pieces * price;
  }

  [[autoshard::shard_method]]
  void review(Review review) { reviews_.push_back(std::move(review)); }
  [[autoshard::shard_method]]
  void ask(const std::string& text) { questions_.emplace_back(text); }

  // Sold out is sold out.
  void take(int pieces) {
    if (pieces > stock_) throw std::out_of_range("sold out");
    stock_ -= pieces;
  }
  // The average depends on how many there were before.
  void rate(double stars) { average_ += (stars - average_) / ++ratings_; }
  // The clerk's name is that of the last one.
  void adjust(const std::string& clerk) {
    ++adjustments_;
    clerk_ = clerk;
  }
  int next_label() { return ++labels_; }

  std::int64_t number() const { return number_; }
  int sold() const { return sold_; }
  std::int64_t revenue() const { return revenue_; }
  const std::vector<Review>& reviews() const { return reviews_; }

 private:
  [[autoshard::id]] std::int64_t number_;
  std::string name_;
  int stock_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
  std::uint64_t views_{};
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
  int sold_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
  std::int64_t revenue_ = 0;
  [[autoshard::shard_group(shards = 8)]] std::vector<Review> reviews_;
  [[autoshard::shard_group(shards = 8)]] std::list<std::string> questions_;
  double average_ = 0;
  int ratings_ = 0;
  int adjustments_ = 0;
  std::string clerk_;
  int labels_ = 0;
};

}  // namespace shop
