/// What generated law tests call, on annotations that are right and wrong.

#include <autoshard/law_testing.h>
#include <gmock/gmock.h>

#include <list>
#include <map>
#include <set>
#include <stdexcept>

namespace {

enum class Level { kLow, kMiddle, kHigh };

struct Sums {
  int count = 0;
  double total = 0;
};

/// The part of a companion that laws ask for, written by hand: the generator refuses wrong folds.
struct Board {
  struct Shard {
    int votes = 0;
    std::set<int> users{};
    std::map<std::string, int> by_name{};
    Sums sums{};
    Level level = Level::kLow;
    std::optional<std::string> last{};
    std::list<int> log{};
    bool closed = false;
  };
  int votes = 0;
  bool closed = false;
  std::set<int> users;
  std::map<std::string, int> by_name;
  Sums sums;
  Level level = Level::kLow;
  std::optional<std::string> last;
  std::list<int> log;
};

int subtract(int x, const int& y) { return x - y; }
int add(int x, const int& y) { return x + y; }
bool either(bool x, const bool& y) { return x || y; }
std::set<int> united(std::set<int> x, const std::set<int>& y) {
  x.insert(y.begin(), y.end());
  return x;
}
std::map<std::string, int> overwrite(std::map<std::string, int> x, const std::map<std::string, int>& y) {
  for (const auto& [name, count] : y) x[name] = count;
  return x;
}
Sums add_sums(Sums x, const Sums& y) { return {x.count + y.count, x.total + y.total}; }
Level highest(Level x, const Level& y) { return x < y ? y : x; }
std::optional<std::string> latest(std::optional<std::string> x, const std::optional<std::string>& y) {
  if (x < y) x = y;
  return x;
}

std::list<int> append(std::list<int> x, const std::list<int>& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}
/// Has no order, but loses elements.
std::list<int> longer(std::list<int> x, const std::list<int>& y) {
  if (x.size() < y.size()) x = y;
  return x;
}

}  // namespace

template <>
inline constexpr std::array autoshard::laws::kEnumerators<Level> = {Level::kLow, Level::kMiddle,
                                                                    Level::kHigh};

template <>
struct autoshard::Traits<Board> {
  using Entity = Board;
  using Shard = Board::Shard;
  // No law asks for it, and Clang sees that for what is only of this file.
  [[maybe_unused]] static constexpr std::string_view kKind = "Board";

  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"votes", 4, &Board::votes, &Shard::votes, &add},
        ShardedProperty{"difference", 4, &Board::votes, &Shard::votes, &subtract},
        ShardedProperty{"users", 4, &Board::users, &Shard::users, &united},
        ShardedProperty{"by_name", 4, &Board::by_name, &Shard::by_name, &overwrite},
        ShardedProperty{"sums", 4, &Board::sums, &Shard::sums, &add_sums},
        ShardedProperty{"level", 4, &Board::level, &Shard::level, &highest},
        ShardedProperty{"last", 4, &Board::last, &Shard::last, &latest},
        ShardedProperty{"ordered_log", 4, &Board::log, &Shard::log, &append},
        ShardedProperty{"closed", 4, &Board::closed, &Shard::closed, &either},
        ShardedProperty{"log", 4, &Board::log, &Shard::log, &append, kAnyOrder},
        ShardedProperty{"longest_log", 4, &Board::log, &Shard::log, &longer, kAnyOrder},
    };
  }
  static constexpr auto members(const Sums*) {
    return std::tuple{Property{"count", &Sums::count}, Property{"total", &Sums::total}};
  }
};

namespace {

namespace laws = autoshard::laws;
using testing::HasSubstr;
using testing::StartsWith;

TEST(LawTesting, RightFoldsHaveNoCounterexample) {
  for (const char* property : {"votes", "users", "sums", "level", "last", "log", "closed"})
    EXPECT_EQ(laws::broken_fold<Board>(property), "") << property;
}

TEST(LawTesting, CounterexamplesAreSmallAndNameTheirSeed) {
  EXPECT_THAT(laws::broken_fold<Board>("difference"),
              testing::ContainsRegex("not commutative: folding [01] and [01] gives -?1 on"));
  EXPECT_THAT(laws::broken_fold<Board>("by_name"),
              testing::ContainsRegex("folding ..\"[abc]*\", [01].. and ..\"[abc]*\", [01].. gives"));
  EXPECT_THAT(laws::broken_fold<Board>("difference"),
              HasSubstr("AUTOSHARD_TEST_SEED=" + std::to_string(laws::seed())));
}

/// What is bounded, or replaced, by hand as well.
struct Seats {
  struct Shard {
    int taken = 0;
    bool replaced_taken = false;
    int most = 0;
    bool replaced_most = false;
  };
  int taken = 0;
  int most = 0;
};

int larger(int x, const int& y) { return x < y ? y : x; }
int no_seat() { return 0; }

}  // namespace

template <>
struct autoshard::Traits<Seats> {
  using Entity = Seats;
  using Shard = Seats::Shard;
  [[maybe_unused]] static constexpr std::string_view kKind = "Seats";

  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"taken", 4, &Seats::taken, &Shard::taken, &add}
            .replaced_by(&Shard::replaced_taken)
            .at_least(&no_seat),
        ShardedProperty{"most", kDynamic, &Seats::most, &Shard::most, &larger}
            .replaced_by(&Shard::replaced_most)
            .at_most(&no_seat),
    };
  }
};

namespace {

TEST(LawTesting, WhatIsBoundedIsASum) {
  EXPECT_EQ(laws::broken_fold<Seats>("taken"), "");
  EXPECT_THAT(laws::broken_fold<Seats>("most"),
              testing::ContainsRegex(
                  "not a sum, and only a sum can have bounds: folding -?[01] and -?[01] gives -?[01] "
                  "on one side and -?[12] on the other"));
}

TEST(LawTesting, AWriteReplacesWhateverWasThere) {
  const auto set = [](Seats::Shard& shard, int taken) {
    shard.replaced_taken = true;
    shard.taken = taken;
  };
  EXPECT_EQ((laws::broken_write<Seats, int>(set)), "") << "the other member is not replaced";
  const auto set_both = [](Seats::Shard& shard, int taken) {
    shard.replaced_taken = shard.replaced_most = true;
    shard.taken = taken;
  };
  EXPECT_THAT((laws::broken_write<Seats, int>(set_both)), StartsWith("with (0), on {"));
  const auto set_sometimes = [](Seats::Shard& shard, int taken) {
    shard.replaced_taken = true;
    if (shard.taken < 2) shard.taken = taken;
  };
  EXPECT_THAT((laws::broken_write<Seats, int>(set_sometimes)), HasSubstr("it leaves {"));
  const auto refuse = [](Seats::Shard& shard, int taken) {
    shard.replaced_taken = true;
    if (taken != 1) throw std::invalid_argument("taken");
    shard.taken = taken;
  };
  EXPECT_EQ((laws::broken_write<Seats, int>(refuse)), "");
}

TEST(LawTesting, ElementsInAnyOrderMustStillBeTheSame) {
  EXPECT_THAT(laws::broken_fold<Board>("ordered_log"), StartsWith("not commutative: folding {"));
  EXPECT_THAT(laws::broken_fold<Board>("longest_log"), StartsWith("not commutative: folding {"));
}

/// Every fold of it is right.
struct Counter {
  struct Shard {
    int votes = 0;
    std::set<int> users{};
    std::list<int> log{};
  };
  int votes = 0;
  std::set<int> users;
  std::list<int> log;
};

}  // namespace

template <>
struct autoshard::Traits<Counter> {
  using Entity = Counter;
  using Shard = Counter::Shard;
  [[maybe_unused]] static constexpr std::string_view kKind = "Counter";

  static constexpr auto sharded_properties() {
    return std::tuple{ShardedProperty{"votes", 4, &Counter::votes, &Shard::votes, &add},
                      ShardedProperty{"users", 4, &Counter::users, &Shard::users, &united},
                      ShardedProperty{"log", 4, &Counter::log, &Shard::log, &append, kAnyOrder}};
  }
};

template <>
inline const autoshard::laws::Constants autoshard::laws::kConstants<Counter> = {.numbers = {40'000, 0.375},
                                                                                .texts = {"reset"}};

namespace {

TEST(LawTesting, ConstantsAreAmongTheValues) {
  EXPECT_THAT((laws::broken_method<Counter, int>([](auto& shard, int& n) {
                if (n == 40'000) shard.votes = 0;
              })),
              StartsWith("with (40000), on"));
  EXPECT_THAT((laws::broken_method<Counter, unsigned short>([](auto& shard, unsigned short& n) {
                if (n == 39'999) shard.votes = 0;
              })),
              StartsWith("with (39999), on"));
  EXPECT_THAT((laws::broken_method<Counter, double>([](auto& shard, double& n) {
                if (n == 0.375) shard.votes = 0;
              })),
              StartsWith("with (0.375"));
  EXPECT_THAT((laws::broken_method<Counter, std::string>([](auto& shard, std::string& what) {
                if (what == "reset") shard.votes = 0;
              })),
              StartsWith("with (\"reset\"), on"));
}

TEST(LawTesting, MethodsAreTriedOnWholeShards) {
  EXPECT_EQ((laws::broken_method<Counter, int>([](auto& shard, int& n) {
              shard.votes += n;
              shard.users.insert(n);
              shard.log.push_back(n);
            })),
            "");
  EXPECT_THAT((laws::broken_method<Counter, int>([](auto& shard, int& n) { shard.votes *= n; })),
              StartsWith("with (0), on {.votes = 0, .users = {}, .log = {}} and {.votes = 1, .users = {}, "
                         ".log = {}}, it gives"));
  EXPECT_THAT((laws::broken_method<Counter>([](auto& shard) { shard.users.clear(); })),
              StartsWith("with (), on {.votes = 0, .users = {}, .log = {}} and {.votes = 0, .users = {0}, "
                         ".log = {}}, it gives"));
  EXPECT_THAT((laws::broken_method<Counter>([](auto& shard) {
                if (!shard.log.empty()) shard.log.pop_back();
              })),
              HasSubstr("it gives"));
}

TEST(LawTesting, ArgumentsMayBeTruthValues) {
  EXPECT_EQ((laws::broken_method<Counter, bool>([](auto& shard, bool& up) { shard.votes += up ? 1 : -1; })),
            "");
  EXPECT_THAT((laws::broken_method<Counter, bool>([](auto& shard, bool& zero) {
                if (zero) shard.votes = 0;
              })),
              StartsWith("with (true), on"));
}

TEST(LawTesting, ValuesThatAMethodRefusesDoNotCount) {
  EXPECT_EQ((laws::broken_method<Counter, int>([](auto& shard, int& n) {
              if (n < 0) throw std::invalid_argument("negative");
              shard.votes += n;
            })),
            "");
}

}  // namespace
