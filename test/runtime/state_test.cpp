// How a companion runs its shard methods.
#include <autoshard/generated.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace autoshard {
namespace {

/// Counts how often it is copied.
struct Counted {
  Counted() = default;
  Counted(const Counted& other) : value(other.value) { ++copies; }
  Counted& operator=(const Counted& other) {
    value = other.value;
    ++copies;
    return *this;
  }
  Counted(Counted&&) = default;
  Counted& operator=(Counted&&) = default;
  ~Counted() = default;

  int value = 0;
  static inline int copies = 0;
};

struct Page {
  struct Shard {
    int hits = 0;
    int stars = 0;
    bool replaced_stars = false;
    Counted other = {};
    std::vector<int> visits = {};
  };

  int hits = 0;
  int stars = 0;
  Counted other;
  std::vector<int> visits;

  static constexpr ShardedMember kHits{&Page::hits, &Shard::hits};
  static constexpr ReplaceableMember kStars{&Page::stars, &Shard::stars, &Shard::replaced_stars};
  static constexpr GroupMember kVisits{&Page::visits, &Shard::visits};

  State<Shard> state;
};

TEST(State, RunsAnUpdateOnBothSides) {
  Page page;
  page.hits = 10;
  page.state.pending.hits = 1;
  const int result = page.state.update<Page::kHits>(page, [](Page::Shard& shard) { return shard.hits += 2; });
  EXPECT_EQ(result, 12);
  EXPECT_EQ(page.hits, 12);
  EXPECT_EQ(page.state.pending.hits, 3);
}

TEST(State, GivesEachRunItsOwnArguments) {
  Page page;
  std::string text = "four";
  page.state.update<Page::kHits>(
      page,
      [text](Page::Shard& shard) mutable { shard.hits += static_cast<int>(std::exchange(text, "").size()); },
      [&](Page::Shard& shard) { shard.hits += static_cast<int>(std::exchange(text, "").size()); });
  EXPECT_EQ(page.hits, 4);
  EXPECT_EQ(page.state.pending.hits, 4);
  EXPECT_EQ(text, "");
}

TEST(State, ChangesNothingIfEitherRunThrows) {
  for (const int throwing : {1, 2}) {
    Page page;
    int run = 0;
    const auto count = [&](Page::Shard& shard) {
      ++shard.hits;
      shard.stars = 5;
      shard.replaced_stars = true;
      if (++run == throwing) throw std::runtime_error("no");
    };
    EXPECT_THROW((page.state.update<Page::kHits, Page::kStars>(page, count)), std::runtime_error);
    EXPECT_EQ(page.hits, 0);
    EXPECT_EQ(page.stars, 0);
    EXPECT_EQ(page.state.pending.hits, 0);
    EXPECT_FALSE(page.state.pending.replaced_stars);
  }
}

TEST(State, KeepsThatAValueWasReplaced) {
  Page page;
  page.state.update<Page::kStars>(page, [](Page::Shard& shard) {
    shard.stars = 3;
    shard.replaced_stars = true;
  });
  page.state.update<Page::kStars>(page, [](Page::Shard& shard) { shard.stars += 1; });
  EXPECT_EQ(page.stars, 4);
  EXPECT_EQ(page.state.pending.stars, 4);
  EXPECT_TRUE(page.state.pending.replaced_stars);
}

TEST(State, CopiesOnlyWhatTheMethodUses) {
  Page page;
  Counted::copies = 0;
  page.state.update<Page::kHits>(page, [](Page::Shard& shard) { ++shard.hits; });
  EXPECT_EQ(Counted::copies, 0);
}

TEST(State, RunsOnceIfOnlyGroupsGrow) {
  Page page;
  page.visits = {1};
  page.state.pending.visits = {1};
  int runs = 0;
  const auto visit = [&](Page::Shard& shard) {
    ++runs;
    EXPECT_TRUE(shard.visits.empty());
    shard.visits.push_back(2);
    return runs;
  };
  EXPECT_EQ(page.state.update<Page::kVisits>(page, visit), 1);
  EXPECT_EQ(page.visits, (std::vector{1, 2}));
  EXPECT_EQ(page.state.pending.visits, (std::vector{1, 2}));
  page.state.update<Page::kVisits, Page::kHits>(page, [&](Page::Shard& shard) {
    ++runs;
    ++shard.hits;
    shard.visits.push_back(3);
  });
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(page.visits, (std::vector{1, 2, 3}));
}

}  // namespace
}  // namespace autoshard
