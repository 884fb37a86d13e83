// Updates with a condition on the value, of which a shard knows its part only.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace conditional {

// wrong: a withdrawal is dropped where the shard has too little, though all shards have enough
class [[autoshard::entity]] Account {
 public:
  explicit Account(std::string iban) : iban_(std::move(iban)) {}
  [[autoshard::shard_method]] void deposit(std::int64_t cents) { cents_ += cents; }
  [[autoshard::shard_method]] void withdraw(std::int64_t cents) {
    if (cents_ < cents) return;
    cents_ -= cents;
  }
  std::int64_t cents() const { return cents_; }

 private:
  [[autoshard::id]] std::string iban_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::int64_t cents_ = 0;
};

// wrong: every tenth visit counts twice, and which one is the tenth depends on the shard
class [[autoshard::entity]] Loyalty {
 public:
  explicit Loyalty(int customer) : customer_(customer) {}
  [[autoshard::shard_method]] void visit() { points_ += points_ % 10 == 9 ? 2 : 1; }
  unsigned points() const { return points_; }

 private:
  [[autoshard::id]] int customer_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] unsigned points_ = 0;
};

// wrong: the first sale is free of charge on each shard
class [[autoshard::entity]] Market {
 public:
  explicit Market(int stall) : stall_(stall) {}
  [[autoshard::shard_method]] void sell(std::uint32_t cents) {
    if (day_.sales++ == 0) return;
    day_.charge += cents / 50;
  }
  std::uint32_t charge() const { return day_.charge; }

 private:
  struct Day {
    std::uint32_t sales = 0;
    std::uint32_t charge = 0;
  };
  [[autoshard::shard_fold]] static Day add(const Day& a, const Day& b) {
    return {a.sales + b.sales, a.charge + b.charge};
  }

  [[autoshard::id]] int stall_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Day day_;
};

// wrong: a flag is set where the shard's sum passes a million, which the whole sum does earlier
class [[autoshard::entity]] Jackpot {
 public:
  explicit Jackpot(int machine) : machine_(machine) {}
  [[autoshard::shard_method]] void play(std::uint32_t cents) {
    pot_.cents += cents;
    pot_.won = pot_.won || pot_.cents > kLimit;
  }
  bool is_won() const { return pot_.won; }

 private:
  static constexpr std::uint64_t kLimit = 1'000'000;
  struct Pot {
    std::uint64_t cents = 0;
    bool won = false;
  };
  [[autoshard::shard_fold]] static Pot join(const Pot& a, const Pot& b) {
    return {a.cents + b.cents, a.won || b.won};
  }

  [[autoshard::id]] int machine_;
  [[autoshard::shardable(neutral = Pot{}, shards = 8)]] Pot pot_;
};

// wrong: votes are refused once the shard is closed, but the other shards do not know that it is
class [[autoshard::entity]] Poll {
 public:
  explicit Poll(int number) : number_(number) {}
  [[autoshard::shard_method]] void vote(std::uint32_t voices) {
    if (!state_.closed) state_.voices += voices;
  }
  [[autoshard::shard_method]] void close() { state_.closed = true; }
  std::uint32_t voices() const { return state_.voices; }

 private:
  struct State {
    std::uint32_t voices = 0;
    bool closed = false;
  };
  [[autoshard::shard_fold]] static State join(const State& a, const State& b) {
    return {a.voices + b.voices, a.closed || b.closed};
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = State{}, shards = 4)]] State state_;
};

// wrong: the update starts again at 60 seconds, which the fold does not
class [[autoshard::entity]] Stopwatch {
 public:
  explicit Stopwatch(int lane) : lane_(lane) {}
  [[autoshard::shard_method]] void run(std::chrono::seconds time) {
    time_ += time;
    if (time_ >= std::chrono::minutes(1)) time_ -= std::chrono::minutes(1);
  }
  std::chrono::seconds time() const { return time_; }

 private:
  [[autoshard::shard_fold]] static std::chrono::seconds add(std::chrono::seconds a, std::chrono::seconds b) {
    return a + b;
  }

  [[autoshard::id]] int lane_;
  [[autoshard::shardable(neutral = std::chrono::seconds::zero(), shards = 2)]] std::chrono::seconds time_{};
};

// wrong: a room is only entered where its neighbour was, of which another shard may know
class [[autoshard::entity]] Maze {
 public:
  explicit Maze(int level) : level_(level) {}
  [[autoshard::shard_method]] void enter(std::size_t room) {
    if (room == 0 || (room < 32 && seen_.test(room - 1))) seen_.set(room);
  }
  std::size_t rooms() const { return seen_.count(); }

 private:
  [[autoshard::id]] int level_;
  [[autoshard::shardable(neutral = {}, shards = 4, fold = std::bit_or<>{})]] std::bitset<32> seen_;
};

// wrong: a maximum that rises by 10 at most: 100 on a shard of 0 gives 10, and on one of 95 gives 100
class [[autoshard::entity]] Ramp {
 public:
  explicit Ramp(int motor) : motor_(motor) {}
  [[autoshard::shard_method]] void speed(std::uint32_t wanted) {
    if (wanted > speed_) speed_ = std::min(wanted, speed_ + kStep);
  }
  std::uint32_t now() const { return speed_; }

 private:
  static constexpr std::uint32_t kStep = 10;
  [[autoshard::shard_fold]] static std::uint32_t faster(std::uint32_t a, std::uint32_t b) {
    return std::max(a, b);
  }

  [[autoshard::id]] int motor_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::uint32_t speed_ = 0;
};

// wrong: the deadline is only set where there is none, while the fold takes the earlier one
class [[autoshard::entity]] Milestone {
 public:
  explicit Milestone(int number) : number_(number) {}
  [[autoshard::shard_method]] void needed_by(std::int32_t day) {
    if (!due_) due_ = day;
  }
  bool is_due(std::int32_t day) const { return due_ && *due_ <= day; }

 private:
  using Day = std::optional<std::int32_t>;
  [[autoshard::shard_fold]] static Day earlier(const Day& a, const Day& b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Day due_;
};

// wrong: the last of four buckets gets what the first does not take, above a thousand
class [[autoshard::entity]] Overflow {
 public:
  explicit Overflow(int tank) : tank_(tank) {}
  [[autoshard::shard_method]] void pour(std::uint32_t litres) {
    std::uint32_t& into = litres_[0] >= 1000 ? litres_[3] : litres_[0];
    into += litres;
  }
  std::uint32_t spilt() const { return litres_[3]; }

 private:
  using Litres = std::array<std::uint32_t, 4>;
  [[autoshard::shard_fold]] static Litres add(const Litres& a, const Litres& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
  }

  [[autoshard::id]] int tank_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Litres litres_{};
};

}  // namespace conditional
