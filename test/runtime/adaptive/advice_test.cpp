#include <autoshard/activity.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

namespace autoshard::test {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

PropertyActivity sharded(std::uint32_t shards, double commits, double conflicts) {
  return {.entity = "Question 42",
          .property = "votes",
          .is_sharded = true,
          .shards = shards,
          .most = shards,
          .writers = 2,
          .updates = commits,
          .commits = commits,
          .conflicts = conflicts};
}

std::vector<PropertyActivity> in_main_record(double saves, double conflicts, std::uint32_t writers) {
  return {{.entity = "Question 42",
           .writers = writers,
           .updates = saves,
           .commits = saves,
           .conflicts = conflicts},
          {.entity = "Question 42", .property = "votes", .writers = writers, .conflicts = conflicts}};
}

TEST(Advice, IsEmptyIfNothingIsWrong) {
  EXPECT_THAT(advise({}), IsEmpty());
  EXPECT_THAT(advise(std::vector{sharded(4, 100'000, 0)}), IsEmpty());
  EXPECT_THAT(advise(std::vector{sharded(4, 1'000, 50)}), IsEmpty()) << "5 % are no matter";
  EXPECT_THAT(advise(std::vector{sharded(4, 5, 5)}), IsEmpty()) << "5 a second are no matter";
  EXPECT_THAT(advise(in_main_record(1'000, 5, 8)), IsEmpty());
}

TEST(Advice, ShardsAPropertyOfTheMainRecord) {
  const std::vector<Advice> advice = advise(in_main_record(100, 300, 6));
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].entity, "Question 42");
  EXPECT_EQ(advice[0].property, "votes");
  EXPECT_EQ(advice[0].problem,
            "75 % of 400 saves a second fail, because another save has changed 'votes' meanwhile.");
  EXPECT_EQ(advice[0].remedy,
            "Shard 'votes' if its updates commute, and mark the methods that update it with "
            "[[autoshard::shard_method]]: up to 3.6 times as many updates.");
  EXPECT_EQ(advice[0].annotation, "[[autoshard::shardable(neutral = …, shards = 8)]]");
  EXPECT_EQ(advice[0].conflicts, 300);
}

TEST(Advice, AddsShardsWhereTheyStillConflict) {
  const std::vector<Advice> advice = advise(std::vector{sharded(4, 600, 200)});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].problem, "25 % of 800 transactions a second fail on its 4 shards.");
  EXPECT_THAT(advice[0].remedy, HasSubstr("Use 8 shards"));
  EXPECT_EQ(advice[0].annotation, "[[autoshard::shardable(neutral = …, shards = 8)]]");
}

TEST(Advice, CountsWriters) {
  PropertyActivity one = sharded(1, 600, 200);
  one.writers = 30;
  const std::vector<Advice> advice = advise(std::vector{one});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_THAT(advice[0].problem, HasSubstr("its only shard"));
  EXPECT_THAT(advice[0].annotation, HasSubstr("shards = 32"));
}

TEST(Advice, LeavesAdaptiveNumbersToTheRulesUpToTheirLimit) {
  PropertyActivity adaptive = sharded(4, 600, 200);
  adaptive.is_adaptive = true;
  adaptive.most = 16;
  EXPECT_THAT(advise(std::vector{adaptive}), IsEmpty());
  adaptive.most = 4;
  const std::vector<Advice> advice = advise(std::vector{adaptive});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].annotation, "[[autoshard::shardable(neutral = …, shards = adaptive(1, 8))]]");
}

TEST(Advice, SuggestsNoMoreThan64Shards) {
  const std::vector<Advice> advice = advise(std::vector{sharded(64, 600, 200)});
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].annotation, "");
  EXPECT_THAT(advice[0].remedy, HasSubstr("fewer processes"));
}

TEST(Advice, RemovesShardsThatAreHardlyUpdated) {
  const std::vector<PropertyActivity> quiet = {sharded(16, 2, 0)};
  EXPECT_THAT(advise(quiet), IsEmpty()) << "it is not known for how long";
  const std::vector<Advice> advice = advise(quiet, quiet);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].problem, "At most 2.0 updates a second need one shard, but each load reads 16.");
  EXPECT_EQ(advice[0].annotation, "[[autoshard::shardable(neutral = …, shards = adaptive)]]");
  EXPECT_EQ(advice[0].conflicts, 0);
}

TEST(Advice, RemovesNoShardsThatAreNeededOrFollowTheLoad) {
  const std::vector<PropertyActivity> quiet = {sharded(16, 2, 0)};
  EXPECT_THAT(advise(std::vector{sharded(16, 500, 0)}, quiet), IsEmpty()) << "it is busy now";
  EXPECT_THAT(advise({}, std::vector{sharded(1, 2, 0)}), IsEmpty());
  PropertyActivity adaptive = sharded(16, 2, 0);
  adaptive.is_adaptive = true;
  PropertyActivity group = sharded(16, 2, 0);
  group.is_group = true;
  EXPECT_THAT(advise({}, std::vector{adaptive, group}), IsEmpty());
}

TEST(Advice, IsTheWorstFirst) {
  PropertyActivity worse = sharded(4, 100, 500);
  worse.entity = "Question 7";
  PropertyActivity quiet = sharded(4, 1, 0);
  quiet.entity = "Question 8";
  const std::vector<PropertyActivity> highest = {quiet};
  const auto is = [](const char* entity) { return Field(&Advice::entity, entity); };
  EXPECT_THAT(advise(std::vector{sharded(4, 100, 300), worse}, highest),
              ElementsAre(is("Question 7"), is("Question 42"), is("Question 8")));
}

TEST(Advice, GoesByTheRules) {
  EXPECT_THAT(advise(std::vector{sharded(4, 600, 200)}, {}, {.conflicts_per_second = 1'000}), IsEmpty());
  EXPECT_THAT(advise(std::vector{sharded(4, 600, 200)}, {}, {.conflict_share = 0.5}), IsEmpty());
}

}  // namespace
}  // namespace autoshard::test
