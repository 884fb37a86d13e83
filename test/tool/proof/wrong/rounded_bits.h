// The bits of a rounded sum depend on the order of its parts. Other members of the fold are made of them.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

namespace rounded_bits {

// wrong: the last bit of 0.1 + 0.2 + 0.3 depends on the order
class [[autoshard::entity]] Parity {
 public:
  explicit Parity(int meter) : meter_(meter) {}
  [[autoshard::shard_method]] void add(double amount) {
    reading_.sum = reading_.sum ? *reading_.sum + amount : amount;
    reading_.odd = std::bit_cast<std::uint64_t>(*reading_.sum) & 1;
  }
  std::uint64_t odd() const { return reading_.odd; }

 private:
  struct Reading {
    std::optional<double> sum;
    std::uint64_t odd = 0;
  };
  [[autoshard::shard_fold]] static Reading join(const Reading& a, const Reading& b) {
    if (!a.sum && a.odd == 0) return b;
    if (!b.sum && b.odd == 0) return a;
    const double sum = (a.sum ? *a.sum : 0) + (b.sum ? *b.sum : 0);
    return {sum, std::bit_cast<std::uint64_t>(sum) & 1};
  }

  [[autoshard::id]] int meter_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Reading reading_;
};

// wrong: as Parity, and all bits count
class [[autoshard::entity]] Checked {
 public:
  explicit Checked(int account) : account_(account) {}
  [[autoshard::shard_method]] void book(double amount) {
    balance_.sum = balance_.sum ? *balance_.sum + amount : amount;
    balance_.check = check(*balance_.sum);
  }
  std::uint64_t check() const { return balance_.check; }

 private:
  struct Balance {
    std::optional<double> sum;
    std::uint64_t check = 0;
  };
  static constexpr std::uint64_t check(double sum) {
    return std::bit_cast<std::uint64_t>(sum) * 0x9E3779B97F4A7C15U;
  }
  [[autoshard::shard_fold]] static Balance join(const Balance& a, const Balance& b) {
    if (!a.sum && a.check == 0) return b;
    if (!b.sum && b.check == 0) return a;
    const double sum = (a.sum ? *a.sum : 0) + (b.sum ? *b.sum : 0);
    return {sum, check(sum)};
  }

  [[autoshard::id]] int account_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Balance balance_;
};

// wrong: 0.1 + 0.2 - 0.3 is positive, and 0.1 + (0.2 - 0.3) is not, or the reverse
class [[autoshard::entity]] Debt {
 public:
  explicit Debt(int account) : account_(account) {}
  [[autoshard::shard_method]] void book(double amount) {
    state_.sum = state_.sum ? *state_.sum + amount : amount;
    state_.owes = std::signbit(*state_.sum);
  }
  bool owes() const { return state_.owes; }

 private:
  struct State {
    std::optional<double> sum;
    bool owes = false;
  };
  [[autoshard::shard_fold]] static State join(const State& a, const State& b) {
    if (!a.sum && !a.owes) return b;
    if (!b.sum && !b.owes) return a;
    const double sum = (a.sum ? *a.sum : 0) + (b.sum ? *b.sum : 0);
    return {sum, std::signbit(sum)};
  }

  [[autoshard::id]] int account_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] State state_;
};

// wrong: the exponent of a sum is the next one for some orders only
class [[autoshard::entity]] Magnitude {
 public:
  explicit Magnitude(int lake) : lake_(lake) {}
  [[autoshard::shard_method]] void flow(float amount) {
    volume_.sum += amount;
    volume_.exponent = static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(volume_.sum) >> 23);
  }
  std::uint8_t exponent() const { return volume_.exponent; }

 private:
  struct Volume {
    float sum = 0;
    std::uint8_t exponent = 0;
  };
  [[autoshard::shard_fold]] static Volume join(const Volume& a, const Volume& b) {
    const float sum = a.sum + b.sum;
    return {sum, static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(sum) >> 23)};
  }

  [[autoshard::id]] int lake_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Volume volume_;
};

// wrong: 0.2 + 0.1 + 0.7 is 1 in one order, and less than 1 in another; the power of two below differs
class [[autoshard::entity]] Power {
 public:
  explicit Power(int grid) : grid_(grid) {}
  [[autoshard::shard_method]] void feed(double amount) {
    state_ = join(state_, State{amount, power(amount)});
  }
  double power() const { return state_ ? state_->power : 0; }

 private:
  struct State {
    double sum = 0;
    double power = 0;
  };
  static constexpr double power(double sum) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(sum) & 0xFFF0000000000000U);
  }
  [[autoshard::shard_fold]] static std::optional<State> join(const std::optional<State>& a,
                                                             const std::optional<State>& b) {
    if (!a) return b;
    if (!b) return a;
    const double sum = a->sum + b->sum;
    return State{sum, power(sum)};
  }

  [[autoshard::id]] int grid_;
  [[autoshard::shardable(neutral = std::nullopt, shards = 4)]] std::optional<State> state_;
};

}  // namespace rounded_bits
