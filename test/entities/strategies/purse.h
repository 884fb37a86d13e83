// A sharded value whose codec may throw, and one whose type has little room beyond its bounds.
#pragma once

#include <autoshard/codec.h>

#include <functional>
#include <stdexcept>

namespace shop {

/// Cannot be stored if it is `kUnwritable`.
struct Amount {
  static constexpr long kUnwritable = 13;

  long cents = 0;
};

class [[autoshard::entity]] Purse {
 public:
  explicit Purse(int id) : id_(id) {}

  [[autoshard::shard_method(trusted = "adds to the sum")]] void put(long cents) { total_.cents += cents; }
  [[autoshard::shard_method]] void stamp(short stamps) { stamps_ += stamps; }
  long total() const { return total_.cents; }
  int stamps() const { return stamps_; }

 private:
  static Amount add(Amount x, Amount y) { return {x.cents + y.cents}; }

  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = Amount{}, shards = 4, fold = add,
                         trusted = "adds numbers")]] Amount total_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = -30000,
                         max = 30000)]] short stamps_ = 0;
};

}  // namespace shop

template <>
struct autoshard::Codec<shop::Amount> {
  static void encode(Encoder& out, const shop::Amount& amount) {
    if (amount.cents == shop::Amount::kUnwritable) throw std::domain_error("this amount cannot be written");
    out.integer(amount.cents);
  }
  static void decode(Decoder& in, shop::Amount& amount) { amount.cents = in.integer(); }
};
