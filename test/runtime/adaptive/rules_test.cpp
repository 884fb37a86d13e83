#include "rules.h"

#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace autoshard::detail {
namespace {

using namespace std::chrono_literals;

/// A property whose number of shards is always what was decided.
class Property {
 public:
  explicit Property(const AdaptiveRules& rules, std::uint32_t least = 1, std::uint32_t most = 64)
      : rules_(rules), least_(least), most_(most), shards_(least) {}

  void see(Activity window, const Doubt& doubt = {}) {
    now_ += rules_.window;
    window.shards = shards_;
    window.least = least_;
    window.most = most_;
    const Decision decision = decide(rules_, state_, window, now_, doubt);
    EXPECT_EQ(decision.why.empty(), decision.shards == shards_);
    if (decision.shards == shards_) return;
    ++resizes_;
    shards_ = decision.shards;
    why_ = decision.why;
  }

  void set_shards(std::uint32_t shards) { shards_ = shards; }
  std::uint32_t shards() const { return shards_; }
  int resizes() const { return resizes_; }
  const std::string& why() const { return why_; }

 private:
  AdaptiveRules rules_;
  std::uint32_t least_, most_, shards_;
  RuleState state_;
  Time now_{};
  int resizes_ = 0;
  std::string why_;
};

/// Each line: how many windows, what was seen in each, a second, and how many shards there are to be after
/// them.
void follow(Property& property, const std::string& trace) {
  std::istringstream lines(trace);
  int number = 0;
  for (std::string line; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    int windows = 0;
    Activity seen;
    std::string arrow;
    std::uint32_t expected = 0;
    if (!(words >> windows)) continue;  // a heading
    ASSERT_TRUE(words >> seen.puts >> seen.commits >> seen.conflicts >> seen.gets >> seen.writers >> arrow >>
                expected)
        << line;
    for (int i = 0; i < windows; ++i) property.see(seen);
    ASSERT_EQ(property.shards(), expected) << "after line " << number << ":" << line;
  }
}

constexpr AdaptiveRules kRules{.quiet_for = 60s};

TEST(Rules, SplitAfterTwoHotWindowsAndDoubleUpToTheWriters) {
  Property property(kRules);
  follow(property, R"(
    windows puts commits conflicts gets writers
    1       500  500     400       10   6       -> 1
    1       500  500     400       10   6       -> 2
    1       600  600     400       10   6       -> 2   while it is resized
    1       600  600     300       10   6       -> 2
    1       600  600     300       10   6       -> 4
    3       700  700     200       10   6       -> 6   no more than writers
    50      900  900     100       10   6       -> 6
  )");
  EXPECT_EQ(property.why(), "updates meet conflicts");
}

TEST(Rules, DoNotSplitForOneHotWindow) {
  Property property(kRules);
  for (int i = 0; i < 20; ++i) {
    follow(property, R"(
      1     500  500     400       10   6       -> 1
      1     500  500     40        10   6       -> 1
    )");
  }
}

TEST(Rules, DoNotSplitForFewConflictsOrASmallShareOfThem) {
  Property property(kRules);
  follow(property, R"(
    10      9    9       9         0    6       -> 1
    10      9000 9000    900       0    6       -> 1
    3       9000 9000    1100      0    6       -> 2
  )");
}

TEST(Rules, SplitWhereUpdatesQueue) {
  Property property(kRules);
  follow(property, R"(
    10      1500 100     0         0    4       -> 1
    2       1600 100     0         0    4       -> 2
    20      1600 100     0         0    4       -> 4
  )");
  EXPECT_EQ(property.why(), "updates wait in a queue");
}

// Each conflict is one of few commits on a slow store, and none may be seen for a while.
TEST(Rules, SplitWhereAStoreBearsFewWritesToARecord) {
  AdaptiveRules rules = kRules;
  rules.sustained_writes = 10;
  Property property(rules);
  follow(property, R"(
    windows puts commits conflicts gets writers
    10      0.9  0.9     0         0    8       -> 1
    1       4.7  4.2     0.5       0    8       -> 1
    1       4.7  4.2     0.5       0    8       -> 2
    3       4.7  4.5     0.2       0    8       -> 4
    3       4.7  4.7     0         0    8       -> 8
    200     4.7  4.7     0         0    8       -> 8   neither too much nor quiet
    60      1.9  1.9     0         0    8       -> 8
    3       1.9  1.9     0         0    8       -> 4
    200     1.9  1.9     0         0    8       -> 4
    200     0.1  0.1     0         0    8       -> 1
  )");
  Property other(kRules);
  follow(other, R"(
    20      4.7  4.2     0.5       0    8       -> 1   of a store that says nothing
  )");
}

TEST(Rules, OneShardIsBestForOneWriter) {
  Property property(kRules);
  follow(property, R"(
    100     9000 10      0         0    1       -> 1
    100     9000 10      0         0    0       -> 1
  )");
  EXPECT_EQ(property.resizes(), 0);
}

TEST(Rules, ConflictsProveASecondWriter) {
  Property property(kRules);
  follow(property, R"(
    100     9000 1000    500       0    1       -> 2
    100     9000 1000    500       0    2       -> 2
  )");
}

TEST(Rules, WhatIsNotKnownIsNotQuiet) {
  Property property(kRules);
  follow(property, R"(
    6       500  500     500       0    8       -> 4
    60      0    0       0         0    0       -> 4
  )");
  for (int i = 0; i < 1'000; ++i) property.see({.writers = 1, .puts = 9, .commits = 9}, {.is_partial = true});
  EXPECT_EQ(property.shards(), 4u);
  follow(property, R"(
    60      0    0       0         0    0       -> 4   the quiet time begins when all is known
    1       0    0       0         0    0       -> 2
  )");
  for (int i = 0; i < 2; ++i)
    property.see({.writers = 8, .puts = 500, .commits = 500, .conflicts = 500}, {.is_partial = true});
  EXPECT_EQ(property.shards(), 2u) << "it was resized meanwhile";
  property.see({.writers = 8, .puts = 500, .commits = 500, .conflicts = 500}, {.is_partial = true});
  EXPECT_EQ(property.shards(), 4u) << "what is hot without the others is so with them";
}

TEST(Rules, LoadsLimitTheNumber) {
  Property property(kRules);
  follow(property, R"(
    20      500  500     400       20000  64    -> 5
    20      500  500     400       200000 64    -> 5
  )");
  Property read_all_the_time(kRules);
  follow(read_all_the_time, R"(
    20      500  500     400       200000 64    -> 1
  )");
}

TEST(Rules, TheAnnotationLimitsTheNumber) {
  Property property(kRules, 2, 6);
  follow(property, R"(
    20      500  500     400       0    64      -> 6
    9999    0    0       0         0    0       -> 2
  )");
  property.set_shards(1);  // of another annotation
  follow(property, R"(
    1       0    0       0         0    0       -> 1
    1       0    0       0         0    0       -> 2
  )");
  property.set_shards(100);
  follow(property, R"(
    1       0    0       0         0    0       -> 100
    1       0    0       0         0    0       -> 6
  )");
}

TEST(Rules, HalveAfterALongQuietTime) {
  Property property(kRules);
  follow(property, R"(
    6       500  500     500       0    8       -> 4
    60      4000 4000    0         0    8       -> 4   the same work without conflicts
    60      101  101     0         0    8       -> 4   more than a tenth of what it was split for
    60      90   90      0         0    8       -> 4
    1       90   90      0         0    8       -> 2
    60      90   90      0         0    8       -> 2
    2       90   90      0         0    8       -> 1
    999     0    0       0         0    0       -> 1
  )");
  EXPECT_EQ(property.why(), "the load has been low");
  EXPECT_EQ(property.resizes(), 4);
}

TEST(Rules, HalveWhatIsMoreThanThereAreWriters) {
  Property property(kRules);
  follow(property, R"(
    9       5000 5000    5000      0    8       -> 8
    60      5000 5000    0         0    2       -> 8
    130     5000 5000    0         0    2       -> 2
    999     5000 5000    0         0    2       -> 2
  )");
}

TEST(Rules, OneBusyWindowBeginsTheQuietTimeAnew) {
  Property property(kRules);
  follow(property, R"(
    3       500  500     500       0    8       -> 2
  )");
  for (int i = 0; i < 20; ++i) {
    follow(property, R"(
      60    0    0       0         0    0       -> 2
      1     500  500     0         0    8       -> 2
    )");
  }
  follow(property, R"(
    62      0    0       0         0    0       -> 1
  )");
}

TEST(Rules, WhatIsSplitByOthersIsNotSplitTwice) {
  Property property(kRules);
  follow(property, "1  500 500 500 0 8 -> 1");
  property.set_shards(2);
  follow(property, R"(
    2       500  500     500       0    8       -> 2
    1       500  500     500       0    8       -> 4
  )");
}

TEST(Rules, WhatWasSeenBeforeIsNotAnotherHotWindow) {
  const Activity hot{.writers = 8, .puts = 500, .commits = 500, .conflicts = 500};
  Property property(kRules);
  property.see(hot);
  for (int i = 0; i < 10; ++i) property.see(hot, {.is_repeated = true});
  EXPECT_EQ(property.shards(), 1u);
  property.see(hot);
  EXPECT_EQ(property.shards(), 2u) << "nor was it one that is not hot";
}

TEST(Rules, OnesThatMakeNoSenseAreRefused) {
  const auto is_refused = [](auto member, auto value) {
    AdaptiveRules rules;
    rules.*member = value;
    try {
      checked(rules);
      return false;
    } catch (const InvalidUse&) {
      return true;
    }
  };
  using Rules = AdaptiveRules;
  for (const auto member : {&Rules::conflicts_per_second, &Rules::conflict_share, &Rules::updates_per_commit,
                            &Rules::sustained_share, &Rules::shards_read_per_second, &Rules::quiet_ratio}) {
    for (const double value : {0.0, -1.0, std::nan("")}) EXPECT_TRUE(is_refused(member, value));
    EXPECT_FALSE(is_refused(member, 1e-9));
    EXPECT_FALSE(is_refused(member, std::numeric_limits<double>::infinity()));
  }
  EXPECT_TRUE(is_refused(&Rules::sustained_writes, -1.0));
  EXPECT_FALSE(is_refused(&Rules::sustained_writes, 0.0));
  EXPECT_TRUE(is_refused(&Rules::hot_windows, 0U));
  EXPECT_TRUE(is_refused(&Rules::window, -1ms));
  EXPECT_FALSE(is_refused(&Rules::window, 0ms));
  for (const auto member : {&Rules::quiet_for, &Rules::quiet_for_at_most}) {
    EXPECT_TRUE(is_refused(member, -1s));
    EXPECT_FALSE(is_refused(member, 0s));
  }
}

/// A load that meets conflicts unless there are `needed` shards.
void load(Property& property, std::chrono::seconds time, double attempts, std::uint32_t needed) {
  for (auto passed = 0s; passed < time; passed += 1s) {
    const double share = property.shards() < needed ? 1 - property.shards() / static_cast<double>(needed) : 0;
    const double commits = attempts * (1 - share);
    property.see({.writers = needed, .puts = commits, .commits = commits, .conflicts = attempts * share});
  }
}

TEST(Rules, ALoadThatFlapsFastIsNotFollowedDown) {
  Property property(kRules);
  for (int i = 0; i < 1'000; ++i) {
    load(property, 30s, 2'000, 8);
    load(property, 30s, 0, 0);
  }
  EXPECT_EQ(property.shards(), 8u);
  EXPECT_EQ(property.resizes(), 3);
}

TEST(Rules, ALoadThatFlapsSlowlyIsFollowedEverMoreSeldom) {
  Property property(kRules);
  const auto flap = [&](int times) {
    const int before = property.resizes();
    for (int i = 0; i < times; ++i) {
      load(property, 70s, 2'000, 8);
      load(property, 70s, 0, 0);  // as if made to have just been halved
    }
    return property.resizes() - before;
  };
  EXPECT_LE(flap(100), 7) << "up once, and then down and up, until the time that has to be quiet has doubled";
  EXPECT_EQ(flap(1'000), 0);

  // Even if it always comes back at the worst time: so many times in ten days.
  AdaptiveRules rules = kRules;
  rules.window = 10s;
  Property hunted(rules);
  int windows = 0;
  for (; windows < 10 * 24 * 360; ++windows) {
    const bool is_split = hunted.shards() == 8;
    hunted.see({.writers = 8,
                .puts = is_split ? 0.0 : 100,
                .commits = is_split ? 0.0 : 100,
                .conflicts = is_split ? 0.0 : 500});
  }
  EXPECT_LE(hunted.resizes(), 40);
}

TEST(Rules, ForgetThatAHalvingWasWrongOnceOneHasStood) {
  Property property(kRules);
  follow(property, R"(
    3       500  500     500       0    2       -> 2
    65      0    0       0         0    0       -> 1
    5       500  500     500       0    2       -> 2   so that was wrong
    65      0    0       0         0    0       -> 2
    60      0    0       0         0    0       -> 1
    300     0    0       0         0    0       -> 1   but this was right
    5       500  500     500       0    2       -> 2
    65      0    0       0         0    0       -> 1
  )");
}

}  // namespace
}  // namespace autoshard::detail
