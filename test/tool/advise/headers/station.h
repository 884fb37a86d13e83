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
class Station {
 public:
  explicit Station(int id) : id_(id) {}

  void measure(int tenths) {
    mean_.sum += tenths;
    ++mean_.count;
    range_.least = std::min(range_.least, tenths);
    if (tenths > range_.greatest) range_.greatest = tenths;
  }
  void blow(unsigned force, std::int16_t knots) {
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

  void rain(int drops) { drops_ += drops; }
  void empty() { drops_ = 0; }
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

  void describe(const std::string& language, const std::string& text) { texts_[language] = text; }
  void photo(const std::string& url) { photos_.push_back(url); }

 private:
  int id_;
  Mean mean_;
  Range range_;
  Wind wind_;
  Log log_;
  Mean offset_;
  Mean scaled_;
  int drops_ = 0;
  int faults_ = 0;
  int sensor_ = 0;
  int masts_ = 10;
  std::map<std::string, std::string> texts_;
  std::vector<std::string> photos_;
};

}  // namespace weather
