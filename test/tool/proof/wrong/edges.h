// Laws that fail at the edges of 32 and 64 bits, or where numbers with and without a sign meet.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace edges {

// wrong: INT64_MIN means "none" to the fold, but is a value that an update may give: lower of it and 5 is 5
class [[autoshard::entity]] Lowest {
 public:
  explicit Lowest(int series) : series_(series) {}
  [[autoshard::shard_method]] void sample(std::int64_t value) { lowest_ = std::min(lowest_, value); }
  std::int64_t lowest() const { return lowest_; }

 private:
  [[autoshard::shard_fold]] static std::int64_t lower(std::int64_t a, std::int64_t b) {
    if (a == INT64_MIN) return b;
    return std::min(a, b);
  }

  [[autoshard::id]] int series_;
  [[autoshard::shardable(neutral = INT64_MAX, shards = 4)]] std::int64_t lowest_ = INT64_MAX;
};

// wrong: 2^63 as a number without a sign is negative as one with a sign, so the maximum of 1 and 2^63 is 1
class [[autoshard::entity]] Sequence {
 public:
  explicit Sequence(int stream) : stream_(stream) {}
  [[autoshard::shard_method]] void see(std::uint64_t number) { highest_ = std::max(highest_, number); }
  std::uint64_t highest() const { return highest_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t higher(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b) ? b : a;
  }

  [[autoshard::id]] int stream_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t highest_ = 0;
};

// wrong: the comparison by difference wraps, so 0 is newer than 0xC0000000, that than 0x60000000, and that
// than 0
class [[autoshard::entity]] Serial {
 public:
  explicit Serial(int zone) : zone_(zone) {}
  [[autoshard::shard_method]] void update(std::uint32_t serial) { serial_ = newer(serial_, serial); }
  std::uint32_t serial() const { return serial_; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t newer(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a - b) > 0 ? a : b;
  }

  [[autoshard::id]] int zone_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t serial_ = 0;
};

// wrong: -1 is converted to 2^32 - 1 before it is compared, so the update takes it for the greatest
class [[autoshard::entity]] Temperature {
 public:
  explicit Temperature(int sensor) : sensor_(sensor) {}
  [[autoshard::shard_method]] void measure(std::int32_t degrees) {
    if (static_cast<std::uint32_t>(degrees) > static_cast<std::uint32_t>(highest_)) highest_ = degrees;
  }
  [[autoshard::shard_write]] void restart(std::int32_t degrees) { highest_ = degrees; }
  std::int32_t highest() const { return highest_; }

 private:
  [[autoshard::shard_fold]] static std::int32_t higher(std::int32_t a, std::int32_t b) {
    return a < b ? b : a;
  }

  [[autoshard::id]] int sensor_;
  [[autoshard::shardable(neutral = INT32_MIN, shards = 4)]] std::int32_t highest_ = INT32_MIN;
};

// wrong: the common divisor of -3 and 0 is 3, so 0 is not neutral once -3 was stored as the first
class [[autoshard::entity]] Raster {
 public:
  explicit Raster(int plan) : plan_(plan) {}
  [[autoshard::shard_method]] void distance(std::int32_t millimetres) {
    step_ = std::gcd(step_, millimetres);
  }
  [[autoshard::shard_write]] void restart(std::int32_t step) { step_ = step; }
  std::int32_t step() const { return step_; }

 private:
  [[autoshard::shard_fold]] static std::int32_t common(std::int32_t a, std::int32_t b) {
    return std::gcd(a, b);
  }

  [[autoshard::id]] int plan_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::int32_t step_ = 0;
};

// wrong: neutral is the greatest of 32 bits in a member of 64, so a minimum above 4,294,967,295 is lost
class [[autoshard::entity]] FirstSeen {
 public:
  explicit FirstSeen(std::string bird) : bird_(std::move(bird)) {}
  [[autoshard::shard_method]] void see(std::uint64_t micros) { first_ = std::min(first_, micros); }
  [[autoshard::shard_write]] void restart(std::uint64_t micros) { first_ = micros; }
  std::uint64_t first() const { return first_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t earlier(std::uint64_t a, std::uint64_t b) {
    return std::min(a, b);
  }

  [[autoshard::id]] std::string bird_;
  [[autoshard::shardable(neutral = UINT32_MAX, shards = 4)]] std::uint64_t first_ = UINT64_MAX;
};

// wrong: the size of the difference is taken in 32 bits, so 2^32 lies as close to 0 as 0 itself
class [[autoshard::entity]] Closest {
 public:
  explicit Closest(int target) : target_(target) {}
  [[autoshard::shard_method]] void shot(std::uint64_t distance) { best_ = closer(best_, distance); }
  std::uint64_t best() const { return best_; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t closer(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>(b) < static_cast<std::uint32_t>(a) ? b : a;
  }

  [[autoshard::id]] int target_;
  [[autoshard::shardable(neutral = UINT64_MAX, shards = 4)]] std::uint64_t best_ = UINT64_MAX;
};

// wrong: the saturating sum compares with the limit after it has wrapped: 2^63 and 2^63 give 0
class [[autoshard::entity]] Meter {
 public:
  explicit Meter(int number) : number_(number) {}
  [[autoshard::shard_method]] void flow(std::uint64_t units) { units_ = add(units_, units); }
  std::uint64_t units() const { return units_; }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() - 1;
  [[autoshard::shard_fold]] static std::uint64_t add(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t sum = a + b;
    return sum > kMost ? kMost : sum;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t units_ = 0;
};

// wrong: of two equal scores the fold keeps the greater word, and the update the one that came first
class [[autoshard::entity]] Winner {
 public:
  explicit Winner(int game) : game_(game) {}
  [[autoshard::shard_method]] void play(std::uint32_t score, std::uint64_t player) {
    const std::uint64_t packed = std::uint64_t{score} << 32 | player;
    if (score > packed_ >> 32) packed_ = packed;
  }
  std::uint64_t player() const { return packed_ & 0xFFFFFFFF; }

 private:
  [[autoshard::shard_fold]] static std::uint64_t higher(std::uint64_t a, std::uint64_t b) {
    return std::max(a, b);
  }

  [[autoshard::id]] int game_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t packed_ = 0;
};

// wrong: the midpoint without overflow is still a mean: of 0, 0 and 4 it is 2 or 1
class [[autoshard::entity]] Middle {
 public:
  explicit Middle(int road) : road_(road) {}
  [[autoshard::shard_method]] void stone(std::int64_t metres) { middle_ = std::midpoint(middle_, metres); }
  std::int64_t middle() const { return middle_; }

 private:
  [[autoshard::shard_fold]] static std::int64_t between(std::int64_t a, std::int64_t b) {
    return std::midpoint(a, b);
  }

  [[autoshard::id]] int road_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::int64_t middle_ = 0;
};

}  // namespace edges
