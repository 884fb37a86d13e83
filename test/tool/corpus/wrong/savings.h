#pragma once
#include <functional>
#include <string>

namespace bank {

class [[autoshard::entity]] Savings {
 public:
  explicit Savings(std::string iban) : iban_(std::move(iban)) {}

  [[autoshard::shard_method]] void deposit(long cents) { cents_ += cents; }
  // wrong:
  [[autoshard::shard_method]] void withdraw(long cents) {
  // expect: autoshard-method-does-not-commute: withdraw(2) after folding 1 and 1 gives 0, but withdraw(2) on
  //     1, folded with 1, gives 2; an update must give the same total on every shard
    if (cents_ >= cents) cents_ -= cents;
  }
  // right:
  // [[autoshard::shard_method]] void withdraw(long cents) { cents_ -= cents; }

 private:
  [[autoshard::id]] std::string iban_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] long cents_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, min = 0)]] long cents_ = 0;
};

}  // namespace bank
