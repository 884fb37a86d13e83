// Floating-point numbers whose folds and updates depend on order by more than rounding.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace decimals {

// wrong: a mean of means weighs what came last most
class [[autoshard::entity]] Rating {
 public:
  explicit Rating(int film) : film_(film) {}
  [[autoshard::shard_method]] void rate(double stars) { stars_ = mean(stars_, stars); }
  double stars() const { return stars_; }

 private:
  [[autoshard::shard_fold]] static double mean(double a, double b) { return (a + b) / 2; }
  [[autoshard::id]] int film_;
  [[autoshard::shardable(neutral = 0.0, shards = 4)]] double stars_ = 0;
};

// wrong: 0 is greater than -1
class [[autoshard::entity]] Depth {
 public:
  explicit Depth(int sea) : sea_(sea) {}
  [[autoshard::shard_method]] void sound(double metres) { highest_ = std::max(highest_, metres); }
  double highest() const { return highest_; }

 private:
  [[autoshard::shard_fold]] static double higher(double a, double b) { return std::max(a, b); }
  [[autoshard::id]] int sea_;
  [[autoshard::shardable(neutral = 0.0, shards = 4)]] double highest_ = 0;
};

// wrong: what decays depends on when it decays
class [[autoshard::entity]] Trend {
 public:
  explicit Trend(int tag) : tag_(tag) {}
  [[autoshard::shard_method]] void hit(double weight) { heat_ = heat_ * 0.9 + weight; }
  double heat() const { return heat_; }

 private:
  [[autoshard::id]] int tag_;
  [[autoshard::shardable(neutral = 0.0, shards = 4, fold = std::plus<>{})]] double heat_ = 0;
};

// wrong: the cap is for all shards together
class [[autoshard::entity]] Budget {
 public:
  explicit Budget(int year) : year_(year) {}
  [[autoshard::shard_method]] void spend(double amount) {
    if (spent_ + amount <= 1e6) spent_ += amount;
  }
  double spent() const { return spent_; }

 private:
  [[autoshard::id]] int year_;
  [[autoshard::shardable(neutral = 0.0, shards = 4, fold = std::plus<>{})]] double spent_ = 0;
};

// wrong: one of 250 bonuses comes above 1e300 alone
class [[autoshard::entity]] Light {
 public:
  explicit Light(int star) : star_(star) {}
  [[autoshard::shard_method]] void see(double amount) { brightest_ = brighter(brightest_, amount); }
  double brightest() const { return brightest_; }

 private:
  [[autoshard::shard_fold]] static double brighter(double a, double b) {
    if (a > 1e300 && b > 1e300) return b;
    return a < b ? b : a;
  }
  [[autoshard::id]] int star_;
  [[autoshard::shardable(neutral = std::numeric_limits<double>::lowest(), shards = 4)]] double brightest_ =
      std::numeric_limits<double>::lowest();
};

// wrong: of two with one distance, the one on the left stays
class [[autoshard::entity]] Shot {
 public:
  explicit Shot(int match) : match_(match) {}
  [[autoshard::shard_method]] void hit(float distance, int player) {
    if (distance < closest_.distance) closest_ = {distance, player};
  }
  int player() const { return closest_.player; }

 private:
  struct Closest {
    float distance = std::numeric_limits<float>::infinity();
    int player = 0;
  };
  [[autoshard::shard_fold]] static Closest closer(Closest a, Closest b) {
    return b.distance < a.distance ? b : a;
  }
  [[autoshard::id]] int match_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Closest closest_;
};

// wrong: a difference is not commutative
class [[autoshard::entity]] Drift {
 public:
  explicit Drift(int clock) : clock_(clock) {}
  [[autoshard::shard_method]] void tick(double by) { drift_ -= by; }
  double drift() const { return drift_; }

 private:
  [[autoshard::shard_fold]] static double apart(double a, double b) { return a - b; }
  [[autoshard::id]] int clock_;
  [[autoshard::shardable(neutral = 0.0, shards = 4)]] double drift_ = 0;
};

// wrong: whole numbers are cut off in each shard
class [[autoshard::entity]] Tax {
 public:
  explicit Tax(int payer) : payer_(payer) {}
  [[autoshard::shard_method]] void owe(double amount) {
    cents_ = static_cast<long>(static_cast<double>(cents_) + amount);
  }
  long cents() const { return cents_; }

 private:
  [[autoshard::id]] int payer_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long cents_ = 0;
};

// wrong: a product with what was there before
class [[autoshard::entity]] Interest {
 public:
  explicit Interest(int account) : account_(account) {}
  [[autoshard::shard_method]] void deposit(double amount) { balance_ += amount; }
  [[autoshard::shard_method]] void accrue(double rate) { balance_ += balance_ * balance_ * rate; }
  double balance() const { return balance_; }

 private:
  [[autoshard::id]] int account_;
  [[autoshard::shardable(neutral = 0.0, shards = 4, fold = std::plus<>{})]] double balance_ = 0;
};

}  // namespace decimals
