// Finance: balances in cents, prices, candles and exposures.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace finance {

using Cents = std::int64_t;
enum class Currency : std::uint8_t { kEuro, kDollar, kYen, kFranc };

/// A balance that stays within a credit line.
class [[autoshard::entity]] Account {
 public:
  static constexpr Cents kCredit = 500'00;
  explicit Account(std::string iban) : iban_(std::move(iban)) {}
  [[autoshard::shard_method]] void deposit(Cents amount) { balance_ += amount; }
  [[autoshard::shard_method]] void withdraw(Cents amount, Cents fee = 0) { balance_ -= amount + fee; }
  Cents balance() const { return balance_; }

 private:
  [[autoshard::id]] std::string iban_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, min = -kCredit)]] Cents balance_ = 0;
};

/// The last price: by time, then by sequence number, then by price.
class [[autoshard::entity]] Quote {
 public:
  explicit Quote(std::string symbol) : symbol_(std::move(symbol)) {}
  [[autoshard::shard_method]] void trade(std::int64_t time, std::uint32_t sequence, Cents price) {
    last_ = std::max(last_, Tick{time, sequence, price});
  }
  Cents price() const { return std::get<2>(last_); }

 private:
  using Tick = std::tuple<std::int64_t, std::uint32_t, Cents>;
  static constexpr Tick kNone{std::numeric_limits<std::int64_t>::min(), 0, std::numeric_limits<Cents>::min()};
  [[autoshard::shard_fold]] static Tick later(const Tick& a, const Tick& b) { return std::max(a, b); }

  [[autoshard::id]] std::string symbol_;
  [[autoshard::shardable(neutral = kNone, shards = 4)]] Tick last_ = kNone;
};

/// High, low, volume, and the open and close by the number of the trade and then by price.
class [[autoshard::entity]] Candle {
 public:
  Candle(std::string symbol, std::int64_t minute) : symbol_(std::move(symbol)), minute_(minute) {}
  [[autoshard::shard_method]] void trade(std::uint64_t number, Cents price, std::uint32_t shares) {
    bars_ = merge(bars_, Bars{{number, price}, {number, price}, price, price, shares});
  }
  std::uint64_t volume() const { return bars_.volume; }

 private:
  using Limits = std::numeric_limits<Cents>;
  using Trade = std::pair<std::uint64_t, Cents>;
  struct Bars {
    Trade open{std::numeric_limits<std::uint64_t>::max(), Limits::max()};
    Trade close{0, Limits::min()};
    Cents high = Limits::min();
    Cents low = Limits::max();
    std::uint64_t volume = 0;
  };
  [[autoshard::shard_fold]] static Bars merge(const Bars& a, const Bars& b) {
    Bars both;
    both.open = std::min(a.open, b.open);
    both.close = std::max(a.close, b.close);
    both.high = std::max(a.high, b.high);
    both.low = std::min(a.low, b.low);
    both.volume = a.volume + b.volume;
    return both;
  }

  [[autoshard::id]] std::string symbol_;
  [[autoshard::id]] std::int64_t minute_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Bars bars_;
};

/// What a desk owes or is owed in each currency.
class [[autoshard::entity]] Desk {
 public:
  explicit Desk(int number) : number_(number) {}
  [[autoshard::shard_method]] void exchange(Currency from, Cents paid, Currency to, Cents got) {
    exposure_[static_cast<std::size_t>(from) % kCurrencies] -= paid;
    exposure_[static_cast<std::size_t>(to) % kCurrencies] += got;
  }
  Cents exposure(Currency in) const { return exposure_.at(static_cast<std::size_t>(in)); }

 private:
  static constexpr std::size_t kCurrencies = 4;
  using Exposure = std::array<Cents, kCurrencies>;
  [[autoshard::shard_fold]] static Exposure net(const Exposure& a, const Exposure& b) {
    Exposure sum{};
    for (std::size_t i = 0; i < kCurrencies; ++i) sum[i] = a[i] + b[i];
    return sum;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Exposure{}, shards = 8)]] Exposure exposure_{};
};

/// An amount as a class of its own.
struct Money {
  Cents cents = 0;
  friend constexpr Money operator+(Money a, Money b) { return {a.cents + b.cents}; }
  friend constexpr Money operator-(Money a) { return {-a.cents}; }
  friend constexpr bool operator==(Money, Money) = default;
};

class [[autoshard::entity]] Fund {
 public:
  explicit Fund(std::string isin) : isin_(std::move(isin)) {}
  [[autoshard::shard_method]] void invest(Money amount) { assets_ = assets_ + amount; }
  [[autoshard::shard_method]] void pay_out(Money amount) { assets_ = assets_ + -amount; }
  Money assets() const { return assets_; }

 private:
  [[autoshard::id]] std::string isin_;
  [[autoshard::shardable(
      neutral = Money{}, shards = 8, fold = [](Money a, Money b) { return a + b; })]] Money assets_;
};

/// The best bid and the best offer, each with the lowest number of an order at that price.
class [[autoshard::entity]] Book {
 public:
  explicit Book(int share) : share_(share) {}
  [[autoshard::shard_method]] void bid(std::int32_t price, std::uint32_t order) {
    if (price > bid_.price || (price == bid_.price && order < bid_.order)) bid_ = {price, order};
  }
  [[autoshard::shard_method]] void offer(std::int32_t price, std::uint32_t order) {
    offer_ = lower(offer_, {price, order});
  }
  std::int32_t spread() const { return offer_.price - bid_.price; }

 private:
  struct Limit {
    std::int32_t price;
    std::uint32_t order;
  };
  static constexpr std::uint32_t kLast = 0xFFFFFFFFU;
  [[autoshard::shard_fold(bid_)]] static Limit higher(Limit a, Limit b) {
    const bool first = a.price == b.price ? a.order <= b.order : a.price > b.price;
    return first ? a : b;
  }
  [[autoshard::shard_fold(offer_)]] static Limit lower(Limit a, Limit b) {
    return std::pair(a.price, a.order) < std::pair(b.price, b.order) ? a : b;
  }

  [[autoshard::id]] int share_;
  [[autoshard::shardable(neutral = (Limit{INT32_MIN, kLast}), shards = 4)]] Limit bid_{INT32_MIN, kLast};
  [[autoshard::shardable(neutral = (Limit{INT32_MAX, kLast}), shards = 4)]] Limit offer_{INT32_MAX, kLast};
};

/// Interest that is due, in hundredths of a cent, with days of 360 in a year.
class [[autoshard::entity]] Loan {
 public:
  explicit Loan(std::uint64_t number) : number_(number) {}
  [[autoshard::shard_method]] void accrue(std::int32_t cents, int days) {
    if (days <= 0 || cents <= 0) return;
    const std::int64_t rate = days > 90 ? 450 : 375;
    due_ += std::int64_t{cents} * rate * std::clamp(days, 1, 366) / 360;
  }
  [[autoshard::shard_method]] void waive(std::int32_t part) { due_ -= part; }
  [[autoshard::shard_write]] void settle(std::int64_t rest, bool in_full) {
    if (in_full) {
      due_ = 0;
    } else {
      due_ = rest;
    }
  }
  std::int64_t due() const { return due_; }

 private:
  [[autoshard::shard_fold]] static std::int64_t sum(std::int64_t a, std::int64_t b) { return a + b; }

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::int64_t due_ = 0;
};

/// The latest day on which a card was used, and whether it was used abroad.
class [[autoshard::entity]] Card {
 public:
  explicit Card(std::string number) : number_(std::move(number)) {}
  [[autoshard::shard_method]] void pay(std::chrono::sys_days day, bool abroad) {
    use_.last = std::max(use_.last, day);
    use_.abroad |= abroad;
  }
  bool was_abroad() const { return use_.abroad; }

 private:
  struct Use {
    std::chrono::sys_days last = std::chrono::sys_days::min();
    bool abroad = false;
  };
  [[autoshard::shard_fold]] static Use either(const Use& a, const Use& b) {
    return {a.last < b.last ? b.last : a.last, a.abroad || b.abroad};
  }

  [[autoshard::id]] std::string number_;
  [[autoshard::shardable(neutral = Use{}, shards = 2)]] Use use_;
};

/// Volumes by side, and the net of both, which the fold keeps.
class [[autoshard::entity]] Imbalance {
 public:
  explicit Imbalance(int auction) : auction_(auction) {}
  [[autoshard::shard_method]] void order(bool buys, std::uint32_t shares) {
    if (buys) {
      sides_.buy += shares;
      sides_.net += shares;
    } else {
      sides_.sell += shares;
      sides_.net -= shares;
    }
    sides_.largest = std::max(sides_.largest, shares);
  }
  std::int64_t net() const { return sides_.net; }

 private:
  struct Sides {
    std::uint64_t buy, sell;
    std::int64_t net;
    std::uint32_t largest;
  };
  [[autoshard::shard_fold]] static Sides join(const Sides& a, const Sides& b) {
    return Sides{.buy = a.buy + b.buy,
                 .sell = a.sell + b.sell,
                 .net = a.net + b.net,
                 .largest = std::max(a.largest, b.largest)};
  }

  [[autoshard::id]] int auction_;
  [[autoshard::shardable(neutral = Sides{}, shards = 8)]] Sides sides_{};
};

/// The lowest price of a year, where there was any.
class [[autoshard::entity]] Bond {
 public:
  explicit Bond(std::string isin) : isin_(std::move(isin)) {}
  [[autoshard::shard_method]] void trade(Cents price) {
    if (!lowest_ || price < *lowest_) lowest_ = price;
  }
  [[autoshard::shard_write]] void new_year() { lowest_.reset(); }
  std::optional<Cents> lowest() const { return lowest_; }

 private:
  [[autoshard::shard_fold]] static std::optional<Cents> lower(std::optional<Cents> a,
                                                              std::optional<Cents> b) {
    if (a && b) return std::min(*a, *b);
    return a ? a : b;
  }

  [[autoshard::id]] std::string isin_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] std::optional<Cents> lowest_;
};

/// A factor that splits of a share multiply.
class [[autoshard::entity]] Splits {
 public:
  explicit Splits(std::string symbol) : symbol_(std::move(symbol)) {}
  [[autoshard::shard_method]] void split(std::uint32_t into) { factor_ *= into; }
  std::uint64_t factor() const { return factor_; }

 private:
  [[autoshard::id]] std::string symbol_;
  [[autoshard::shardable(neutral = 1, shards = 2, fold = std::multiplies<>{})]] std::uint64_t factor_ = 1;
};

}  // namespace finance
