// Maxima whose ties are not broken, or broken by which operand stands on the left.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace ties {

// wrong: of two laps of 60,000 ms the left one stays, so the champion is 1 or 2
class [[autoshard::entity]] Track {
 public:
  explicit Track(int number) : number_(number) {}
  [[autoshard::shard_method]] void lap(std::chrono::milliseconds time, std::uint32_t player) {
    record_ = better(record_, Lap{time, player});
  }
  std::uint32_t champion() const { return record_.player; }

 private:
  struct Lap {
    std::chrono::milliseconds time = std::chrono::milliseconds::max();
    std::uint32_t player = 0;
  };
  [[autoshard::shard_fold]] static Lap better(const Lap& a, const Lap& b) { return b.time < a.time ? b : a; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Lap{}, shards = 4)]] Lap record_;
};

// wrong: the last price without a time: 100 and 101 give the right one
class [[autoshard::entity]] LastPrice {
 public:
  explicit LastPrice(std::string symbol) : symbol_(std::move(symbol)) {}
  [[autoshard::shard_method]] void trade(std::optional<std::int64_t> cents) { price_ = last(price_, cents); }
  std::optional<std::int64_t> price() const { return price_; }

 private:
  [[autoshard::shard_fold]] static std::optional<std::int64_t> last(std::optional<std::int64_t> a,
                                                                    std::optional<std::int64_t> b) {
    return b ? b : a;
  }

  [[autoshard::id]] std::string symbol_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] std::optional<std::int64_t> price_;
};

// wrong: time and sequence number order the ticks, but two prices with the same of both keep the left one
class [[autoshard::entity]] Quote {
 public:
  explicit Quote(std::string symbol) : symbol_(std::move(symbol)) {}
  [[autoshard::shard_method]] void trade(std::int64_t time, std::uint32_t sequence, std::int64_t price) {
    last_ = later(last_, Tick{time, sequence, price});
  }
  std::int64_t price() const { return last_.price; }

 private:
  struct Tick {
    std::int64_t time = std::numeric_limits<std::int64_t>::min();
    std::uint32_t sequence = 0;
    std::int64_t price = 0;
  };
  [[autoshard::shard_fold]] static Tick later(const Tick& a, const Tick& b) {
    return std::tie(a.time, a.sequence) < std::tie(b.time, b.sequence) ? b : a;
  }

  [[autoshard::id]] std::string symbol_;
  [[autoshard::shardable(neutral = Tick{}, shards = 4)]] Tick last_;
};

// wrong: the fold prefers the lower player of equal scores, and the update the player who came first
class [[autoshard::entity]] Leaderboard {
 public:
  explicit Leaderboard(int season) : season_(season) {}
  [[autoshard::shard_method]] void finish(std::uint32_t score, std::uint32_t player) {
    if (score > best_.score) best_ = {score, player};
  }
  std::uint32_t leader() const { return best_.player; }

 private:
  struct Entry {
    std::uint32_t score = 0;
    std::uint32_t player = std::numeric_limits<std::uint32_t>::max();
  };
  [[autoshard::shard_fold]] static Entry greater(const Entry& a, const Entry& b) {
    if (a.score != b.score) return a.score > b.score ? a : b;
    return {a.score, std::min(a.player, b.player)};
  }

  [[autoshard::id]] int season_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Entry best_;
};

// wrong: the peak's minute is the later one where a is higher, and the earlier one where both are as high
class [[autoshard::entity]] Trunk {
 public:
  explicit Trunk(int number) : number_(number) {}
  [[autoshard::shard_method]] void measure(std::uint32_t kilobits, std::uint32_t minute) {
    peak_ = higher(peak_, {kilobits, minute});
  }
  std::uint32_t minute() const { return peak_.minute; }

 private:
  struct Peak {
    std::uint32_t kilobits = 0;
    std::uint32_t minute = 0;
  };
  [[autoshard::shard_fold]] static Peak higher(const Peak& a, const Peak& b) {
    if (a.kilobits > b.kilobits) return {a.kilobits, std::max(a.minute, b.minute)};
    if (a.kilobits < b.kilobits) return {b.kilobits, std::max(a.minute, b.minute)};
    return {a.kilobits, std::min(a.minute, b.minute)};
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Peak{}, shards = 4)]] Peak peak_;
};

// wrong: sorting three of six by points alone keeps the left one of two with 10 points
class [[autoshard::entity]] Podium {
 public:
  explicit Podium(int race) : race_(race) {}
  [[autoshard::shard_method]] void finish(std::uint32_t points, std::uint32_t runner) {
    places_ = merge(places_, {Runner{points, runner}, Runner{}, Runner{}});
  }
  std::uint32_t winner() const { return places_[0].number; }

 private:
  struct Runner {
    std::uint32_t points = 0;
    std::uint32_t number = 0;
  };
  using Places = std::array<Runner, 3>;
  [[autoshard::shard_fold]] static Places merge(const Places& a, const Places& b) {
    Places first;
    std::size_t i = 0, j = 0;
    for (Runner& place : first) place = a[i].points >= b[j].points ? a[i++] : b[j++];
    return first;
  }

  [[autoshard::id]] int race_;
  [[autoshard::shardable(neutral = Places{}, shards = 4)]] Places places_;
};

// wrong: of 5 and -5, which lie as far from zero, the left one stays
class [[autoshard::entity]] Swing {
 public:
  explicit Swing(int axis) : axis_(axis) {}
  [[autoshard::shard_method]] void sample(std::int32_t value) { widest_ = wider(widest_, value); }
  std::int32_t widest() const { return widest_; }

 private:
  static constexpr std::int64_t size(std::int64_t value) { return value < 0 ? -value : value; }
  [[autoshard::shard_fold]] static std::int32_t wider(std::int32_t a, std::int32_t b) {
    return size(a) >= size(b) ? a : b;
  }

  [[autoshard::id]] int axis_;
  [[autoshard::shardable(neutral = 0, shards = 2)]] std::int32_t widest_ = 0;
};

// wrong: answers that are a second apart count as equal, and then the left one stays: 0, 1 and 2 have no
// order
class [[autoshard::entity]] Health {
 public:
  explicit Health(std::string host) : host_(std::move(host)) {}
  [[autoshard::shard_method]] void check(std::uint32_t second, bool up) {
    last_ = newer(last_, {second, up});
  }
  bool is_up() const { return last_.up; }

 private:
  struct Answer {
    std::uint32_t second = 0;
    bool up = false;
  };
  [[autoshard::shard_fold]] static Answer newer(Answer a, Answer b) {
    constexpr std::uint32_t kSlack = 1;
    return b.second > a.second + kSlack ? b : a;
  }

  [[autoshard::id]] std::string host_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Answer last_;
};

// wrong: two parcels of one price add up their weights in the fold, and the heavier one stays in the update
class [[autoshard::entity]] Customs {
 public:
  explicit Customs(int harbour) : harbour_(harbour) {}
  [[autoshard::shard_method]] void declare(std::uint32_t cents, std::uint32_t grams) {
    dearest_ = std::max(dearest_, Parcel(cents, grams));
  }
  std::uint32_t cents() const { return dearest_.first; }

 private:
  using Parcel = std::pair<std::uint32_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Parcel dearer(const Parcel& a, const Parcel& b) {
    if (a.first != b.first) return std::max(a, b);
    return {a.first, a.second + b.second};
  }

  [[autoshard::id]] int harbour_;
  [[autoshard::shardable(neutral = Parcel{}, shards = 4)]] Parcel dearest_;
};

// wrong: a comparison that looks at two of three fields: the same state and day keep the left user
class [[autoshard::entity]] Ticket {
 public:
  enum class State : std::uint8_t { kOpen, kTaken, kClosed };
  explicit Ticket(int number) : number_(number) {}
  [[autoshard::shard_method]] void move(State state, std::uint16_t day, std::uint64_t user) {
    const Step step{state, day, user};
    if (is_before(last_, step)) last_ = step;
  }
  std::uint64_t user() const { return last_.user; }

 private:
  struct Step {
    State state = State::kOpen;
    std::uint16_t day = 0;
    std::uint64_t user = 0;
  };
  static bool is_before(const Step& a, const Step& b) {
    return a.state != b.state ? a.state < b.state : a.day < b.day;
  }
  [[autoshard::shard_fold]] static Step later(const Step& a, const Step& b) {
    return is_before(a, b) ? b : a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Step{}, shards = 2)]] Step last_;
};

// wrong: kSlow and kHalt are of one rank, so the one that comes first stays
enum class Signal : std::uint16_t { kClear, kSlow, kCaution, kHalt, kStop };

class [[autoshard::entity]] Semaphore {
 public:
  explicit Semaphore(int number) : number_(number) {}
  [[autoshard::shard_method]] void show(Signal signal) { worst_ = worse(worst_, signal); }
  Signal worst() const { return worst_; }

 private:
  static constexpr int rank(Signal signal) {
    constexpr std::array<std::uint16_t, 5> kRanks{0, 40, 77, 40, 1009};
    const auto at = static_cast<std::size_t>(signal);
    return at < kRanks.size() ? kRanks[at] : 5000 + static_cast<int>(at);
  }
  [[autoshard::shard_fold]] static Signal worse(Signal a, Signal b) { return rank(a) < rank(b) ? b : a; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Signal::kClear, shards = 2)]] Signal worst_ = Signal::kClear;
};

// wrong: of two equal bids, passed as a whole, the left one wins
class [[autoshard::entity]] Lot {
 public:
  struct Bid {
    long cents = 0;
    std::string bidder;
  };
  explicit Lot(int number) : number_(number) {}
  [[autoshard::shard_method]] void bid(Bid bid) { best_ = higher(best_, bid); }

 private:
  [[autoshard::shard_fold]] static Bid higher(const Bid& a, const Bid& b) {
    return a.cents >= b.cents ? a : b;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Bid best_;
};

}  // namespace ties
