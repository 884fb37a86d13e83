// Shapes that nobody writes by hand, and that random headers were found to have.
#pragma once

#include <string>

namespace odd {

class Neighbour;
class [[autoshard::entity("OddNeighbour")]] Neighbour {
 public:
  [[autoshard::shard_method]] void up() { ++votes_; }
  int votes() const { return votes_; }

 private:
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int votes_ = 0;
};class Neighbour;

inline int y(int a, int b) { return a + b; }

class [[autoshard::entity("OddNoted")]] Noted {
 public:
  [[autoshard::shard_method]] void one()  // adds one
  {
    ++votes_;
  }
  [[autoshard::shard_method]] void two() /* adds
  two */ { votes_ += 2; }  // as it says
  [[autoshard::shard_method]] void three() noexcept  // adds three
  { votes_ += 3; } int votes() const { return votes_; }
  [[autoshard::shard_method]] void operator=(int n) { votes_ += n; }
  [[autoshard::shard_method]] explicit operator std::string() {
    ++votes_;
    return "one";
  }
  using Count = long;
  [[autoshard::shard_method]] explicit operator Count() { ++votes_; return 1; }
  [[autoshard::shard_method]] void four([[maybe_unused]] int n) { votes_ += 4; }
  __attribute__((cold)) [[autoshard::shard_method]] int five(int n) { votes_ += n; return n; }

 private:
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = y)]] int votes_ = 0;
};

/// Its parameters hide its name.
class [[autoshard::entity("OddHidden")]] hidden {
 public:
  [[autoshard::shard_method]] hidden& one(int hidden) {
    votes_ += hidden;
    return *this;
  }
  [[autoshard::shard_method]] hidden& two(int hidden);
  [[autoshard::shard_method]] auto three(int hidden) -> decltype(hidden) { votes_ += hidden; return hidden; }
  int votes() const { return votes_; }

 private:
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = y)]] int votes_ = 0;
};

inline hidden& hidden::two(int hidden) {
  votes_ += 2 * hidden;
  return *this;
}

/// Its attributes and comments stand where few people put them.
class [[autoshard::entity("OddPlaces")]] Places {
 public:
  using Small = int;
  __attribute__((cold)) [[autoshard::shard_method]] Small one(int cold) { votes_ += cold; return cold; }
  [[autoshard::shard_method]] void two(int by)
  // Adds twice as many.
  {
    votes_ += 2 * by;
  }
  [[autoshard::shard_method]] auto three(int by) -> decltype(*this);
  int votes() const { return votes_; }

 private:
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2,
                         fold = y)]] int votes_ = 0;  // not the end; {
}; /* of odd */ /* places */

inline auto Places::three(int by) -> decltype(*this) { votes_ += 3 * by; return *this; }

/// A member hides its name.
struct [[autoshard::entity("OddDraw"),
         autoshard::sharded_index(name = ByDraw, key = draw, order = day, shards = 2)]] draw {
  [[autoshard::id]] int id = 0;
  int draw = 0;
  int day = 0;
  [[autoshard::transient]] int loads = 0;

 private:
  [[autoshard::after_load]] void count() { ++loads; }
};

}  // namespace odd
