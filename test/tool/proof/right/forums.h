// Forums: votes, views, flags and what a moderator looks at.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace forums {

/// Votes in both directions.
class [[autoshard::entity]] Post {
 public:
  explicit Post(std::uint64_t number) : number_(number) {}
  [[autoshard::shard_method]] void vote(bool up) { up ? ++votes_.first : ++votes_.second; }
  [[autoshard::shard_method]] void take_back(bool up) { up ? --votes_.first : --votes_.second; }
  long score() const { return votes_.first - votes_.second; }

 private:
  using Votes = std::pair<long, long>;
  [[autoshard::shard_fold]] static Votes add(Votes a, const Votes& b) {
    a.first += b.first;
    a.second += b.second;
    return a;
  }

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(neutral = Votes{}, shards = 16)]] Votes votes_;
};

/// Reactions by kind; a kind that is not known counts as the last.
class [[autoshard::entity]] Reactions {
 public:
  enum class Kind : unsigned char { kLike, kLaugh, kCry, kOther };
  explicit Reactions(std::uint64_t post) : post_(post) {}
  [[autoshard::shard_method]] void react(Kind kind) { ++counts_[slot(kind)]; }
  [[autoshard::shard_method]] void change(Kind from, Kind to) {
    --counts_[slot(from)];
    ++counts_[slot(to)];
  }
  std::int32_t count(Kind kind) const { return counts_[slot(kind)]; }

 private:
  static constexpr std::size_t slot(Kind kind) {
    return std::min<std::size_t>(static_cast<unsigned char>(kind), 3);
  }
  using Counts = std::array<std::int32_t, 4>;
  [[autoshard::shard_fold]] static Counts sum(const Counts& a, const Counts& b) {
    Counts both = a;
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = a[i] + b[i];
    return both;
  }

  [[autoshard::id]] std::uint64_t post_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Counts counts_{};
};

/// Why a post was reported, and by how many.
class [[autoshard::entity]] Report {
 public:
  explicit Report(std::uint64_t post) : post_(post) {}
  [[autoshard::shard_method]] void report(std::bitset<6> reasons) {
    reasons_ |= reasons;
    ++reports_;
  }
  bool is_urgent() const { return reasons_[0] || reports_ > 20; }

 private:
  [[autoshard::shard_fold]] static std::bitset<6> join(std::bitset<6> a, std::bitset<6> b) { return a | b; }
  [[autoshard::shard_fold]] static unsigned sum(unsigned a, unsigned b) { return a + b; }

  [[autoshard::id]] std::uint64_t post_;
  [[autoshard::shardable(neutral = std::bitset<6>{}, shards = 2)]] std::bitset<6> reasons_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] unsigned reports_ = 0;
};

/// The last activity: when, and by whom.
class [[autoshard::entity]] Thread {
 public:
  explicit Thread(std::string title) : title_(std::move(title)) {}
  [[autoshard::shard_method]] void reply(std::chrono::sys_time<std::chrono::milliseconds> at,
                                         std::uint64_t user) {
    if (Activity{at, user}.is_after(last_)) last_ = {at, user};
    ++replies_;
  }
  std::uint64_t user() const { return last_.user; }
  int replies() const { return replies_; }

 private:
  struct Activity {
    std::chrono::sys_time<std::chrono::milliseconds> at =
        std::chrono::sys_time<std::chrono::milliseconds>::min();
    std::uint64_t user = 0;
    constexpr bool is_after(const Activity& other) const {
      return at > other.at || (at == other.at && user > other.user);
    }
  };
  [[autoshard::shard_fold]] static Activity later(const Activity& a, const Activity& b) {
    return a.is_after(b) ? a : b;
  }
  [[autoshard::shard_fold]] static int add(int a, int b) { return a + b; }

  [[autoshard::id]] std::string title_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Activity last_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int replies_ = 0;
};

/// A user's karma; spam costs ten times as much.
class [[autoshard::entity]] Karma {
 public:
  explicit Karma(std::uint64_t user) : user_(user) {}
  [[autoshard::shard_method]] void liked(int times = 1) { karma_ += times; }
  [[autoshard::shard_method]] void disliked(int times = 1) { karma_ -= times; }
  [[autoshard::shard_method]] void spammed() {
    for (int i = 0; i < 10; ++i) disliked();
  }
  long karma() const { return karma_; }

 private:
  [[autoshard::id]] std::uint64_t user_;
  [[autoshard::shardable(neutral = 0L, shards = 4, fold = std::plus<long>{})]] long karma_ = 0;
};

/// The strictest sanction on a user: none, muted for some hours, or banned.
class [[autoshard::entity]] Sanction {
 public:
  explicit Sanction(std::uint64_t user) : user_(user) {}
  [[autoshard::shard_method]] void mute(std::uint32_t hours) {
    if (hours == 0) return;
    sanction_ = stricter(sanction_, Muted{hours});
  }
  [[autoshard::shard_method]] void ban() { sanction_ = stricter(sanction_, Banned{}); }
  [[autoshard::shard_write]] void pardon() { sanction_ = std::monostate{}; }
  bool may_write() const { return sanction_.index() == 0; }

 private:
  struct Muted {
    std::uint32_t hours = 0;
  };
  struct Banned {
    std::uint8_t forever = 1;
  };
  using Kind = std::variant<std::monostate, Muted, Banned>;
  [[autoshard::shard_fold]] static Kind stricter(const Kind& a, const Kind& b) {
    if (a.index() != b.index()) return a.index() < b.index() ? b : a;
    if (const Muted* muted = std::get_if<Muted>(&a)) {
      return Muted{std::max(muted->hours, std::get_if<Muted>(&b)->hours)};
    }
    if (const Banned* banned = std::get_if<Banned>(&a)) {
      return Banned{std::max(banned->forever, std::get_if<Banned>(&b)->forever)};
    }
    return a;
  }

  [[autoshard::id]] std::uint64_t user_;
  [[autoshard::shardable(neutral = std::monostate{}, shards = 2)]] Kind sanction_;
};

/// Views of a page by day of the week, in a window of four weeks.
class [[autoshard::entity]] PageViews {
 public:
  explicit PageViews(std::string page) : page_(std::move(page)) {}
  [[autoshard::shard_method]] void view(unsigned weekday) {
    if (weekday >= 7) return;
    views_[weekday] += 1;
  }
  unsigned sundays() const { return views_[6]; }

 private:
  using Week = std::array<unsigned, 7>;
  [[autoshard::shard_fold]] static Week add(const Week& a, const Week& b) {
    Week sum = b;
    for (std::size_t day = 0; day < sum.size(); ++day) sum[day] += a[day];
    return sum;
  }

  [[autoshard::id]] std::string page_;
  [[autoshard::shardable(neutral = {}, shards = 4, last = 28d, bucket = 1d)]] Week views_{};
};

/// The longest post, in a reversed number: the fold is a minimum.
class [[autoshard::entity]] LongestPost {
 public:
  explicit LongestPost(int board) : board_(board) {}
  [[autoshard::shard_method]] void post(std::uint32_t length) {
    const std::uint32_t left = kMost - length;
    if (left >= left_) return;
    left_ = left;
  }
  std::uint32_t longest() const { return kMost - left_; }

 private:
  static constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  [[autoshard::shard_fold]] static std::uint32_t less(std::uint32_t a, std::uint32_t b) {
    auto [low, high] = std::minmax({a, b});
    return low;
  }

  [[autoshard::id]] int board_;
  [[autoshard::shardable(neutral = kMost, shards = 2)]] std::uint32_t left_ = kMost;
};

/// Poll options that a user may tick, four of them, and how many ticks there are in all.
class [[autoshard::entity]] Ballot {
 public:
  explicit Ballot(int number) : number_(number) {}
  [[autoshard::shard_method]] void tick(std::uint8_t options) {
    for (std::size_t i = 0; i < 4; ++i) ticks_.of[i] += options >> i & 1U;
    ticks_.all += static_cast<unsigned>(std::popcount(static_cast<unsigned>(options) & 15U));
  }
  unsigned all() const { return ticks_.all; }

 private:
  struct Ticks {
    std::array<unsigned, 4> of{};
    unsigned all = 0;
  };
  [[autoshard::shard_fold]] static Ticks add(const Ticks& a, const Ticks& b) {
    Ticks sum;
    for (std::size_t i = 0; i < 4; ++i) sum.of[i] = a.of[i] + b.of[i];
    sum.all = a.all + b.all;
    return sum;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Ticks ticks_;
};

}  // namespace forums
