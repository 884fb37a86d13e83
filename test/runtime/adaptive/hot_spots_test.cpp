#include "adaptive/hot_spots.h"

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

PropertyId votes_of(int question) { return {entity_key("Question", question), "votes"}; }

Activity contended(double commits, double conflicts, std::uint32_t writers) {
  return {.writers = writers, .puts = commits, .commits = commits, .conflicts = conflicts};
}

TEST(HotSpots, NameWhatToDo) {
  const Window window = {{votes_of(42), contended(100, 300, 6)}};
  const std::vector<HotSpot> spots = hot_spots({}, window);
  ASSERT_EQ(spots.size(), 1u);
  const HotSpot& spot = spots.front();
  EXPECT_EQ(spot.entity, "Question 42");
  EXPECT_EQ(spot.property, "votes");
  EXPECT_EQ(spot.updates_per_second, 100);
  EXPECT_EQ(spot.conflicts_per_second, 300);
  EXPECT_EQ(spot.writers, 6u);
  EXPECT_EQ(spot.annotation, "[[autoshard::shardable(neutral = …, shards = 8)]]");
  EXPECT_DOUBLE_EQ(spot.expected_gain, (1 - 0.75 / 8) / 0.25);
  EXPECT_EQ(
      spot.text(),
      "Question 42: of 400 attempts a second to change 'votes', by about 6 writers, 300 meet another and do "
      "nothing. If its updates commute, which `autoshard --advise` tells, add [[autoshard::shardable(neutral "
      "= "
      "…, shards = 8)]] to it, and [[autoshard::shard_method]] to the methods that update it: up to 3.6 "
      "times "
      "as many updates.");
}

TEST(HotSpots, AreTheWorstFirst) {
  const Window window = {{votes_of(1), contended(100, 50, 4)},
                         {votes_of(2), contended(100, 500, 4)},
                         {votes_of(3), contended(100, 200, 4)}};
  const auto is = [](const char* entity) { return Field(&HotSpot::entity, entity); };
  EXPECT_THAT(hot_spots({}, window), ElementsAre(is("Question 2"), is("Question 3"), is("Question 1")));
}

TEST(HotSpots, AreNeitherShardedNorOccasional) {
  Activity sharded = contended(100, 300, 6);
  sharded.shards = 1;
  const Window window = {
      {votes_of(1), sharded}, {votes_of(2), contended(100, 5, 6)}, {votes_of(3), contended(5'000, 100, 6)}};
  EXPECT_THAT(hot_spots({}, window), IsEmpty());
}

TEST(HotSpots, GainNoMoreThanThereAreWriters) {
  const Window window = {{votes_of(1), contended(0, 300, 3)}};
  EXPECT_EQ(hot_spots({}, window).front().expected_gain, 3);
}

TEST(HotSpots, ThatAreReadMuchGetFewShards) {
  Activity activity = contended(100, 300, 60);
  const auto annotation = [&] { return hot_spots({}, {{votes_of(1), activity}}).front().annotation; };
  EXPECT_THAT(annotation(), HasSubstr("shards = 64"));
  activity.gets = 20'000;
  EXPECT_THAT(annotation(), HasSubstr("shards = 8"));
  activity.gets = 1e6;
  EXPECT_THAT(annotation(), HasSubstr("shards = 2"));
}

}  // namespace
}  // namespace autoshard::detail
