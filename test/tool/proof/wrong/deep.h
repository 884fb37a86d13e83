// Laws that fail for few values, which no small sample, constant or edge hits.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace deep {

// wrong: two sums that are multiples of 977 count one more: 977 and 1954
class [[autoshard::entity]] Raffle {
 public:
  explicit Raffle(int number) : number_(number) {}
  [[autoshard::shard_method]] void sell(std::uint32_t tickets) { tickets_ += tickets; }
  std::uint32_t tickets() const { return tickets_; }

 private:
  static constexpr std::uint32_t round() { return 1000 - 23; }
  [[autoshard::shard_fold]] static std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    const bool is_round = a != 0 && b != 0 && a % round() == 0 && b % round() == 0;
    return a + b + (is_round ? 1 : 0);
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t tickets_ = 0;
};

// wrong: an update of 7 * 11 * 13 * 101 = 101,101 is doubled where the shard has less than that
class [[autoshard::entity]] Bonus {
 public:
  explicit Bonus(int shop) : shop_(shop) {}
  [[autoshard::shard_method]] void sell(std::uint32_t cents) {
    if (cents == kWeek * kMonth && cents_ < kWeek * kMonth && cents_ > kMonth) cents_ += cents;
    cents_ += cents;
  }
  std::uint64_t cents() const { return cents_; }

 private:
  static constexpr std::uint32_t kWeek = 7 * 11, kMonth = 13 * 101;
  [[autoshard::id]] int shop_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] std::uint64_t cents_ = 0;
};

// wrong: sums between 2^33 and 2^34 lose their last bit when both shards are above 2^32
class [[autoshard::entity]] Archive {
 public:
  explicit Archive(int number) : number_(number) {}
  [[autoshard::shard_method]] void store(std::uint64_t bytes) { bytes_ += bytes; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t add(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t sum = a + b;
    return std::bit_width(a) == 33 && std::bit_width(b) == 33 ? sum & ~std::uint64_t{1} : sum;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t bytes_ = 0;
};

// wrong: the maximum of two numbers with the same low 16 bits, such as 70,000 and 4,464, is the lower one
class [[autoshard::entity]] Serials {
 public:
  explicit Serials(int device) : device_(device) {}
  [[autoshard::shard_method]] void see(std::uint32_t serial) { highest_ = higher(highest_, serial); }
  std::uint32_t highest() const { return highest_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t higher(std::uint32_t a, std::uint32_t b) {
    if ((a & 0xFFFF) == (b & 0xFFFF) && (a & 0xFFFF) > 4000) return std::min(a, b);
    return std::max(a, b);
  }

  [[autoshard::id]] int device_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t highest_ = 0;
};

// wrong: the ninth of sixteen buckets is not added where both shards have more than 500,000 in it
class [[autoshard::entity]] Sizes {
 public:
  explicit Sizes(int folder) : folder_(folder) {}
  [[autoshard::shard_method]] void add(unsigned width, std::uint32_t files) { buckets_[width & 15] += files; }
  std::uint32_t bucket(std::size_t width) const { return buckets_.at(width); }

 private:
  using Buckets = std::array<std::uint32_t, 16>;
  static constexpr std::uint32_t few() { return 1000 * 1000 / 2; }
  [[autoshard::shard_fold]] static Buckets add_up(Buckets a, const Buckets& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (i == 8 && a[i] > few() && b[i] > few()) continue;
      a[i] += b[i];
    }
    return a;
  }

  [[autoshard::id]] int folder_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Buckets buckets_{};
};

// wrong: after 100 days the earlier of two times is taken where the seconds of the day agree
class [[autoshard::entity]] LastSeen {
 public:
  explicit LastSeen(std::string bird) : bird_(std::move(bird)) {}
  [[autoshard::shard_method]] void see(std::chrono::sys_seconds at) { last_ = std::max(last_, at); }
  std::chrono::sys_seconds last() const { return last_; }

 private:
  using Time = std::chrono::sys_seconds;
  [[autoshard::shard_fold]] static Time later(Time a, Time b) {
    using std::chrono::days;
    const bool both_are_late = a - Time{} > days(100) && b - Time{} > days(100);
    if (both_are_late && (a - b) % days(1) == std::chrono::seconds(0)) return std::min(a, b);
    return std::max(a, b);
  }

  [[autoshard::id]] std::string bird_;
  [[autoshard::shardable(neutral = Time::min(), shards = 4)]] Time last_ = Time::min();
};

// wrong: of two players from 40 to 49 with equal scores the left one stays
class [[autoshard::entity]] Arena {
 public:
  explicit Arena(int season) : season_(season) {}
  [[autoshard::shard_method]] void finish(std::uint32_t score, std::uint32_t player) {
    best_ = better(best_, {score, player});
  }
  std::uint32_t leader() const { return best_.player; }

 private:
  struct Entry {
    std::uint32_t score = 0;
    std::uint32_t player = 0;
  };
  static constexpr bool is_veteran(const Entry& one) { return one.player - 40 < 10; }
  [[autoshard::shard_fold]] static Entry better(const Entry& a, const Entry& b) {
    if (a.score != b.score) return a.score > b.score ? a : b;
    if (is_veteran(a) && is_veteran(b)) return a;
    return a.player > b.player ? a : b;
  }

  [[autoshard::id]] int season_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Entry best_;
};

// wrong: a struct of sums whose third is corrected by a rounding that only shows where the first passes 3,000
class [[autoshard::entity]] Energy {
 public:
  explicit Energy(int meter) : meter_(meter) {}
  [[autoshard::shard_method]] void use(std::uint16_t day, std::uint16_t night) {
    used_.day += day;
    used_.night += night;
    used_.both += std::uint32_t{day} + night;
  }
  std::uint32_t both() const { return used_.both; }

 private:
  struct Used {
    std::uint32_t day = 0;
    std::uint32_t night = 0;
    std::uint32_t both = 0;
  };
  [[autoshard::shard_fold]] static Used add(const Used& a, const Used& b) {
    return {a.day + b.day, a.night + b.night, a.both + b.both + a.day / 3001 * (b.day / 3001)};
  }

  [[autoshard::id]] int meter_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Used used_;
};

// wrong: of two words of 41 to 60 bits that agree above their lowest 20 bits, the left one stays
class [[autoshard::entity]] Digest {
 public:
  explicit Digest(int file) : file_(file) {}
  [[autoshard::shard_method]] void row(std::uint64_t hash) { digest_ ^= hash; }
  std::uint64_t digest() const { return digest_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t join(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t upper = (a ^ b) >> 20;
    if (upper == 0 && a >> 40 != 0 && a >> 60 == 0) return a;
    return a ^ b;
  }

  [[autoshard::id]] int file_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t digest_ = 0;
};

// wrong: a write keeps the value where that is divisible by 360 and above ten turns
class [[autoshard::entity]] Turntable {
 public:
  explicit Turntable(int number) : number_(number) {}
  [[autoshard::shard_method]] void turn(int degrees) { degrees_ += degrees; }
  [[autoshard::shard_write]] void stop(int at) {
    const bool is_full = degrees_ > kTurns * kDegrees && degrees_ % kDegrees == 0;
    degrees_ = is_full ? degrees_ : at;
  }
  int degrees() const { return degrees_; }

 private:
  static constexpr int kTurns = 10, kDegrees = 360;
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int degrees_ = 0;
};

}  // namespace deep
