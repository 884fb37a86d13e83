// Telecom: traffic, rates, errors and sequence numbers of lines and cells.
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
#include <string>
#include <tuple>
#include <utility>

namespace telecom {

/// Bytes and packets in both directions.
class [[autoshard::entity]] Line {
 public:
  explicit Line(std::string number) : number_(std::move(number)) {}
  [[autoshard::shard_method]] void receive(std::uint32_t bytes) {
    traffic_.in.bytes += bytes;
    ++traffic_.in.packets;
  }
  [[autoshard::shard_method]] void send(std::uint32_t bytes) {
    traffic_.out.bytes += bytes;
    ++traffic_.out.packets;
  }
  std::uint64_t bytes() const { return traffic_.in.bytes + traffic_.out.bytes; }

 private:
  struct Direction {
    std::uint64_t bytes = 0;
    std::uint64_t packets = 0;
    Direction& operator+=(const Direction& other) {
      bytes += other.bytes;
      packets += other.packets;
      return *this;
    }
  };
  struct Traffic {
    Direction in;
    Direction out;
  };
  [[autoshard::shard_fold]] static Traffic add(Traffic a, const Traffic& b) {
    a.in += b.in;
    a.out += b.out;
    return a;
  }

  [[autoshard::id]] std::string number_;
  [[autoshard::shardable(neutral = {}, shards = 16)]] Traffic traffic_;
};

/// The peak rate, and the minute when it was reached first.
class [[autoshard::entity]] Trunk {
 public:
  explicit Trunk(int number) : number_(number) {}
  [[autoshard::shard_method]] void measure(std::uint32_t kilobits, std::uint32_t minute) {
    if (kilobits > peak_.kilobits || (kilobits == peak_.kilobits && minute < peak_.minute))
      peak_ = {kilobits, minute};
  }
  std::uint32_t peak() const { return peak_.kilobits; }

 private:
  struct Peak {
    std::uint32_t kilobits = 0;
    std::uint32_t minute = std::numeric_limits<std::uint32_t>::max();
  };
  [[autoshard::shard_fold]] static Peak higher(const Peak& a, const Peak& b) {
    if (a.kilobits > b.kilobits) return a;
    if (a.kilobits < b.kilobits) return b;
    return {a.kilobits, std::min(a.minute, b.minute)};
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Peak{}, shards = 4)]] Peak peak_;
};

/// Error bits, raised by any card of a switch.
enum Fault : std::uint8_t { kNoFault = 0, kLoss = 1, kJitter = 2, kFraming = 4, kPower = 128 };

class [[autoshard::entity]] Exchange {
 public:
  explicit Exchange(std::uint16_t code) : code_(code) {}
  [[autoshard::shard_method]] void raise(std::size_t card, Fault fault) {
    faults_[card % 4] = static_cast<std::uint8_t>(faults_[card % 4] | fault);
  }
  [[autoshard::shard_write]] void acknowledge() { faults_ = {}; }
  bool is_fine() const { return faults_ == Faults{}; }

 private:
  using Faults = std::array<std::uint8_t, 4>;
  [[autoshard::shard_fold]] static Faults all(const Faults& a, const Faults& b) {
    Faults both{};
    for (std::size_t i = 0; i < both.size(); ++i) both[i] = static_cast<std::uint8_t>(a[i] | b[i]);
    return both;
  }

  [[autoshard::id]] std::uint16_t code_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Faults faults_{};
};

/// A sequence counter of 16 bits that wraps, and how many packets moved it.
class [[autoshard::entity]] Stream {
 public:
  explicit Stream(std::uint32_t source) : source_(source) {}
  [[autoshard::shard_method]] void packets(std::uint16_t number) {
    position_.sequence = static_cast<std::uint16_t>(position_.sequence + number);
    position_.total += number;
  }
  std::uint16_t next() const { return position_.sequence; }

 private:
  struct Position {
    std::uint16_t sequence = 0;
    std::uint64_t total = 0;
  };
  [[autoshard::shard_fold]] static Position advance(Position a, Position b) {
    return {static_cast<std::uint16_t>(a.sequence + b.sequence), a.total + b.total};
  }

  [[autoshard::id]] std::uint32_t source_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Position position_;
};

/// Calls by outcome, and the time of those that were answered.
class [[autoshard::entity]] CallCentre {
 public:
  enum class Outcome : std::uint8_t { kAnswered, kBusy, kDropped };
  explicit CallCentre(std::string city) : city_(std::move(city)) {}
  [[autoshard::shard_method]] void call(Outcome outcome, std::chrono::seconds lasted) {
    auto& [answered, busy, dropped, time] = calls_;
    switch (outcome) {
      case Outcome::kAnswered:
        ++answered;
        time += lasted;
        break;
      case Outcome::kBusy:
        ++busy;
        break;
      case Outcome::kDropped:
        ++dropped;
        break;
    }
  }
  int answered() const { return std::get<0>(calls_); }

 private:
  using Calls = std::tuple<int, int, int, std::chrono::seconds>;
  [[autoshard::shard_fold]] static Calls add(const Calls& a, const Calls& b) {
    return {std::get<0>(a) + std::get<0>(b), std::get<1>(a) + std::get<1>(b), std::get<2>(a) + std::get<2>(b),
            std::get<3>(a) + std::get<3>(b)};
  }

  [[autoshard::id]] std::string city_;
  [[autoshard::shardable(neutral = Calls{}, shards = 8)]] Calls calls_{};
};

/// Which of 96 channels were in use.
class [[autoshard::entity]] Carrier {
 public:
  explicit Carrier(int band) : band_(band) {}
  [[autoshard::shard_method]] void use(unsigned first, unsigned count) {
    Channels channels = ~Channels();
    channels >>= 96 - std::min(count, 96U);
    used_ |= channels << std::min(first, 96U);
  }
  std::size_t used() const { return used_.count(); }

 private:
  using Channels = std::bitset<96>;
  [[autoshard::shard_fold]] static Channels join(Channels a, const Channels& b) { return a |= b; }

  [[autoshard::id]] int band_;
  [[autoshard::shardable(neutral = Channels(), shards = 4)]] Channels used_;
};

/// The weakest and the strongest signal in dBm, which are negative numbers of a byte.
class [[autoshard::entity]] Cell {
 public:
  explicit Cell(std::uint64_t number) : number_(number) {}
  [[autoshard::shard_method]] void signal(std::int8_t dbm) {
    weakest_ = std::min(weakest_, dbm);
    if (strongest_ < dbm) strongest_ = dbm;
  }
  int range() const { return strongest_ - weakest_; }

 private:
  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(
      neutral = 127, shards = 2,
      fold = [](std::int8_t a, std::int8_t b) { return std::min(a, b); })]] std::int8_t weakest_ = 127;
  [[autoshard::shardable(
      neutral = -128, shards = 2,
      fold = [](std::int8_t a, std::int8_t b) { return std::max(a, b); })]] std::int8_t strongest_ = -128;
};

/// Minutes of a bundle, at the prices of a tariff: began units are charged.
class [[autoshard::entity]] Bundle {
 public:
  explicit Bundle(std::string subscriber) : subscriber_(std::move(subscriber)) {}
  [[autoshard::shard_method]] void call(std::uint32_t seconds, bool abroad = false) {
    const std::uint64_t units = (std::uint64_t{seconds} + kUnit - 1) / kUnit;
    cents_ += units * (abroad ? kAbroad : kHome);
  }
  [[autoshard::shard_method]] void message(std::uint32_t count) { cents_ += std::uint64_t{count} * 9; }
  std::uint64_t cents() const { return cents_; }

 private:
  static constexpr std::uint64_t kUnit = 10, kHome = 2, kAbroad = 15;
  [[autoshard::id]] std::string subscriber_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<std::uint64_t>())]] std::uint64_t cents_ =
      0;
};

/// The parity of all blocks of a stripe, as a disk array has it.
class [[autoshard::entity]] Parity {
 public:
  explicit Parity(int stripe) : stripe_(stripe) {}
  [[autoshard::shard_method]] void block(const std::array<std::uint32_t, 4>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) parity_[i] ^= std::rotl(words[i], static_cast<int>(i));
  }
  bool is_even() const { return parity_ == Words{}; }

 private:
  using Words = std::array<std::uint32_t, 4>;
  [[autoshard::shard_fold]] static Words both(Words a, const Words& b) {
    for (std::size_t i = a.size(); i-- > 0;) a[i] ^= b[i];
    return a;
  }

  [[autoshard::id]] int stripe_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Words parity_{};
};

/// The highest number that each of four peers has acknowledged: a vector clock.
class [[autoshard::entity]] Session {
 public:
  explicit Session(std::uint64_t number) : number_(number) {}
  [[autoshard::shard_method]] void acknowledge(unsigned peer, std::uint32_t up_to) {
    std::uint32_t& known = clock_[peer & 3];
    if (up_to <= known) return;
    known = up_to;
  }
  std::uint32_t known_by_all() const { return *std::ranges::min_element(clock_); }

 private:
  using Clock = std::array<std::uint32_t, 4>;
  [[autoshard::shard_fold]] static Clock join(const Clock& a, const Clock& b) {
    Clock joined = a;
    for (std::size_t peer = 0; peer < joined.size(); ++peer) {
      if (joined[peer] < b[peer]) joined[peer] = b[peer];
    }
    return joined;
  }

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Clock clock_{};
};

}  // namespace telecom
