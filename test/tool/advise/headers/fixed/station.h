#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

namespace weather {

struct Mean {
  std::int64_t sum = 0;
  std::int64_t count = 0;
};

struct Range {
  int least = 0;
  int greatest = 0;
};

struct Gust {
  std::int16_t knots = std::numeric_limits<std::int16_t>::min();
  std::uint8_t flags = 0;
  bool is_gale = false;
};

struct Wind {
  std::array<std::uint32_t, 12> by_force{};
  Gust strongest;
};

struct Log {
  std::vector<std::string> lines;
  int count = 0;
};

/// Members that are structs, members that are replaced as a whole, and members with a bound.
class [[autoshard::entity]] Station {
 public:
  explicit Station(int id) : id_(id) {}

  [[autoshard::shard_method]] void measure(int tenths) {
    mean_.sum += tenths;
    ++mean_.count;
    range_.least = std::min(range_.least, tenths);
    if (tenths > range_.greatest) range_.greatest = tenths;
  }
  [[autoshard::shard_method]] void blow(unsigned force, std::int16_t knots) {
    ++wind_.by_force[std::min(force, 11U)];
    wind_.strongest.knots = std::max(wind_.strongest.knots, knots);
    wind_.strongest.flags |= static_cast<std::uint8_t>(1U << (force % 8));
    wind_.strongest.is_gale |= force >= 8;
  }
  void note(const std::string& line) {
    log_.lines.push_back(line);
    ++log_.count;
  }
  void correct(int tenths) { offset_.sum += tenths; }
  void scale(int by) { scaled_.sum *= by; }
  void shift(int by) { scaled_.sum += by; }

  [[autoshard::shard_method]] void rain(int drops) { drops_ += drops; }
  [[autoshard::shard_write]] void empty() { drops_ = 0; }
  void replaceSensor(int number) {
    faults_ = 0;
    sensor_ = number;
  }
  void fail() { ++faults_; }

  bool lend(int masts) {
    if (masts > masts_) return false;
    masts_ -= masts;
    return true;
  }
  void giveBack(int masts) { masts_ += masts; }

  [[autoshard::shard_method]]
  void describe(const std::string& language, const std::string& text) { texts_[language] = text; }
  [[autoshard::shard_method]]
  void photo(const std::string& url) { photos_.push_back(url); }

 private:
  [[autoshard::id]] int id_;
  [[autoshard::shardable(neutral = Mean{.sum = 0, .count = 0}, shards = 10,
                         fold = [](auto x, const auto& y) {
                           x.sum += y.sum;
                           x.count += y.count;
                           return x;
                         })]]
  Mean mean_;
  [[autoshard::shardable(neutral = Range{.least = std::numeric_limits<int>::max(), .greatest = std::numeric_limits<int>::min()},
                         shards = 10,
                         fold = [](auto x, const auto& y) {
                           if (y.least < x.least) x.least = y.least;
                           if (x.greatest < y.greatest) x.greatest = y.greatest;
                           return x;
                         })]]
  Range range_;
  [[autoshard::shardable(neutral = Wind{.by_force = {}, .strongest = {.knots = std::numeric_limits<int16_t>::min(), .flags = 0, .is_gale = false}},
                         shards = 10,
                         fold = [](auto x, const auto& y) {
                           for (auto i = x.by_force.size(); i-- > 0;) x.by_force[i] += y.by_force[i];
                           if (x.strongest.knots < y.strongest.knots) x.strongest.knots = y.strongest.knots;
                           x.strongest.flags = static_cast<uint8_t>(x.strongest.flags | y.strongest.flags);
                           x.strongest.is_gale = x.strongest.is_gale || y.strongest.is_gale;
                           return x;
                         })]]
  Wind wind_;
  Log log_;
  Mean offset_;
  Mean scaled_;
  [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
  int drops_ = 0;
  int faults_ = 0;
  int sensor_ = 0;
  int masts_ = 10;
  [[autoshard::shard_group(shards = 8)]]
  std::map<std::string, std::string> texts_;
  [[autoshard::shard_group(shards = 8)]] std::vector<std::string> photos_;
};

}  // namespace weather
