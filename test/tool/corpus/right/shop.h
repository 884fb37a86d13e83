// Shop: what customers see and buy. Style: snake_case with trailing underscores.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shop {

enum class currency : std::uint8_t { eur, usd, gbp };

/// An article number as the suppliers print it. Strong, so that nobody passes an order number for it.
struct article_no {
  std::string value;
  friend bool operator==(const article_no&, const article_no&) = default;
};

struct price {
  std::int64_t cents = 0;
  currency in = currency::eur;
};

/**
 * How much of an article lies in the warehouses.
 *
 * Sold by many tills at a time, which is why `sold_` and `delivered_` are split.
 */
class [[autoshard::entity]] stock_item {
 public:
  explicit stock_item(article_no no) : no_(std::move(no)) {}

  [[autoshard::shard_method]] void sell(std::uint32_t pieces = 1) { sold_ += pieces; }
  [[autoshard::shard_method]] void deliver(std::uint32_t pieces) { delivered_ += pieces; }

  const article_no& no() const { return no_; }
  bool in_stock() const { return available() > 0; }
  std::int64_t available() const {
    return static_cast<std::int64_t>(delivered_) - static_cast<std::int64_t>(sold_);
  }
  void rename(std::string title) { title_ = std::move(title); }
  void relabel(price to) noexcept { price_ = to; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a + b; }

  [[autoshard::id]] article_no no_;
  std::string title_;
  price price_;
  [[autoshard::shardable(neutral = 0, shards = 16)]] std::uint64_t sold_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t delivered_ = 0;
};

/* What one customer thinks of one article; the stars are a histogram, which the average comes from. */
class [[autoshard::entity("rating")]] article_rating {
 public:
  static constexpr std::size_t max_stars = 5;
  using histogram = std::array<std::uint32_t, max_stars>;

  article_rating() = default;
  article_rating(article_no no, std::chrono::sys_days since) : no_(std::move(no)), since_(since) {}

  /// @param stars 1 to 5; anything else counts as the nearest of these.
  [[autoshard::shard_method]] void rate(int stars) {
    const int at = std::clamp(stars, 1, static_cast<int>(max_stars)) - 1;
    ++stars_[static_cast<std::size_t>(at)];
  }

  [[nodiscard]] std::optional<double> average() const {
    double sum = 0;
    double count = 0;
    for (std::size_t i = 0; i < max_stars; ++i) {
      sum += static_cast<double>(i + 1) * stars_[i];
      count += stars_[i];
    }
    if (count == 0) return std::nullopt;
    return sum / count;
  }

 private:
  [[autoshard::shard_fold]] static histogram add(const histogram& x, const histogram& y) {
    histogram result{};
    for (std::size_t i = 0; i < max_stars; ++i) result[i] = x[i] + y[i];
    return result;
  }

  [[autoshard::id]] article_no no_;
  std::chrono::sys_days since_{};
  [[autoshard::shardable(neutral = {}, shards = 8)]] histogram stars_{};
};

/// A voucher that everybody may use once, as long as the campaign runs.
class [[autoshard::entity]] voucher final {
 public:
  explicit voucher(std::string_view code) : code_(code) {}

  [[autoshard::shard_method]] void redeem(const std::string& customer) { redeemed_by_.insert(customer); }

  auto uses() const -> std::size_t { return redeemed_by_.size(); }
  auto is_redeemed_by(const std::string& customer) const noexcept -> bool {
    return redeemed_by_.count(customer) != 0;
  }

 private:
  using names = std::set<std::string>;
  [[autoshard::shard_fold]] static names unite(names a, const names& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  [[autoshard::id]] std::string code_;
  std::optional<std::chrono::sys_seconds> valid_until_;
  int percent_ = 10;
  [[autoshard::shardable(neutral = {}, shards = 6)]] names redeemed_by_;
};

/// No hot spot: a cart belongs to one customer.
class [[autoshard::entity]] cart {
 public:
  struct line {
    article_no article;
    int pieces = 1;
    std::optional<price> reduced;
  };

  cart(std::int64_t customer, int number) : customer_(customer), number_(number) {}
  void add(line what) { lines_.push_back(std::move(what)); }
  void clear() { lines_.clear(); }
  const std::vector<line>& lines() const& { return lines_; }
  std::vector<line> lines() && { return std::move(lines_); }

 private:
  [[autoshard::id]] std::int64_t customer_;
  [[autoshard::id]] int number_;
  std::vector<line> lines_;
  std::map<std::string, std::string> notes_;
};

}  // namespace shop
