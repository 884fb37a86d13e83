// Sketches: sets and counts that are kept approximately, in a fixed number of registers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>

namespace sketches {

/// The last steps of MurmurHash3.
constexpr std::uint64_t mix(std::uint64_t key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdULL;
  key ^= key >> 33;
  return key;
}

/// HyperLogLog: the longest run of zeros in each of 16 buckets.
class [[autoshard::entity]] Visitors {
 public:
  explicit Visitors(std::string page) : page_(std::move(page)) {}
  [[autoshard::shard_method]] void see(std::uint64_t visitor) {
    const std::uint64_t hash = mix(visitor);
    const auto rank = static_cast<std::uint8_t>(std::countl_zero(hash | 1) + 1);
    std::uint8_t& longest = runs_[hash % kBuckets];
    longest = std::max(longest, rank);
  }
  int zeros() const { return static_cast<int>(std::ranges::count(runs_, 0)); }

 private:
  static constexpr std::size_t kBuckets = 16;
  using Runs = std::array<std::uint8_t, kBuckets>;
  [[autoshard::shard_fold]] static Runs longest(const Runs& a, const Runs& b) {
    Runs result{};
    for (std::size_t i = 0; i < kBuckets; ++i) result[i] = std::max(a[i], b[i]);
    return result;
  }

  [[autoshard::id]] std::string page_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Runs runs_{};
};

/// HyperLogLog with registers of four bits, sixteen in a word.
class [[autoshard::entity]] Callers {
 public:
  explicit Callers(int line) : line_(line) {}
  [[autoshard::shard_method]] void call(std::uint64_t number) {
    const std::uint64_t hash = mix(number);
    const auto rank = static_cast<std::uint64_t>(std::min(std::countr_zero(hash | (1ULL << 60)), 15));
    ranks_ = greater(ranks_, rank << (4 * (hash >> 60)));
  }
  std::uint64_t ranks() const { return ranks_; }

 private:
  [[autoshard::shard_fold]] static constexpr std::uint64_t greater(std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    for (int shift = 0; shift < 64; shift += 4) {
      const std::uint64_t x = (a >> shift) & 15;
      const std::uint64_t y = (b >> shift) & 15;
      result |= (x > y ? x : y) << shift;
    }
    return result;
  }

  [[autoshard::id]] int line_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint64_t ranks_ = 0;
};

/// A Bloom filter of 256 bits, with three bits for an element.
class [[autoshard::entity]] SeenLinks {
 public:
  explicit SeenLinks(std::string crawler) : crawler_(std::move(crawler)) {}
  [[autoshard::shard_method]] void add(std::uint64_t link) {
    for (unsigned i = 0; i < 3; ++i) {
      const std::uint64_t hash = mix(link + i);
      bits_[(hash >> 6) & 3] |= 1ULL << (hash & 63);
    }
  }
  bool may_have(std::uint64_t link) const {
    const std::uint64_t hash = mix(link);
    return (bits_[(hash >> 6) & 3] >> (hash & 63) & 1) != 0;
  }

 private:
  using Words = std::array<std::uint64_t, 4>;
  [[autoshard::shard_fold]] static Words either(Words a, const Words& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] |= b[i];
    return a;
  }

  [[autoshard::id]] std::string crawler_;
  [[autoshard::shardable(neutral = Words{}, shards = adaptive(1, 16))]] Words bits_{};
};

/// A Bloom filter as a bitset.
class [[autoshard::entity]] SpentCoins {
 public:
  explicit SpentCoins(std::uint32_t wallet) : wallet_(wallet) {}
  [[autoshard::shard_method]] void spend(std::uint32_t coin) {
    spent_.set(coin % 128);
    spent_.set((coin / 128) % 128);
  }
  bool is_fresh(std::uint32_t coin) const { return !spent_.test(coin % 128); }

 private:
  [[autoshard::id]] std::uint32_t wallet_;
  [[autoshard::shardable(neutral = {}, shards = 4, fold = std::bit_or<>{})]] std::bitset<128> spent_;
};

/// Linear counting: how many of the bits are set tells how many words there are.
class [[autoshard::entity]] Vocabulary {
 public:
  explicit Vocabulary(int author) : author_(author) {}
  [[autoshard::shard_method]] void use(std::uint64_t word) {
    seen_ |= std::bitset<64>(1ULL << (mix(word) & 63));
  }
  std::size_t seen() const { return seen_.count(); }

 private:
  [[autoshard::shard_fold]] static std::bitset<64> join(const std::bitset<64>& a, const std::bitset<64>& b) {
    return a | b;
  }

  [[autoshard::id]] int author_;
  [[autoshard::shardable(neutral = 0, shards = 3)]] std::bitset<64> seen_;
};

/// Count-min: a count in each of two rows.
class [[autoshard::entity]] Queries {
 public:
  explicit Queries(std::string site) : site_(std::move(site)) {}
  [[autoshard::shard_method]] void ask(std::uint64_t query, std::uint32_t times = 1) {
    const std::uint64_t hash = mix(query);
    counts_[0][hash & 7] += times;
    counts_[1][(hash >> 32) & 7] += times;
  }
  std::uint32_t most(std::uint64_t query) const {
    const std::uint64_t hash = mix(query);
    return std::min(counts_[0][hash & 7], counts_[1][(hash >> 32) & 7]);
  }

 private:
  using Rows = std::array<std::array<std::uint32_t, 8>, 2>;
  [[autoshard::shard_fold]] static Rows add(Rows a, const Rows& b) {
    for (std::size_t row = 0; row < a.size(); ++row) {
      for (std::size_t i = 0; i < a[row].size(); ++i) a[row][i] += b[row][i];
    }
    return a;
  }

  [[autoshard::id]] std::string site_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Rows counts_{};
};

/// A count sketch: counts go up or down, as a bit of the hash tells.
class [[autoshard::entity]] Trades {
 public:
  explicit Trades(int exchange) : exchange_(exchange) {}
  [[autoshard::shard_method]] void trade(std::uint64_t share, int pieces) {
    const std::uint64_t hash = mix(share);
    balance_[hash & 3] += (hash & 4) != 0 ? pieces : -pieces;
  }
  long balance(std::uint64_t share) const { return balance_[mix(share) & 3]; }

 private:
  using Row = std::array<std::int64_t, 4>;
  [[autoshard::shard_fold]] static Row sum(const Row& a, const Row& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
  }

  [[autoshard::id]] int exchange_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Row balance_{};
};

/// Min-hash: the least of each of four hashes, to compare documents.
class [[autoshard::entity]] Document {
 public:
  explicit Document(std::uint64_t number) : number_(number) { least_.fill(kMost); }
  [[autoshard::shard_method]] void shingle(std::uint64_t text) {
    std::uint64_t seed = 0;
    for (std::uint64_t& least : least_) {
      const std::uint64_t hash = mix(text ^ seed++);
      if (hash < least) least = hash;
    }
  }
  std::uint64_t first() const { return least_.front(); }

 private:
  static constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  using Hashes = std::array<std::uint64_t, 4>;
  [[autoshard::shard_fold]] static Hashes lesser(Hashes a, Hashes b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (b[i] < a[i]) std::swap(a[i], b[i]);
    }
    return a;
  }

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(neutral = (Hashes{kMost, kMost, kMost, kMost}), shards = 4)]] Hashes least_{};
};

/// Flajolet and Martin: which positions a lowest one was seen at.
class [[autoshard::entity]] Fans {
 public:
  explicit Fans(int band) : band_(band) {}
  [[autoshard::shard_method]] void add(std::uint64_t fan) { positions_ |= mix(fan) & (~mix(fan) + 1); }
  int estimate() const { return std::countr_one(positions_); }

 private:
  [[autoshard::id]] int band_;
  [[autoshard::shardable(neutral = 0, shards = 4,
                         fold = std::bit_or<std::uint64_t>{})]] std::uint64_t positions_ = 0;
};

/// A hash of a multiset: a sum, a xor and a count of the elements' hashes.
class [[autoshard::entity]] Replica {
 public:
  explicit Replica(std::string node) : node_(std::move(node)) {}
  [[autoshard::shard_method]] void put(std::uint64_t row) {
    digest_ = digest_ + Digest{mix(row), mix(row), 1};
  }
  [[autoshard::shard_method]] void drop(std::uint64_t row) {
    digest_ = digest_ + Digest{std::uint64_t{0} - mix(row), mix(row), std::uint32_t{0} - 1};
  }
  bool equals(const Replica& other) const { return digest_.sum == other.digest_.sum; }

 private:
  struct Digest {
    std::uint64_t sum = 0;
    std::uint64_t parity = 0;
    std::uint32_t rows = 0;
    friend constexpr Digest operator+(const Digest& a, const Digest& b) {
      return {a.sum + b.sum, a.parity ^ b.parity, a.rows + b.rows};
    }
  };
  [[autoshard::shard_fold]] static Digest both(const Digest& a, const Digest& b) { return a + b; }

  [[autoshard::id]] std::string node_;
  [[autoshard::shardable(neutral = Digest{}, shards = 8)]] Digest digest_;
};

/// Sim-hash: for each bit, how many words more have it than lack it.
class [[autoshard::entity]] Essay {
 public:
  explicit Essay(int number) : number_(number) {}
  [[autoshard::shard_method]] void word(std::uint64_t hash) {
    for (std::size_t bit = 0; bit < weights_.size(); ++bit) weights_[bit] += (hash >> bit & 1) != 0 ? 1 : -1;
  }
  bool bit(std::size_t at) const { return weights_.at(at) > 0; }

 private:
  using Weights = std::array<std::int32_t, 8>;
  [[autoshard::shard_fold]] static Weights add(const Weights& a, const Weights& b) {
    Weights sum{};
    std::transform(a.begin(), a.end(), b.begin(), sum.begin(), std::plus<>{});
    return sum;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Weights weights_{};
};

/// Which keys were seen once at least, and which twice at least.
class [[autoshard::entity]] Duplicates {
 public:
  explicit Duplicates(int queue) : queue_(queue) {}
  [[autoshard::shard_method]] void see(unsigned key) { seen_ = merge(seen_, {1ULL << (key & 63), 0}); }
  bool is_duplicate(unsigned key) const { return (seen_.twice >> (key & 63) & 1) != 0; }

 private:
  struct Seen {
    std::uint64_t once = 0;
    std::uint64_t twice = 0;
  };
  [[autoshard::shard_fold]] static Seen merge(Seen a, Seen b) {
    return {a.once | b.once, a.twice | b.twice | (a.once & b.once)};
  }

  [[autoshard::id]] int queue_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Seen seen_;
};

}  // namespace sketches
