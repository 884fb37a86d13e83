// Laws that hold for every value that updates can reach from the neutral one, and not for all values of the
// type.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace reachable {

/// A residue modulo a prime. Reachable: less than 1009.
class [[autoshard::entity]] Checksum {
 public:
  explicit Checksum(int file) : file_(file) {}
  [[autoshard::shard_method]] void feed(std::uint32_t word) { residue_ = add(residue_, word % kPrime); }
  std::uint32_t residue() const { return residue_; }

 private:
  static constexpr std::uint32_t kPrime = 1009;
  [[autoshard::shard_fold]] static constexpr std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return (a + b) % kPrime;
  }

  [[autoshard::id]] int file_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t residue_ = 0;
};

/// A product modulo a prime. Reachable: less than 1009.
class [[autoshard::entity]] Fingerprint {
 public:
  explicit Fingerprint(int file) : file_(file) {}
  [[autoshard::shard_method]] void element(std::uint32_t hash) { product_ = times(product_, hash % kPrime); }
  std::uint32_t product() const { return product_; }

 private:
  static constexpr std::uint32_t kPrime = 1009;
  [[autoshard::shard_fold]] static std::uint32_t times(std::uint32_t a, std::uint32_t b) {
    return a * b % kPrime;
  }

  [[autoshard::id]] int file_;
  [[autoshard::shardable(neutral = 1, shards = 4)]] std::uint32_t product_ = 1;
};

/// A maximum that begins at nothing. Reachable: not negative.
class [[autoshard::entity]] HighScore {
 public:
  explicit HighScore(std::string game) : game_(std::move(game)) {}
  [[autoshard::shard_method]] void play(int points) {
    if (points > best_) best_ = points;
  }
  int best() const { return best_; }

 private:
  [[autoshard::shard_fold]] static int better(int a, int b) { return std::max(a, b); }

  [[autoshard::id]] std::string game_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int best_ = 0;
};

/// A progress of which -1 says that it is not known. Reachable: -1 and more.
class [[autoshard::entity]] Download {
 public:
  explicit Download(int number) : number_(number) {}
  [[autoshard::shard_method]] void progress(int percent) {
    percent_ = std::max(percent_, std::clamp(percent, 0, 100));
  }
  bool is_known() const { return percent_ >= 0; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(
      neutral = -1, shards = 4, fold = [](int a, int b) { return std::max(a, b); })]] int percent_ = -1;
};

/// A jar that is full at a thousand. Reachable: up to a thousand.
class [[autoshard::entity]] CookieJar {
 public:
  explicit CookieJar(int office) : office_(office) {}
  [[autoshard::shard_method]] void put(std::uint32_t cookies) {
    cookies_ = fill(cookies_, std::min(cookies, kFull));
  }
  std::uint32_t cookies() const { return cookies_; }

 private:
  static constexpr std::uint32_t kFull = 1000;
  [[autoshard::shard_fold]] static std::uint32_t fill(std::uint32_t a, std::uint32_t b) {
    return std::min(a + b, kFull);
  }

  [[autoshard::id]] int office_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t cookies_ = 0;
};

/// The three highest bids. Reachable: sorted, the highest first.
class [[autoshard::entity]] Auction {
 public:
  explicit Auction(int lot) : lot_(lot) {}
  [[autoshard::shard_method]] void bid(std::int64_t cents) {
    highest_ = merge(highest_, {cents, kNone, kNone});
  }
  std::int64_t price() const { return highest_[1]; }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();
  using Bids = std::array<std::int64_t, 3>;
  [[autoshard::shard_fold]] static Bids merge(const Bids& a, const Bids& b) {
    std::array all = {a[0], a[1], a[2], b[0], b[1], b[2]};
    std::sort(all.begin(), all.end(), std::greater<>{});
    return {all[0], all[1], all[2]};
  }

  [[autoshard::id]] int lot_;
  [[autoshard::shardable(neutral = (Bids{kNone, kNone, kNone}), shards = 8)]] Bids highest_{kNone, kNone,
                                                                                            kNone};
};

/// The best and the second best throw. Reachable: the best is not less than the second.
class [[autoshard::entity]] Javelin {
 public:
  explicit Javelin(int athlete) : athlete_(athlete) {}
  [[autoshard::shard_method]] void attempt(unsigned centimetres) {
    if (centimetres > throws_.best) {
      throws_.second = std::exchange(throws_.best, centimetres);
    } else if (centimetres > throws_.second) {
      throws_.second = centimetres;
    }
  }
  unsigned best() const { return throws_.best; }

 private:
  struct Throws {
    unsigned best = 0;
    unsigned second = 0;
  };
  [[autoshard::shard_fold]] static Throws join(const Throws& a, const Throws& b) {
    if (a.best < b.best) return {b.best, std::max(a.best, b.second)};
    return {a.best, std::max(a.second, b.best)};
  }

  [[autoshard::id]] int athlete_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Throws throws_;
};

/// The three fastest runners, by time and then by number. Reachable: sorted.
class [[autoshard::entity]] Podium {
 public:
  explicit Podium(int race) : race_(race) {}
  [[autoshard::shard_method]] void finish(std::uint32_t millis, std::uint32_t runner) {
    Runner late{millis, runner};
    for (Runner& place : places_) {
      if (late < place) std::swap(late, place);
    }
  }
  std::uint32_t winner() const { return places_[0].second; }

 private:
  using Runner = std::pair<std::uint32_t, std::uint32_t>;
  using Places = std::array<Runner, 3>;
  static constexpr Places nobody() {
    constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();
    return {Runner{kLast, kLast}, Runner{kLast, kLast}, Runner{kLast, kLast}};
  }
  [[autoshard::shard_fold]] static Places merge(const Places& a, const Places& b) {
    Places first;
    std::size_t i = 0, j = 0;
    for (Runner& place : first) place = b[j] < a[i] ? b[j++] : a[i++];
    return first;
  }

  [[autoshard::id]] int race_;
  [[autoshard::shardable(neutral = nobody(), shards = 4)]] Places places_ = nobody();
};

/// A sequence number of twelve bits. Reachable: less than 4096.
class [[autoshard::entity]] Channel {
 public:
  explicit Channel(int number) : number_(number) {}
  [[autoshard::shard_method]] void frames(std::uint32_t count) { sequence_ = (sequence_ + count) & kMask; }
  std::uint32_t sequence() const { return sequence_; }

 private:
  static constexpr std::uint32_t kMask = 0xFFF;
  [[autoshard::shard_fold]] static std::uint32_t advance(std::uint32_t a, std::uint32_t b) {
    return (a + b) & kMask;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t sequence_ = 0;
};

/// Hours of a day as bits. Reachable: the upper byte is zero.
class [[autoshard::entity]] OpeningHours {
 public:
  explicit OpeningHours(std::string shop) : shop_(std::move(shop)) {}
  [[autoshard::shard_method]] void open(std::uint32_t hours) { hours_ = (hours_ | hours) & kDay; }
  bool is_open(unsigned hour) const { return hour < 24 && (hours_ >> hour & 1U) != 0; }

 private:
  static constexpr std::uint32_t kDay = 0xFFFFFF;
  [[autoshard::shard_fold]] static std::uint32_t join(std::uint32_t a, std::uint32_t b) {
    return (a | b) & kDay;
  }

  [[autoshard::id]] std::string shop_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t hours_ = 0;
};

/// An angle in degrees. Reachable: from 0 to 359.
class [[autoshard::entity]] Turntable {
 public:
  explicit Turntable(int number) : number_(number) {}
  [[autoshard::shard_method]] void turn(int degrees) { angle_ = (angle_ + (degrees % 360 + 360)) % 360; }
  int angle() const { return angle_; }

 private:
  [[autoshard::shard_fold]] static int both(int a, int b) {
    const int sum = a + b;
    return sum < 360 ? sum : sum - 360;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] int angle_ = 0;
};

/// The lowest price up to a ceiling. Reachable: at most a million.
class [[autoshard::entity]] PriceWatch {
 public:
  explicit PriceWatch(std::string article) : article_(std::move(article)) {}
  [[autoshard::shard_method]] void see(std::int32_t cents) { lowest_ = std::min(lowest_, cents); }
  std::int32_t lowest() const { return lowest_; }

 private:
  static constexpr std::int32_t kCeiling = 1'000'000;
  [[autoshard::shard_fold]] static std::int32_t lower(std::int32_t a, std::int32_t b) {
    return a < b ? a : b;
  }

  [[autoshard::id]] std::string article_;
  [[autoshard::shardable(neutral = kCeiling, shards = 4)]] std::int32_t lowest_ = kCeiling;
};

/// A maximum with a flag that tells whether there is one. Reachable: without the flag, the value is zero.
class [[autoshard::entity]] Depth {
 public:
  explicit Depth(int lake) : lake_(lake) {}
  [[autoshard::shard_method]] void sound(std::int32_t metres) { deepest_ = deeper(deepest_, {true, metres}); }
  bool is_known() const { return deepest_.known; }

 private:
  struct Sounding {
    bool known = false;
    std::int32_t metres = 0;
  };
  [[autoshard::shard_fold]] static Sounding deeper(const Sounding& a, const Sounding& b) {
    if (!a.known) return b;
    if (!b.known) return a;
    return {true, std::max(a.metres, b.metres)};
  }

  [[autoshard::id]] int lake_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Sounding deepest_;
};

/// The hull of intervals that have a length. Reachable: an empty one is from 0 to 0.
class [[autoshard::entity]] Coverage {
 public:
  explicit Coverage(int channel) : channel_(channel) {}
  [[autoshard::shard_method]] void add(std::int32_t from, std::int32_t to) {
    if (from < to) hull_ = hull(hull_, {from, to});
  }
  bool is_empty() const { return hull_.from == hull_.to; }

 private:
  struct Interval {
    std::int32_t from = 0;
    std::int32_t to = 0;
  };
  [[autoshard::shard_fold]] static Interval hull(Interval a, Interval b) {
    if (a.from >= a.to) return b;
    if (b.from >= b.to) return a;
    return {std::min(a.from, b.from), std::max(a.to, b.to)};
  }

  [[autoshard::id]] int channel_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Interval hull_;
};

/// A histogram whose fold adds the total up. Reachable: the total is the sum of the buckets.
class [[autoshard::entity]] Queue {
 public:
  explicit Queue(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void waited(unsigned minutes) {
    ++waits_.buckets[std::min<std::size_t>(minutes / 10, 3)];
    ++waits_.total;
  }
  std::uint32_t total() const { return waits_.total; }

 private:
  struct Waits {
    std::array<std::uint32_t, 4> buckets{};
    std::uint32_t total = 0;
  };
  [[autoshard::shard_fold]] static Waits add(const Waits& a, const Waits& b) {
    Waits sum;
    for (std::size_t i = 0; i < sum.buckets.size(); ++i) {
      sum.buckets[i] = a.buckets[i] + b.buckets[i];
      sum.total += sum.buckets[i];
    }
    return sum;
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Waits waits_;
};

/// A flag in an int. Reachable: 0 and 1.
class [[autoshard::entity]] Siren {
 public:
  explicit Siren(int number) : number_(number) {}
  [[autoshard::shard_method]] void report(int smoke) {
    if (smoke > 30) sounded_ = 1;
  }
  bool sounded() const { return sounded_ != 0; }

 private:
  [[autoshard::shard_fold]] static int either(int a, int b) { return a != 0 || b != 0 ? 1 : 0; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] int sounded_ = 0;
};

/// The four least different hashes, to estimate how many there are. Reachable: sorted, and different up to
/// the filler.
class [[autoshard::entity]] Subscribers {
 public:
  explicit Subscribers(int paper) : paper_(paper) {}
  [[autoshard::shard_method]] void read(std::uint64_t hash) {
    least_ = merge(least_, {hash, kNone, kNone, kNone});
  }
  std::uint64_t greatest() const { return least_.back(); }

 private:
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  using Hashes = std::array<std::uint64_t, 4>;
  [[autoshard::shard_fold]] static Hashes merge(const Hashes& a, const Hashes& b) {
    Hashes least{kNone, kNone, kNone, kNone};
    std::size_t i = 0, j = 0;
    for (std::uint64_t& next : least) {
      const std::uint64_t x = i < a.size() ? a[i] : kNone;
      const std::uint64_t y = j < b.size() ? b[j] : kNone;
      next = std::min(x, y);
      if (x == next) ++i;
      if (y == next) ++j;
    }
    return least;
  }

  [[autoshard::id]] int paper_;
  [[autoshard::shardable(neutral = (Hashes{kNone, kNone, kNone, kNone}), shards = 4)]] Hashes least_{
      kNone, kNone, kNone, kNone};
};

}  // namespace reachable
