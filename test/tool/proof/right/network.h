// Web servers and networks: requests, addresses, limits and health.
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
#include <tuple>
#include <utility>

namespace network {

/// Responses by class of their status, and bytes of those that went well.
class [[autoshard::entity]] Endpoint {
 public:
  explicit Endpoint(std::string path) : path_(std::move(path)) {}
  [[autoshard::shard_method]] void respond(int status, std::uint32_t bytes) {
    switch (status / 100) {
      case 2:
        responses_.bytes += bytes;
        ++responses_.good;
        return;
      case 3:
        ++responses_.moved;
        return;
      case 4:
      case 5:
        ++responses_.bad;
        return;
      default:
        ++responses_.odd;
    }
  }
  std::uint64_t bytes() const { return responses_.bytes; }

 private:
  struct Responses {
    std::uint64_t bytes = 0;
    std::uint32_t good = 0, moved = 0, bad = 0, odd = 0;
  };
  [[autoshard::shard_fold]] static Responses add(Responses a, const Responses& b) {
    a.bytes += b.bytes;
    a.good += b.good;
    a.moved += b.moved;
    a.bad += b.bad;
    a.odd += b.odd;
    return a;
  }

  [[autoshard::id]] std::string path_;
  [[autoshard::shardable(neutral = {}, shards = adaptive)]] Responses responses_;
};

/// The smallest network that holds all addresses: bits that all have in common.
class [[autoshard::entity]] Subnet {
 public:
  explicit Subnet(int number) : number_(number) {}
  [[autoshard::shard_method]] void host(std::uint32_t address) {
    common_.ones &= address;
    common_.zeros &= ~address;
  }
  int prefix() const { return std::countl_one(common_.ones | common_.zeros); }

 private:
  struct Common {
    std::uint32_t ones = ~std::uint32_t{0};
    std::uint32_t zeros = ~std::uint32_t{0};
  };
  [[autoshard::shard_fold]] static Common both(Common a, Common b) {
    return {a.ones & b.ones, a.zeros & b.zeros};
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Common{}, shards = 2)]] Common common_;
};

/// Requests that a client has left; a bounded number, which is filled up by hand.
class [[autoshard::entity]] Quota {
 public:
  explicit Quota(std::string key) : key_(std::move(key)) {}
  [[autoshard::shard_method]] void call(std::int32_t weight) { left_ -= std::clamp(weight, 1, 100); }
  [[autoshard::shard_method]] void grant(std::int32_t calls) { left_ += calls; }
  std::int64_t left() const { return left_; }

 private:
  [[autoshard::id]] std::string key_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, min = 0,
                         max = 1'000'000)]] std::int64_t left_ = 1000;
};

/// Latencies in buckets whose limits double.
class [[autoshard::entity]] Backend {
 public:
  explicit Backend(std::string host) : host_(std::move(host)) {}
  [[autoshard::shard_method]] void answer(std::chrono::microseconds took) {
    std::size_t bucket = 0;
    for (std::int64_t limit = 100; bucket + 1 < kBuckets && took.count() > limit; limit *= 2) ++bucket;
    ++latencies_[bucket];
  }
  std::uint64_t slow() const { return latencies_.back(); }

 private:
  static constexpr std::size_t kBuckets = 8;
  using Latencies = std::array<std::uint64_t, kBuckets>;
  struct Adder {
    Latencies operator()(const Latencies& a, const Latencies& b) const {
      Latencies sum = a;
      for (std::size_t i = 0; i < kBuckets; ++i) sum[i] += b[i];
      return sum;
    }
  };

  [[autoshard::id]] std::string host_;
  [[autoshard::shardable(neutral = Latencies{}, shards = 16, fold = Adder{})]] Latencies latencies_{};
};

/// A lease: the longest end wins, then the higher term.
class [[autoshard::entity]] Lease {
 public:
  explicit Lease(std::string resource) : resource_(std::move(resource)) {}
  [[autoshard::shard_method]] void renew(std::uint64_t until, std::uint32_t term) {
    const auto [old_until, old_term] = held_;
    if (until < old_until) return;
    if (until == old_until && term <= old_term) return;
    held_ = {until, term};
  }
  bool is_held(std::uint64_t now) const { return now < held_.first; }

 private:
  using Held = std::pair<std::uint64_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Held longer(const Held& a, const Held& b) { return a >= b ? a : b; }

  [[autoshard::id]] std::string resource_;
  [[autoshard::shardable(neutral = Held{}, shards = 2)]] Held held_;
};

/// Versions of a protocol that all peers speak, and extensions that any of them speaks.
class [[autoshard::entity]] Cluster {
 public:
  explicit Cluster(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void join(std::uint8_t least, std::uint8_t greatest, std::uint64_t extensions) {
    peers_ = merge(peers_, {least, greatest, extensions, 1});
  }
  bool agrees() const { return peers_.least <= peers_.greatest; }

 private:
  struct Peers {
    std::uint8_t least = 0;
    std::uint8_t greatest = 255;
    std::uint64_t extensions = 0;
    std::uint32_t count = 0;
  };
  [[autoshard::shard_fold]] static constexpr Peers merge(Peers a, const Peers& b) {
    if (b.least > a.least) a.least = b.least;
    if (b.greatest < a.greatest) a.greatest = b.greatest;
    a.extensions |= b.extensions;
    a.count += b.count;
    return a;
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Peers peers_;
};

/// The fastest mirror by continent, as time and number packed into one word.
class [[autoshard::entity]] Mirrors {
 public:
  explicit Mirrors(std::string package) : package_(std::move(package)) {}
  [[autoshard::shard_method]] void probe(unsigned continent, std::uint32_t micros, std::uint32_t mirror) {
    std::uint64_t& fastest = fastest_[std::min(continent, 5U)];
    fastest = std::min(fastest, std::uint64_t{micros} << 32 | mirror);
  }
  std::uint32_t fastest(unsigned continent) const {
    return static_cast<std::uint32_t>(fastest_.at(continent));
  }

 private:
  using Fastest = std::array<std::uint64_t, 6>;
  static constexpr Fastest none() {
    Fastest all{};
    all.fill(std::numeric_limits<std::uint64_t>::max());
    return all;
  }
  [[autoshard::shard_fold]] static Fastest least(const Fastest& a, const Fastest& b) {
    Fastest both{};
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = a[i] < b[i] ? a[i] : b[i];
    return both;
  }

  [[autoshard::id]] std::string package_;
  [[autoshard::shardable(neutral = none(), shards = 4)]] Fastest fastest_ = none();
};

/// A counter that two kinds of node increment, and a third kind decrements: one entry for each node.
class [[autoshard::entity]] Tickets {
 public:
  explicit Tickets(int event) : event_(event) {}
  [[autoshard::shard_method]] void sell(std::uint8_t node, std::uint32_t sold_in_all) {
    sold_[node & 7] = std::max(sold_[node & 7], sold_in_all);
  }
  std::uint64_t sold() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t by : sold_) sum += by;
    return sum;
  }

 private:
  using Nodes = std::array<std::uint32_t, 8>;
  [[autoshard::shard_fold]] static Nodes newest(Nodes a, const Nodes& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] >= b[i]) continue;
      a[i] = b[i];
    }
    return a;
  }

  [[autoshard::id]] int event_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Nodes sold_{};
};

/// Whether a host answers: the newest answer counts, and at one time "up" beats "down".
class [[autoshard::entity]] Health {
 public:
  explicit Health(std::string host) : host_(std::move(host)) {}
  [[autoshard::shard_method]] void check(std::int64_t at, bool up) {
    last_ = std::max(last_, std::optional(std::pair(at, up)));
  }
  bool is_up() const { return last_ && last_->second; }

 private:
  using Answer = std::optional<std::pair<std::int64_t, bool>>;
  [[autoshard::shard_fold]] static Answer newer(const Answer& a, const Answer& b) {
    if (a.has_value() != b.has_value()) return a.has_value() ? a : b;
    return a < b ? b : a;
  }

  [[autoshard::id]] std::string host_;
  [[autoshard::shardable(neutral = std::nullopt, shards = 2)]] Answer last_;
};

/// Carries without ripples: counts modulo four for each of 64 ports, two bits in two words.
class [[autoshard::entity]] PortScan {
 public:
  explicit PortScan(std::uint32_t source) : source_(source) {}
  [[autoshard::shard_method]] void knock(unsigned port) { knocks_ = add(knocks_, {1ULL << (port % 64), 0}); }
  std::uint64_t thrice() const { return knocks_.low & knocks_.high; }

 private:
  struct Knocks {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
  };
  [[autoshard::shard_fold]] static Knocks add(const Knocks& a, const Knocks& b) {
    const std::uint64_t carry = a.low & b.low;
    return {a.low ^ b.low, a.high ^ b.high ^ carry};
  }

  [[autoshard::id]] std::uint32_t source_;
  [[autoshard::shardable(neutral = Knocks{}, shards = 4)]] Knocks knocks_;
};

}  // namespace network
