#pragma once
#include <string>

namespace bank {

class [[autoshard::entity]] Account {
 public:
  explicit Account(std::string iban) : iban_(std::move(iban)) {}
  // wrong:
  Account(const Account& other) : iban_(other.iban_), cents_(other.cents_) {}
  // expect: autoshard-copy-operation: entity 'Account' copies or moves itself member by member, which leaves
  //     behind the version and the updates that are not saved yet; default it with '= default', or delete it
  // right:
  // Account(const Account& other) = default;

  [[autoshard::shard_method]] void deposit(long cents) { cents_ += cents; }
  long cents() const { return cents_; }

 private:
  [[autoshard::shard_fold]] static long sum(long a, long b) { return a + b; }

  [[autoshard::id]] std::string iban_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] long cents_ = 0;
};

}  // namespace bank
