// A text as the id, and two sharded properties that one method changes: a number and a set.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace shop {

class [[autoshard::entity]] Stock {
 public:
  explicit Stock(std::string article, std::int64_t pieces = 0)
      : article_(std::move(article)), pieces_(pieces) {}

  [[autoshard::shard_method]] void sell(std::int64_t pieces, std::string buyer) {
    pieces_ -= pieces;
    buyers_.insert(std::move(buyer));
  }
  [[autoshard::shard_method]] void refill(std::int64_t pieces) { pieces_ += pieces; }
  void set_price(double price) { price_ = price; }

  const std::string& article() const { return article_; }
  double price() const { return price_; }
  std::int64_t pieces() const { return pieces_; }
  const std::set<std::string>& buyers() const { return buyers_; }

 private:
  /// Modulo 2^64: the records of the fuzzer hold any numbers.
  static std::int64_t add(std::int64_t x, std::int64_t y) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  }
  static std::set<std::string> unite(std::set<std::string> x, const std::set<std::string>& y) {
    x.insert(y.begin(), y.end());
    return x;
  }

  [[autoshard::id]] std::string article_;
  double price_ = 1;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = add)]] std::int64_t pieces_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 3, fold = unite)]] std::set<std::string> buyers_;
};

}  // namespace shop
