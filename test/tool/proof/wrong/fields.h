// Structs of many fields, of which one is folded or updated wrongly.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace fields {

// wrong: seven fields are added, and the eighth is that of the right operand
class [[autoshard::entity]] Server {
 public:
  explicit Server(std::string host) : host_(std::move(host)) {}
  [[autoshard::shard_method]] void request(bool is_read, std::uint32_t in, std::uint32_t out, bool failed) {
    is_read ? ++counts_.reads : ++counts_.writes;
    counts_.in += in;
    counts_.out += out;
    if (failed) ++counts_.failures;
  }
  [[autoshard::shard_method]] void retry() { ++counts_.retries; }
  [[autoshard::shard_method]] void drop() { ++counts_.drops; }
  [[autoshard::shard_method]] void redirect() { ++counts_.redirects; }
  std::uint64_t in() const { return counts_.in; }

 private:
  struct Counts {
    std::uint64_t reads = 0, writes = 0, in = 0, out = 0, failures = 0, retries = 0, drops = 0, redirects = 0;
  };
  [[autoshard::shard_fold]] static Counts add(const Counts& a, const Counts& b) {
    return {a.reads + b.reads,       a.writes + b.writes,   a.in + b.in,       a.out + b.out,
            a.failures + b.failures, a.retries + b.retries, a.drops + b.drops, b.redirects};
  }

  [[autoshard::id]] std::string host_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Counts counts_;
};

// wrong: the sixth field adds the fifth of the right operand
class [[autoshard::entity]] Match {
 public:
  explicit Match(int number) : number_(number) {}
  [[autoshard::shard_method]] void play(int shots, int goals, int fouls) {
    sums_.shots += shots;
    sums_.goals += goals;
    sums_.fouls += fouls;
  }
  [[autoshard::shard_method]] void stop(int corners, int yellow, int red) {
    sums_.corners += corners;
    sums_.yellow += yellow;
    sums_.red += red;
  }
  int goals() const { return sums_.goals; }

 private:
  struct Sums {
    int shots = 0, goals = 0, fouls = 0, corners = 0, yellow = 0, red = 0;
  };
  [[autoshard::shard_fold]] static Sums add(Sums a, const Sums& b) {
    a.shots += b.shots;
    a.goals += b.goals;
    a.fouls += b.fouls;
    a.corners += b.corners;
    a.yellow += b.yellow;
    a.red += b.yellow;
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Sums sums_;
};

// wrong: the greatest value is folded by `std::min`
class [[autoshard::entity]] Latencies {
 public:
  explicit Latencies(std::string endpoint) : endpoint_(std::move(endpoint)) {}
  [[autoshard::shard_method]] void observe(std::int64_t micros) {
    ++summary_.count;
    summary_.sum += micros;
    summary_.least = std::min(summary_.least, micros);
    summary_.greatest = std::max(summary_.greatest, micros);
  }
  std::int64_t greatest() const { return summary_.greatest; }

 private:
  struct Summary {
    std::uint64_t count = 0;
    std::int64_t sum = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
  };
  [[autoshard::shard_fold]] static Summary merge(Summary a, const Summary& b) {
    a.count += b.count;
    a.sum += b.sum;
    a.least = std::min(a.least, b.least);
    a.greatest = std::min(a.greatest, b.greatest);
    return a;
  }

  [[autoshard::id]] std::string endpoint_;
  [[autoshard::shardable(neutral = {}, shards = 16)]] Summary summary_;
};

// wrong: the deviation of a struct with sum and count is kept as a number, and not as a sum of squares
class [[autoshard::entity]] Noise {
 public:
  explicit Noise(int microphone) : microphone_(microphone) {}
  [[autoshard::shard_method]] void sample(std::int32_t value) {
    ++level_.count;
    level_.sum += value;
    level_.widest = std::max(level_.widest, value - level_.sum / level_.count);
  }
  std::int64_t widest() const { return level_.widest; }

 private:
  struct Level {
    std::int64_t count = 0;
    std::int64_t sum = 0;
    std::int64_t widest = std::numeric_limits<std::int64_t>::min();
  };
  [[autoshard::shard_fold]] static Level join(const Level& a, const Level& b) {
    return {a.count + b.count, a.sum + b.sum, std::max(a.widest, b.widest)};
  }

  [[autoshard::id]] int microphone_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Level level_;
};

// wrong: the last of four counters in a tuple is left at what the left operand has
class [[autoshard::entity]] CallCentre {
 public:
  explicit CallCentre(std::string city) : city_(std::move(city)) {}
  [[autoshard::shard_method]] void call(unsigned outcome, std::chrono::seconds lasted) {
    auto& [answered, busy, dropped, time] = calls_;
    time += lasted;
    if (outcome == 0) ++answered;
    if (outcome == 1) ++busy;
    if (outcome >= 2) ++dropped;
  }
  int answered() const { return std::get<0>(calls_); }

 private:
  using Calls = std::tuple<int, int, int, std::chrono::seconds>;
  [[autoshard::shard_fold]] static Calls add(Calls a, const Calls& b) {
    std::get<0>(a) += std::get<0>(b);
    std::get<1>(a) += std::get<1>(b);
    std::get<2>(a) += std::get<2>(b);
    return a;
  }

  [[autoshard::id]] std::string city_;
  [[autoshard::shardable(neutral = Calls{}, shards = 8)]] Calls calls_{};
};

// wrong: one of the nested directions is added twice
class [[autoshard::entity]] Line {
 public:
  explicit Line(int number) : number_(number) {}
  [[autoshard::shard_method]] void send(std::uint32_t bytes) { traffic_.out.bytes += bytes; }
  [[autoshard::shard_method]] void receive(std::uint32_t bytes) { traffic_.in.bytes += bytes; }
  std::uint64_t bytes() const { return traffic_.in.bytes; }

 private:
  struct Direction {
    std::uint64_t bytes = 0;
  };
  struct Traffic {
    Direction in;
    Direction out;
  };
  [[autoshard::shard_fold]] static Traffic add(Traffic a, const Traffic& b) {
    a.in.bytes += b.in.bytes;
    a.out.bytes += b.in.bytes;
    a.out.bytes += b.out.bytes;
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Traffic traffic_;
};

// wrong: the neutral value of the sixth of eight extremes is 0 where the others are at their limits
class [[autoshard::entity]] Probe {
 public:
  explicit Probe(int number) : number_(number) {}
  [[autoshard::shard_method]] void sample(unsigned channel, int value) {
    greatest_[channel % 8] = std::max(greatest_[channel % 8], value);
  }
  [[autoshard::shard_write]] void start(int value) { greatest_.fill(value); }
  int greatest(std::size_t channel) const { return greatest_.at(channel); }

 private:
  static constexpr int kNone = std::numeric_limits<int>::min();
  using Channels = std::array<int, 8>;
  [[autoshard::shard_fold]] static Channels join(Channels a, const Channels& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::max(a[i], b[i]);
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = (Channels{kNone, kNone, kNone, kNone, kNone, 0, kNone, kNone}),
                         shards = 4)]] Channels greatest_{};
};

// wrong: the flag of eight fields is joined by `!=`, so two shards that failed make one that did not
class [[autoshard::entity]] Job {
 public:
  explicit Job(std::uint64_t number) : number_(number) {}
  [[autoshard::shard_method]] void done(std::uint32_t rows, bool failed) {
    state_.rows += rows;
    ++state_.parts;
    state_.failed = state_.failed || failed;
  }
  bool failed() const { return state_.failed; }

 private:
  struct State {
    std::uint64_t rows = 0;
    std::uint32_t parts = 0;
    bool failed = false;
  };
  [[autoshard::shard_fold]] static State join(const State& a, const State& b) {
    return {a.rows + b.rows, a.parts + b.parts, a.failed != b.failed};
  }

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] State state_;
};

// wrong: the count of the merged struct is that of the struct with more of them
class [[autoshard::entity]] Mean {
 public:
  explicit Mean(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void sample(std::int32_t value) {
    parts_.first += value;
    ++parts_.second;
  }
  std::int64_t sum() const { return parts_.first; }

 private:
  using Parts = std::pair<std::int64_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Parts add(const Parts& a, const Parts& b) {
    return {a.first + b.first, std::max(a.second, b.second)};
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = Parts{}, shards = 8)]] Parts parts_;
};

}  // namespace fields
