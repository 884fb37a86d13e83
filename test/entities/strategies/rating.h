// Several sharded members of several types, and methods that change more than one of them.
#ifndef SHOP_RATING_H
#define SHOP_RATING_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>

namespace shop::catalogue {

/*! The ratings of one product. */
class [[autoshard::entity("ProductRating")]] Rating final {
 public:
  explicit Rating(std::string product) : product_{std::move(product)} {}

  // Two members at once.
  [[autoshard::shard_method]] void rate(int stars, const std::string& user) {
    sum_ += stars;
    ++count_;
    if (stars > best_) {
      best_ = stars;  // a maximum, not a sum
    }
    users_.insert(user);
  }

  [[autoshard::shard_method]] void flag(std::uint8_t bits) noexcept { flags_ = static_cast<std::uint8_t>(flags_ | bits); }

  [[autoshard::shard_fold]] static std::int64_t add(std::int64_t a, std::int64_t b) { return a + b; }
  [[autoshard::shard_fold(best_)]] static int better(int a, int b) { return std::max(a, b); }
  [[autoshard::shard_fold]] static std::set<std::string> unite(std::set<std::string> a,
                                                              const std::set<std::string>& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  const std::string& product() const { return product_; }
  std::int64_t sum() const { return sum_; }
  int count() const { return count_; }
  int best() const { return best_; }
  const std::set<std::string>& users() const { return users_; }
  unsigned flags() const { return flags_; }

 private:
  static constexpr int kShards = 4;

  [[autoshard::id]] std::string product_;
  [[autoshard::shardable(neutral = 0, shards = 16)]] std::int64_t sum_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{})]] int count_ = 0;
  [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = kShards)]] int best_ =
      std::numeric_limits<int>::min();
  [[autoshard::shardable(neutral = {}, shards = 0x8)]] std::set<std::string> users_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::bit_or<>{})]] std::uint8_t flags_ = 0;
};

}  // namespace shop::catalogue

#endif  // SHOP_RATING_H
