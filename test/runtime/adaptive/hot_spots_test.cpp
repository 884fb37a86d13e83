#include "hot_spots.h"

#include <autoshard/detail/id.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace autoshard::detail {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// A main record whose conflicts are all due to its votes.
Window contended(int question, double saves, double conflicts, std::uint32_t writers, double gets = 0) {
  const EntityKey entity = entity_key("Question", question);
  return {{{entity, "votes"}, {.writers = writers, .conflicts = conflicts}},
          {{entity, ""},
           {.writers = writers, .puts = saves, .commits = saves, .conflicts = conflicts, .gets = gets}}};
}

TEST(HotSpots, NameWhatToDo) {
  const std::vector<HotSpot> spots = hot_spots({}, contended(42, 100, 300, 6));
  ASSERT_EQ(spots.size(), 1u);
  const HotSpot& spot = spots.front();
  EXPECT_EQ(spot.entity, "Question 42");
  EXPECT_EQ(spot.property, "votes");
  EXPECT_EQ(spot.saves_per_second, 100);
  EXPECT_EQ(spot.conflicts_per_second, 300);
  EXPECT_EQ(spot.writers, 6u);
  EXPECT_EQ(spot.annotation, "[[autoshard::shardable(neutral = …, shards = 8)]]");
  EXPECT_DOUBLE_EQ(spot.expected_gain, (1 - 0.75 / 8) / 0.25);
  EXPECT_EQ(
      spot.text(),
      "Question 42: about 6 writers attempt 400 saves a second, and 300 of these fail because 'votes' has "
      "changed; if its updates commute (see `autoshard --advise`), add "
      "[[autoshard::shardable(neutral = …, shards = 8)]] to it, and [[autoshard::shard_method]] to the "
      "methods that update it, for up to 3.6 times as many updates");
}

TEST(HotSpots, AreTheWorstFirst) {
  Window window = contended(1, 100, 50, 4);
  merge(window, contended(2, 100, 500, 4));
  merge(window, contended(3, 100, 200, 4));
  const auto is = [](const char* entity) { return Field(&HotSpot::entity, entity); };
  EXPECT_THAT(hot_spots({}, window), ElementsAre(is("Question 2"), is("Question 3"), is("Question 1")));
}

TEST(HotSpots, AreNeitherShardedNorOccasional) {
  Window window = contended(1, 100, 300, 6);
  window.at({entity_key("Question", 1), "votes"}).shards = 1;
  merge(window, contended(2, 100, 5, 6));
  merge(window, contended(3, 5'000, 100, 6));
  EXPECT_THAT(hot_spots({}, window), IsEmpty());
}

TEST(HotSpots, GainNoMoreThanThereAreWriters) {
  EXPECT_EQ(hot_spots({}, contended(1, 0, 300, 3)).front().expected_gain, 3);
}

TEST(HotSpots, DoNotCountOnConflictsOfOtherProperties) {
  Window window = contended(1, 100, 300, 50);
  window.at({entity_key("Question", 1), "votes"}).conflicts = 100;
  EXPECT_DOUBLE_EQ(hot_spots({}, window).front().expected_gain, 1 + 0.25 * (1 - 1.0 / 64) / 0.25);
}

TEST(HotSpots, ThatAreReadMuchGetFewShards) {
  const auto annotation = [&](double gets) {
    return hot_spots({}, contended(1, 100, 300, 60, gets)).front().annotation;
  };
  EXPECT_THAT(annotation(0), HasSubstr("shards = 64"));
  EXPECT_THAT(annotation(20'000), HasSubstr("shards = 8"));
  EXPECT_THAT(annotation(1e6), HasSubstr("shards = 2"));
}

}  // namespace
}  // namespace autoshard::detail
