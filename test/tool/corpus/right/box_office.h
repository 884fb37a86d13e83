// Seats, vouchers and tills of a concert hall. Style: doxygen, explicit bounds, no exceptions of its own.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hall {

/// What the house law allows.
struct Rules {
  static constexpr std::int32_t kFireLimit = 1'000;
  static constexpr std::int32_t limit(bool standing) { return standing ? kFireLimit : kFireLimit / 2; }
};

/// One evening. The total of seats sold never leaves its bounds, wherever they are sold.
class [[autoshard::entity("hall.Evening")]] Evening final {
 public:
  using Date = std::chrono::system_clock::time_point;

  Evening() = default;
  Evening(std::uint32_t number, Date date) : number_{number}, date_{date} {}

  [[autoshard::shard_method]] void sell(std::int32_t seats = 1) { sold_ += seats; }
  [[autoshard::shard_method]] void takeBack(std::int32_t seats) { sold_ -= seats; }
  [[autoshard::shard_method]] void enter() noexcept { ++inside_; }
  [[autoshard::shard_method]] void leave() noexcept { --inside_; }
  /// The turnstiles are counted by hand, at midnight.
  [[autoshard::shard_write]] void recount(int people) noexcept { inside_ = people; }
  [[autoshard::shard_method]] void redeem(std::int64_t cents) { vouchers_ -= cents; }
  [[autoshard::shard_method]] void grant(std::int64_t cents) { vouchers_ += cents; }

  [[nodiscard]] std::int32_t sold() const noexcept { return sold_; }
  [[nodiscard]] int inside() const noexcept { return inside_; }
  [[nodiscard]] std::int64_t vouchers() const noexcept { return vouchers_; }
  [[nodiscard]] Date date() const noexcept { return date_; }

 private:
  enum Tills : unsigned { kTills = 6, kDoors = 24 };

  [[autoshard::id]] std::uint32_t number_ = 0;
  Date date_{};
  [[autoshard::shardable(neutral = 0, shards = kTills, fold = std::plus<>{}, min = 0, max = Rules::limit(true))]]
  std::int32_t sold_ = 0;
  [[autoshard::shardable(neutral = 0, shards = adaptive(1, kDoors), fold = std::plus<>{})]] int inside_ = 0;
  [[autoshard::shardable(neutral = 0, shards = adaptive, fold = std::plus<>{}, min = 0)]] std::int64_t vouchers_ = 0;
};

/// The temperature in the hall, as its sensors have it.
struct [[autoshard::entity("hall.Climate")]] Climate {
  explicit Climate(std::string of_room) : room(std::move(of_room)) {}

  // Everything here is measured anew.
  [[autoshard::shard_write]] Climate& measured(short degrees, std::vector<short> seats) {
    warmest = degrees;
    by_seat = {};
    for (std::size_t at = 0; at < seats.size(); ++at) by_seat[static_cast<int>(at)] = seats[at];
    return *this;
  }
  [[autoshard::shard_method]] void feel(short degrees) { warmest = warmest < degrees ? degrees : warmest; }
  [[autoshard::shard_method]] void feel(int seat, short degrees) {
    const auto [at, is_new] = by_seat.emplace(seat, degrees);
    if (!is_new && at->second < degrees) at->second = degrees;
  }

  [[autoshard::id]] std::string room;

 private:
  [[autoshard::shard_fold(by_seat)]] static std::map<int, short> merge(std::map<int, short> one,
                                                                      const std::map<int, short>& other) {
    for (const auto& [seat, degrees] : other) {
      const auto [at, is_new] = one.emplace(seat, degrees);
      if (!is_new && at->second < degrees) at->second = degrees;
    }
    return one;
  }

  [[autoshard::shardable(neutral = std::numeric_limits<short>::min(),
                         fold = [](short a, short b) { return a < b ? b : a; })]] short warmest =
      std::numeric_limits<short>::min();
  [[autoshard::shardable(neutral = {})]] std::map<int, short> by_seat;
};

}  // namespace hall
