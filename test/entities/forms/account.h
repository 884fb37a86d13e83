// Every form of shard method: overloads, parameters of each kind, defaults, results, exceptions.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace bank {

class [[autoshard::entity]] Account {
 public:
  /// What a booking is about.
  enum class Reason { kOther, kSalary, kRent };

  virtual ~Account() = default;
  explicit Account(long number) : number_(number) {}
  Account(const Account&) = default;
  Account(Account&&) = default;
  Account& operator=(const Account&) = default;
  Account& operator=(Account&&) = default;

  [[autoshard::shard_method]] void book() { book(kDefault); }
  [[autoshard::shard_method]] void book(long cents) { cents_ += cents; }
  [[autoshard::shard_method]] void book(long cents, Reason reason, int times = 1) {
    for (int i = 0; i < times; ++i) book(cents);
    by_reason_[name(reason)] += cents * times;
  }

  /// The parameter is moved from, and the caller's own is not touched twice.
  [[autoshard::shard_method]] void note(std::string reason, std::string&& other) {
    by_reason_[std::move(reason)] += 1;
    std::string taken = std::move(other);
    by_reason_[std::move(taken)] += 1;
  }

  using Cents = long;
  [[autoshard::shard_method]] Cents deposit(Cents cents) {
    if (cents < 0) throw std::invalid_argument("negative deposit");
    cents_ += cents;
    return cents;
  }

  [[autoshard::shard_method]] void count_down(int& remaining) noexcept {
    --remaining;
    ++cents_;
  }

  [[autoshard::shard_method]] Account& chained(long cents) & {
    this->cents_ += cents;
    return *this;
  }
  [[autoshard::shard_method]] virtual Reason last(Reason reason) {
    ++cents_;
    return reason;
  }
  [[autoshard::shard_method, nodiscard]] constexpr bool tick(long pending = 1, long total = 0) noexcept(true) {
    cents_ += pending + total;
    return pending > 0;
  }

  long number() const { return number_; }
  long cents() const { return cents_; }
  const std::map<std::string, long>& by_reason() const { return by_reason_; }
  friend bool operator==(const Account& one, const Account& other) = default;

 private:
  static constexpr long kDefault = 100;
  static std::string name(Reason reason) { return reason == Reason::kSalary ? "salary" : "other"; }
  [[autoshard::shard_fold(cents_)]] static long sum(long a, long b) { return a + b; }
  [[autoshard::shard_fold]] static std::map<std::string, long> sum(const std::map<std::string, long>& a,
                                                                   const std::map<std::string, long>& b) {
    std::map<std::string, long> result = a;
    for (const auto& [reason, cents] : b) result[reason] += cents;
    return result;
  }

  [[autoshard::id]] long number_;
  std::string owner_;
  [[autoshard::shardable(neutral = 0, shards = 10)]] long cents_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 3)]] std::map<std::string, long> by_reason_;
};

}  // namespace bank
