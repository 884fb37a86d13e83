// Updates that do not commute with their fold, or with each other.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace updates {

// wrong: `*=` beside a sum: 2 and 3, doubled, are 10, but 2 doubled and 3 are 7
class [[autoshard::entity]] Savings {
 public:
  explicit Savings(std::string iban) : iban_(std::move(iban)) {}
  [[autoshard::shard_method]] void pay_in(std::int64_t cents) { cents_ += cents; }
  [[autoshard::shard_method]] void multiply(std::int64_t by) { cents_ *= by; }
  std::int64_t cents() const { return cents_; }

 private:
  [[autoshard::id]] std::string iban_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::int64_t cents_ = 0;
};

// wrong: `x * 2 + n` doubles one shard only
class [[autoshard::entity]] Hash {
 public:
  explicit Hash(int file) : file_(file) {}
  [[autoshard::shard_method]] void feed(std::uint32_t word) { hash_ = hash_ * 2 + word; }
  std::uint32_t hash() const { return hash_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t add(std::uint32_t a, std::uint32_t b) { return a + b; }

  [[autoshard::id]] int file_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t hash_ = 0;
};

// wrong: a maximum as the update of a sum: at least 10 of 6 and 6 is 12, but 10 and 6 are 16
class [[autoshard::entity]] Attendance {
 public:
  explicit Attendance(int day) : day_(day) {}
  [[autoshard::shard_method]] void came(unsigned people) { people_ += people; }
  [[autoshard::shard_method]] void at_least(unsigned people) { people_ = std::max(people_, people); }
  unsigned people() const { return people_; }

 private:
  [[autoshard::id]] int day_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] unsigned people_ = 0;
};

// wrong: a sum as the update of a maximum: 9 plus 1 is 10, but of 5 plus 1 and 9 it is 9
class [[autoshard::entity]] Record {
 public:
  explicit Record(int player) : player_(player) {}
  [[autoshard::shard_method]] void score(std::uint32_t points) { best_ += points; }
  std::uint32_t best() const { return best_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t better(std::uint32_t a, std::uint32_t b) {
    return std::max(a, b);
  }

  [[autoshard::id]] int player_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t best_ = 0;
};

// wrong: a minimum as the update of a maximum: capped at 3, the best of 5 and 9 is 3 or 9
class [[autoshard::entity]] Handicap {
 public:
  explicit Handicap(int golfer) : golfer_(golfer) {}
  [[autoshard::shard_method]] void play(int strokes) { worst_ = std::max(worst_, strokes); }
  [[autoshard::shard_method]] void cap(int strokes) { worst_ = std::min(worst_, strokes); }
  int worst() const { return worst_; }

 private:
  [[autoshard::shard_fold]] static int worse(int a, int b) { return a < b ? b : a; }

  [[autoshard::id]] int golfer_;
  [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = 4)]] int worst_ =
      std::numeric_limits<int>::min();
};

// wrong: `^=` beside a union: a bit that two shards have is cleared on one of them
class [[autoshard::entity]] Switches {
 public:
  explicit Switches(int board) : board_(board) {}
  [[autoshard::shard_method]] void press(std::uint32_t keys) { keys_ ^= keys; }
  std::uint32_t keys() const { return keys_; }

 private:
  [[autoshard::id]] int board_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::bit_or<>{})]] std::uint32_t keys_ = 0;
};

// wrong: the sign of a sum is turned: -(2 + 3) is -5, but -2 + 3 is 1
class [[autoshard::entity]] Direction {
 public:
  explicit Direction(int belt) : belt_(belt) {}
  [[autoshard::shard_method]] void move(int metres) { metres_ += metres; }
  [[autoshard::shard_method]] void turn_round() { metres_ = -metres_; }
  int metres() const { return metres_; }

 private:
  [[autoshard::id]] int belt_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int metres_ = 0;
};

// wrong: the buckets of one shard move on by one, and those of the others stay
class [[autoshard::entity]] Ring {
 public:
  explicit Ring(int number) : number_(number) {}
  [[autoshard::shard_method]] void count(unsigned by) { buckets_[0] += by; }
  [[autoshard::shard_method]] void tick() {
    std::rotate(buckets_.begin(), buckets_.begin() + 3, buckets_.end());
  }
  unsigned newest() const { return buckets_[0]; }

 private:
  using Buckets = std::array<unsigned, 4>;
  [[autoshard::shard_fold]] static Buckets add(Buckets a, const Buckets& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Buckets buckets_{};
};

// wrong: one per cent of interest is rounded on each shard: of 150 and 50 it is 2, but 1 and 0
class [[autoshard::entity]] Interest {
 public:
  explicit Interest(std::string iban) : iban_(std::move(iban)) {}
  [[autoshard::shard_method]] void pay_in(std::uint32_t cents) { cents_ += cents; }
  [[autoshard::shard_method]] void year() { cents_ += cents_ / 100; }
  std::uint64_t cents() const { return cents_; }

 private:
  [[autoshard::id]] std::string iban_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] std::uint64_t cents_ = 0;
};

// wrong: the number of bits that are new counts a bit twice that two shards have
class [[autoshard::entity]] Stamps {
 public:
  explicit Stamps(int album) : album_(album) {}
  [[autoshard::shard_method]] void add(std::uint64_t stamps) {
    album_of_.different += static_cast<unsigned>(std::popcount(stamps & ~album_of_.have));
    album_of_.have |= stamps;
  }
  unsigned different() const { return album_of_.different; }

 private:
  struct Have {
    std::uint64_t have = 0;
    unsigned different = 0;
  };
  [[autoshard::shard_fold]] static Have join(const Have& a, const Have& b) {
    return {a.have | b.have, a.different + b.different};
  }

  [[autoshard::id]] int album_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Have album_of_;
};

}  // namespace updates
