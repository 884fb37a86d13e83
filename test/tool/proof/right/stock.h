// Shops and their stock: pieces, prices, discounts and what customers like.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace stock {

/// Pieces in a warehouse, never fewer than none.
class [[autoshard::entity]] Article {
 public:
  explicit Article(std::string number) : number_(std::move(number)) {}
  [[autoshard::shard_method]] void deliver(int boxes, int pieces_per_box = 12) {
    pieces_ += boxes * pieces_per_box;
  }
  [[autoshard::shard_method]] void sell(int pieces) { pieces_ -= pieces; }
  [[autoshard::shard_write]] void counted(int pieces) { pieces_ = pieces; }
  int pieces() const { return pieces_; }

 private:
  [[autoshard::id]] std::string number_;
  [[autoshard::shardable(neutral = 0, shards = adaptive(2, 32), fold = std::plus<>{}, min = 0)]] int pieces_ =
      0;
};

/// What was sold, returned and earned.
class [[autoshard::entity]] Branch {
 public:
  explicit Branch(int number) : number_(number) {}
  [[autoshard::shard_method]] void sell(unsigned pieces, unsigned cents) {
    day_.sold += pieces;
    day_.cents += std::int64_t{pieces} * cents;
  }
  [[autoshard::shard_method]] void take_back(unsigned pieces, unsigned cents) {
    day_.returned += pieces;
    day_.cents -= std::int64_t{pieces} * cents;
  }
  std::int64_t cents() const { return day_.cents; }

 private:
  struct Day {
    std::uint32_t sold = 0;
    std::uint32_t returned = 0;
    std::int64_t cents = 0;
  };
  struct AddDays {
    constexpr Day operator()(const Day& a, const Day& b) const {
      return {a.sold + b.sold, a.returned + b.returned, a.cents + b.cents};
    }
  };

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Day{}, shards = 8, fold = AddDays{})]] Day day_;
};

/// The lowest offer, and of equal ones that of the lowest supplier.
class [[autoshard::entity]] Tender {
 public:
  explicit Tender(int number) : number_(number) {}
  [[autoshard::shard_method]] void offer(std::uint64_t cents, std::uint16_t supplier) {
    const std::uint64_t packed = std::min<std::uint64_t>(cents, kMost) << 16 | supplier;
    if (packed < best_) best_ = packed;
  }
  std::uint64_t cents() const { return best_ >> 16; }

 private:
  static constexpr std::uint64_t kMost = (1ULL << 48) - 1;
  [[autoshard::shard_fold]] static std::uint64_t lower(std::uint64_t a, std::uint64_t b) {
    return b < a ? b : a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = UINT64_MAX, shards = 4)]] std::uint64_t best_ = UINT64_MAX;
};

/// Sizes of shoes that were asked for and not in stock.
class [[autoshard::entity]] Shelf {
 public:
  explicit Shelf(int number) : number_(number) {}
  [[autoshard::shard_method]] void missing(int size) {
    const int at = std::clamp(size, 35, 50) - 35;
    asked_ = static_cast<std::uint16_t>(asked_ | 1 << at);
  }
  int kinds() const { return std::popcount(asked_); }

 private:
  [[autoshard::shard_fold]] static std::uint16_t join(std::uint16_t a, std::uint16_t b) {
    return static_cast<std::uint16_t>(a | b);
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint16_t asked_ = 0;
};

/// Stars from one to five; others do not count.
class [[autoshard::entity]] Rating {
 public:
  explicit Rating(std::uint64_t product) : product_(product) {}
  [[autoshard::shard_method]] void rate(int stars) {
    if (stars < 1 || stars > kMost) return;
    ++stars_.at(static_cast<std::size_t>(stars - 1));
  }
  long ratings() const { return stars_[0] + stars_[1] + stars_[2] + stars_[3] + stars_[4]; }

 private:
  static constexpr int kMost = 5;
  using Stars = std::array<long, kMost>;
  [[autoshard::shard_fold]] static Stars total(Stars a, const Stars& b) {
    const auto add = [&](std::size_t i) { a[i] += b[i]; };
    for (std::size_t i = 0; i < a.size(); ++i) add(i);
    return a;
  }

  [[autoshard::id]] std::uint64_t product_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Stars stars_{};
};

/// The greatest discount that applies, in per mille, by the kind of customer.
class [[autoshard::entity]] Discount {
 public:
  enum class Customer { kNew, kRegular, kGold };
  explicit Discount(std::string article) : article_(std::move(article)) {}
  [[autoshard::shard_method]] void grant(Customer to, std::uint16_t per_mille) {
    std::uint16_t& now = to == Customer::kGold      ? gold_regular_new_[0]
                         : to == Customer::kRegular ? gold_regular_new_[1]
                                                    : gold_regular_new_[2];
    now = std::max(now, std::min<std::uint16_t>(per_mille, 500));
  }
  int best() const { return gold_regular_new_[0]; }

 private:
  using Grants = std::array<std::uint16_t, 3>;
  [[autoshard::shard_fold]] static Grants best_of(const Grants& a, const Grants& b) {
    return {std::max(a[0], b[0]), std::max(a[1], b[1]), std::max(a[2], b[2])};
  }

  [[autoshard::id]] std::string article_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Grants gold_regular_new_{};
};

/// A lot's dates: the earliest end of life, the latest delivery.
class [[autoshard::entity]] Lot {
 public:
  explicit Lot(std::string number) : number_(std::move(number)) {}
  [[autoshard::shard_method]] void deliver(std::int32_t day, std::int32_t keeps) {
    dates_.first = std::min(dates_.first, day + keeps);
    dates_.second = std::max(dates_.second, day);
  }
  bool is_good(std::int32_t day) const { return day < dates_.first; }

 private:
  using Dates = std::pair<std::int32_t, std::int32_t>;
  static constexpr Dates none() { return {INT32_MAX, INT32_MIN}; }
  [[autoshard::shard_fold]] static Dates narrower(const Dates& a, const Dates& b) {
    return std::make_pair(std::min(a.first, b.first), std::max(a.second, b.second));
  }

  [[autoshard::id]] std::string number_;
  [[autoshard::shardable(neutral = none(), shards = 2)]] Dates dates_ = none();
};

/// Parcels of a packing station: how many lie in each of eight compartments, four bits each, carried as one
/// word.
class [[autoshard::entity]] Station {
 public:
  explicit Station(int number) : number_(number) {}
  [[autoshard::shard_method]] void put(unsigned compartment) {
    counts_ = add(counts_, 1U << (4 * (compartment & 7U)));
  }
  [[autoshard::shard_method]] void take(unsigned compartment) {
    counts_ = add(counts_, 15U << (4 * (compartment & 7U)));
  }
  unsigned parcels(unsigned compartment) const { return counts_ >> (4 * (compartment & 7U)) & 15U; }

 private:
  /// Adds the digits without carrying from one to the next.
  [[autoshard::shard_fold]] static constexpr std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    constexpr std::uint32_t kHigh = 0x88888888U;
    return ((a & ~kHigh) + (b & ~kHigh)) ^ ((a ^ b) & kHigh);
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t counts_ = 0;
};

/// A coupon's use: counted, and closed by the first that closes it.
class [[autoshard::entity]] Coupon {
 public:
  explicit Coupon(std::string code) : code_(std::move(code)) {}
  [[autoshard::shard_method]] void use() { ++used_; }
  [[autoshard::shard_method]] void use(unsigned times) { used_ += times; }
  [[autoshard::shard_method]] void close(std::uint32_t day) {
    const std::uint32_t before = std::exchange(closed_, day);
    closed_ = std::min(closed_, before);
  }
  bool is_open(std::uint32_t day) const { return day < closed_; }
  unsigned used() const { return used_; }

 private:
  [[autoshard::id]] std::string code_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] unsigned used_ = 0;
  [[autoshard::shardable(
      neutral = std::numeric_limits<std::uint32_t>::max(), shards = 2,
      fold = [](auto a, auto b) { return std::min(a, b); })]] std::uint32_t closed_ = UINT32_MAX;
};

/// Weight by class of goods, and the dearest parcel, whose weight breaks the tie.
class [[autoshard::entity]] Customs {
 public:
  explicit Customs(int harbour) : harbour_(harbour) {}
  [[autoshard::shard_method]] void declare(unsigned goods, std::uint32_t grams, std::uint32_t cents) {
    auto& [weights, dearest] = entry_;
    weights.at(goods % weights.size()) += grams;
    dearest = std::max(dearest, std::pair(cents, grams));
  }
  std::uint64_t weight(unsigned goods) const { return std::get<0>(entry_).at(goods); }

 private:
  using Entry = std::tuple<std::array<std::uint64_t, 3>, std::pair<std::uint32_t, std::uint32_t>>;
  [[autoshard::shard_fold]] static Entry merge(const Entry& a, const Entry& b) {
    const auto& [x, p] = a;
    const auto& [y, q] = b;
    return {{x[0] + y[0], x[1] + y[1], x[2] + y[2]}, p < q ? q : p};
  }

  [[autoshard::id]] int harbour_;
  [[autoshard::shardable(neutral = Entry{}, shards = 4)]] Entry entry_{};
};

}  // namespace stock
