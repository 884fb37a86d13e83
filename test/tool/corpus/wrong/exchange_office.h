#pragma once
#include <string>

namespace money {

// wrong:
/// Set by the administrator.
inline unsigned long rounding = 5;
// right:
// inline constexpr unsigned long rounding = 5;

/// What was exchanged in one office.
class [[autoshard::entity]] ExchangeOffice {
 public:
  explicit ExchangeOffice(std::string city) : city_(std::move(city)) {}

  [[autoshard::shard_method]] void exchange(unsigned long cents) {
    if (cents > largest_) largest_ = cents;
  }
  unsigned long largest() const { return largest_; }

 private:
  /// Amounts below the rounding count as nothing.
  [[autoshard::shard_fold]] static unsigned long larger(unsigned long x, unsigned long y) {
    // wrong:
    const unsigned long most = x > y ? x : y;
    return most < rounding ? 0 : most;
    // expect: autoshard-fold-effect: shard fold 'larger' reads the variable 'rounding', which can change, but
    //     it runs at any time, in any process; it must compute from its two values alone
    // right:
    // return x > y ? x : y;
  }

  [[autoshard::id]] std::string city_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] unsigned long largest_ = 0;
};

}  // namespace money
