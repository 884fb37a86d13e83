#pragma once
#include <functional>
#include <stdexcept>
#include <string>

namespace cinema {

/// One showing of a film, in a hall with 400 seats.
class [[autoshard::entity]] Showing {
 public:
  explicit Showing(std::string film) : film_(std::move(film)) {}

  // wrong:
  /// Each of ten shards would sell 400 seats.
  [[autoshard::shard_method]] void sell(int seats) {
    if (sold_ + seats > 400) throw std::runtime_error("sold out");
    // expect: autoshard-shard-method-throw: shard method 'sell' throws because of the value of the sharded
    //     member 'sold_', but a shard holds only a part of that; bound the member with 'min' or 'max', or do
    //     not shard it and change it in 'transact'
    sold_ += seats;
  // right:
  // /// Throws where 'max' would be exceeded, whichever shard it runs on.
  // [[autoshard::shard_method]] void sell(int seats) {
  //   if (seats < 1) throw std::invalid_argument("no seats");
  //   sold_ += seats;
  }

  int sold() const { return sold_; }

 private:
  [[autoshard::id]] std::string film_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]] int sold_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{}, max = 400)]] int sold_ = 0;
};

}  // namespace cinema
