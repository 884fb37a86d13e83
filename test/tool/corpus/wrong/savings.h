#pragma once
#include <functional>
#include <string>

namespace bank {

class [[autoshard::entity]] Savings {
 public:
  explicit Savings(std::string iban) : iban_(std::move(iban)) {}

  [[autoshard::shard_method]] void deposit(long cents) { cents_ += cents; }
  [[autoshard::shard_method]] void withdraw(long cents) {  // expect: autoshard-method-does-not-commute
    if (cents_ >= cents) cents_ -= cents;
  }

 private:
  [[autoshard::id]] std::string iban_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] long cents_ = 0;
};

}  // namespace bank
