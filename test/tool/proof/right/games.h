// Games: scores, records, achievements and what a level remembers.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace games {

/// Points of a team; a foul costs.
class [[autoshard::entity]] Team {
 public:
  explicit Team(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void score(int points, bool is_double = false) {
    points_ += is_double ? 2 * points : points;
  }
  [[autoshard::shard_method]] void foul() { points_ -= 5; }
  [[autoshard::shard_write]] void kick_off(long points = 0) { points_ = points; }
  long points() const { return points_; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{})]] long points_ = 0;
};

/// The best time, and of equal times the lower player.
class [[autoshard::entity]] Track {
 public:
  explicit Track(int number) : number_(number) {}
  [[autoshard::shard_method]] void lap(std::chrono::milliseconds time, std::uint32_t player) {
    const Lap lap{time, player};
    if (lap.beats(record_)) record_ = lap;
  }
  std::uint32_t champion() const { return record_.player; }

 private:
  struct Lap {
    std::chrono::milliseconds time = std::chrono::milliseconds::max();
    std::uint32_t player = std::numeric_limits<std::uint32_t>::max();
    bool beats(const Lap& other) const {
      if (time != other.time) return time < other.time;
      return player < other.player;
    }
  };
  [[autoshard::shard_fold]] static Lap better(const Lap& a, const Lap& b) { return b.beats(a) ? b : a; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Lap{}, shards = 4)]] Lap record_;
};

/// Switches that players toggle.
class [[autoshard::entity]] Dungeon {
 public:
  explicit Dungeon(int level) : level_(level) {}
  [[autoshard::shard_method]] void toggle(unsigned lever) { levers_ ^= 1U << (lever % 32); }
  [[autoshard::shard_method]] void toggle_all() { levers_ = ~levers_; }
  bool is_on(unsigned lever) const { return (levers_ >> (lever % 32) & 1U) != 0; }

 private:
  [[autoshard::shard_fold]] static std::uint32_t flip(std::uint32_t a, std::uint32_t b) { return a ^ b; }

  [[autoshard::id]] int level_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::uint32_t levers_ = 0;
};

/// Achievements, as flags of an enumeration.
enum class Achievement : std::uint16_t {
  kNone = 0,
  kFirstBlood = 1,
  kCollector = 2,
  kSpeedRun = 4,
  kPacifist = 8
};
constexpr Achievement operator|(Achievement a, Achievement b) {
  return static_cast<Achievement>(static_cast<std::uint16_t>(a) | static_cast<std::uint16_t>(b));
}

class [[autoshard::entity]] Hero {
 public:
  explicit Hero(std::uint64_t player) : player_(player) {}
  [[autoshard::shard_method]] void earn(Achievement one) { earned_ = earned_ | one; }
  [[autoshard::shard_method]] void finish(int seconds, int kills) {
    if (seconds < 600) earn(Achievement::kSpeedRun);
    if (kills == 0) earn(Achievement::kPacifist);
  }
  Achievement earned() const { return earned_; }

 private:
  [[autoshard::shard_fold]] static Achievement all(Achievement a, Achievement b) { return a | b; }

  [[autoshard::id]] std::uint64_t player_;
  [[autoshard::shardable(neutral = Achievement::kNone, shards = 2)]] Achievement earned_ = Achievement::kNone;
};

/// Rooms that anybody has entered.
class [[autoshard::entity]] Castle {
 public:
  explicit Castle(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void enter(std::size_t room) {
    if (room < entered_.size()) entered_.set(room);
  }
  [[autoshard::shard_method]] void light_up() { entered_.set(); }
  std::size_t entered() const { return entered_.count(); }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = {}, shards = 4, fold = std::bit_or<>{})]] std::bitset<40> entered_;
};

/// A combo meter that stays full.
class [[autoshard::entity]] Combo {
 public:
  explicit Combo(int arena) : arena_(arena) {}
  [[autoshard::shard_method]] void hit(std::uint32_t damage) { meter_ = fill(meter_, damage); }
  bool is_full() const { return meter_ == kFull; }

 private:
  static constexpr std::uint32_t kFull = std::numeric_limits<std::uint32_t>::max();
  [[autoshard::shard_fold]] static constexpr std::uint32_t fill(std::uint32_t a, std::uint32_t b) {
    return a > kFull - b ? kFull : a + b;
  }

  [[autoshard::id]] int arena_;
  [[autoshard::shardable(neutral = 0, shards = 8)]] std::uint32_t meter_ = 0;
};

/// The highest rank that a clan's member has reached.
enum class Rank : std::uint8_t { kPage, kSquire, kKnight, kKing };

class [[autoshard::entity]] Clan {
 public:
  explicit Clan(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void promote(Rank rank) {
    if (static_cast<int>(highest_) < static_cast<int>(rank)) highest_ = rank;
  }
  Rank highest() const { return highest_; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(
      neutral = Rank::kPage, shards = 2,
      fold = [](Rank a, Rank b) { return a < b ? b : a; })]] Rank highest_ = Rank::kPage;
};

/// Whether a boss was seen, and whether it was beaten by all.
class [[autoshard::entity]] Boss {
 public:
  explicit Boss(int number) : number_(number) {}
  [[autoshard::shard_method]] void meet(bool beaten) {
    met_ = true;
    unbeaten_ = unbeaten_ && !beaten;
    odd_fights_ = !odd_fights_;
  }
  bool is_known() const { return met_ && !unbeaten_; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = false, shards = 2, fold = std::logical_or<>{})]] bool met_ = false;
  [[autoshard::shardable(neutral = true, shards = 2, fold = std::logical_and<>{})]] bool unbeaten_ = true;
  [[autoshard::shardable(neutral = false, shards = 2, fold = std::not_equal_to<>{})]] bool odd_fights_ =
      false;
};

/// The best score with who has it: the greater score, then the earlier time, then the lower player.
class [[autoshard::entity]] Leaderboard {
 public:
  explicit Leaderboard(int season) : season_(season) {}
  [[autoshard::shard_method]] void finish(std::uint32_t score, std::int64_t time, std::uint64_t player) {
    best_ = greater(best_, Entry{score, time, player});
  }
  std::uint64_t leader() const { return best_ ? best_->player : 0; }

 private:
  struct Entry {
    std::uint32_t score = 0;
    std::int64_t time = 0;
    std::uint64_t player = 0;
    std::strong_ordering operator<=>(const Entry& other) const {
      if (const auto by_score = score <=> other.score; by_score != 0) return by_score;
      if (const auto by_time = other.time <=> time; by_time != 0) return by_time;
      return other.player <=> player;
    }
  };
  [[autoshard::shard_fold]] static std::optional<Entry> greater(const std::optional<Entry>& a,
                                                                const std::optional<Entry>& b) {
    if (!a || !b) return a ? a : b;
    return (*a <=> *b) < 0 ? b : a;
  }

  [[autoshard::id]] int season_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] std::optional<Entry> best_;
};

/// Loot of each colour, and the rarest piece.
class [[autoshard::entity]] Chest {
 public:
  enum Colour : unsigned { kGrey, kGreen, kBlue, kPurple };
  explicit Chest(int number) : number_(number) {}
  [[autoshard::shard_method]] void put(Colour colour, unsigned pieces) {
    loot_.pieces[colour & 3U] += pieces;
    loot_.rarest = std::max<unsigned>(loot_.rarest, colour);
  }
  unsigned pieces(Colour colour) const { return loot_.pieces[colour & 3U]; }

 private:
  struct Loot {
    std::array<unsigned, 4> pieces{};
    unsigned rarest = 0;
  };
  [[autoshard::shard_fold]] static Loot pour(Loot a, const Loot& b) {
    for (std::size_t i = 0; i < a.pieces.size(); ++i) a.pieces[i] += b.pieces[i];
    if (b.rarest > a.rarest) a.rarest = b.rarest;
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Loot loot_;
};

/// How a match stands: open, a draw at some move, or won by a player. A later alternative wins.
class [[autoshard::entity]] Match {
 public:
  explicit Match(int number) : number_(number) {}
  [[autoshard::shard_method]] void draw(int move) {
    result_ = std::max(result_, Result{std::in_place_index<1>, move});
  }
  [[autoshard::shard_method]] void win(long player) {
    result_ = std::max(result_, Result{std::in_place_index<2>, player});
  }
  bool is_open() const { return result_.index() == 0; }

 private:
  using Result = std::variant<std::monostate, int, long>;
  [[autoshard::shard_fold]] static Result stronger(const Result& a, const Result& b) { return a < b ? b : a; }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = std::monostate{}, shards = 2)]] Result result_;
};

}  // namespace games
