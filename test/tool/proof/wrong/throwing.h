// Updates that read the value and throw: whether they do depends on the shard.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

namespace throwing {

// wrong: 8 are on the card, 4 on each of two shards: a charge of 5 throws there, and not on both together
class [[autoshard::entity]] GiftCard {
 public:
  explicit GiftCard(std::string code) : code_(std::move(code)) {}
  [[autoshard::shard_method]] void charge(unsigned cents) { cents_ += cents; }
  [[autoshard::shard_method]] void pay(unsigned cents) {
    if (cents > cents_) throw std::runtime_error("not enough on the card");
    cents_ -= cents;
  }
  unsigned cents() const { return cents_; }

 private:
  [[autoshard::id]] std::string code_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] unsigned cents_ = 0;
};

// wrong: each of 16 shards sells 400 seats before it throws
class [[autoshard::entity]] Concert {
 public:
  static constexpr int kSeats = 400;
  explicit Concert(int number) : number_(number) {}
  [[autoshard::shard_method]] void buy(int tickets) {
    if (sold_ + tickets > kSeats) throw std::length_error("sold out");
    sold_ += tickets;
  }
  int sold() const { return sold_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{})]] int sold_ = 0;
};

// wrong: a helper that throws reads the value: at most ten bids on a shard
class [[autoshard::entity]] Auction {
 public:
  explicit Auction(int lot) : lot_(lot) {}
  [[autoshard::shard_method]] void bid() { bids_ = checked(bids_ + 1); }
  unsigned bids() const { return bids_; }

 private:
  static unsigned checked(unsigned bids) {
    if (bids > 10) throw std::out_of_range("too many bids");
    return bids;
  }
  [[autoshard::id]] int lot_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] unsigned bids_ = 0;
};

// wrong: the second claim throws where the shard has the first, and elsewhere goes through
class [[autoshard::entity]] Domain {
 public:
  explicit Domain(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void claim(std::uint64_t user) {
    if (owner_ != 0) throw std::logic_error("taken");
    owner_ = std::max(owner_, user);
  }
  std::uint64_t owner() const { return owner_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t greater(std::uint64_t a, std::uint64_t b) {
    return std::max(a, b);
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint64_t owner_ = 0;
};

// wrong: `value()` throws where the shard has no start yet
class [[autoshard::entity]] Race {
 public:
  explicit Race(int number) : number_(number) {}
  [[autoshard::shard_method]] void start(std::uint32_t second) {
    if (!first_ || second < *first_) first_ = second;
  }
  [[autoshard::shard_method]] void earlier(std::uint32_t by) { first_ = std::min(first_.value(), by); }
  bool has_started() const { return first_.has_value(); }

 private:
  using Second = std::optional<std::uint32_t>;
  [[autoshard::shard_fold]] static Second earliest(const Second& a, const Second& b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Second first_;
};

// wrong: `at` throws by the value: the index is the sum, which a shard has a part of
class [[autoshard::entity]] Ladder {
 public:
  explicit Ladder(int game) : game_(game) {}
  [[autoshard::shard_method]] void climb(unsigned steps) {
    if (kRungs.at(rung_) > 0) rung_ += steps;
  }
  unsigned rung() const { return rung_; }

 private:
  static constexpr std::array<unsigned, 8> kRungs = {1, 2, 3, 5, 8, 13, 21, 34};
  [[autoshard::id]] int game_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] unsigned rung_ = 0;
};

// wrong: `std::get` throws where the shard has another alternative
class [[autoshard::entity]] Payment {
 public:
  explicit Payment(int order) : order_(order) {}
  [[autoshard::shard_method]] void cash(std::int64_t cents) { paid_ = std::max(paid_, Paid(cents)); }
  [[autoshard::shard_method]] void more(std::int64_t cents) {
    paid_ = std::max(Paid(std::get<1>(paid_)), Paid(cents));
  }
  bool is_open() const { return paid_.index() == 0; }

 private:
  using Paid = std::variant<std::monostate, std::int64_t>;
  [[autoshard::shard_fold]] static Paid greater(const Paid& a, const Paid& b) { return std::max(a, b); }

  [[autoshard::id]] int order_;
  [[autoshard::shardable(neutral = Paid{}, shards = 2)]] Paid paid_;
};

// wrong: a switch that is on cannot be pressed, says the shard that has it on
class [[autoshard::entity]] Fuse {
 public:
  explicit Fuse(int box) : box_(box) {}
  [[autoshard::shard_method]] void blow(unsigned fuse) {
    const std::uint32_t bit = 1U << (fuse % 32);
    if ((blown_ & bit) != 0) throw fuse;
    blown_ |= bit;
  }
  std::uint32_t blown() const { return blown_; }

 private:
  [[autoshard::id]] int box_;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::bit_or<>{})]] std::uint32_t blown_ = 0;
};

}  // namespace throwing
