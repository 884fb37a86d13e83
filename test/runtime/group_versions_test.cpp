// Programs of two versions of a class use one store at the same time, as during a rolling upgrade: nothing
// that either of them has acknowledged is lost, whatever compaction does in between.

#include <autoshard/autoshard.h>
#include <autoshard/detail/id.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compaction.h"
#include "context.h"
#include "entities/types/course.autoshard.h"
#include "group_versions_fixture.h"
#include "keys.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

INSTANTIATE_TEST_SUITE_P(Stores, GroupVersionsTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(GroupVersionsTest, EachCompactionKeepsWhatEarlierOnesAdopted) {
  mapper_.save(Sharded(1));
  std::vector<std::string> expected;
  for (int round = 0; round < 3; ++round) {
    for (const char* name : {"a", "b"}) {
      expected.push_back(name + std::to_string(round));
      mapper_.apply<&Sharded::add_post>(1, expected.back());
    }
    EXPECT_EQ(load<Grouped>().posts(), expected);
    admin::compact<Grouped>(mapper_, 1);
    EXPECT_EQ(load<Grouped>().posts(), expected);
    EXPECT_EQ(paged<Grouped>(), expected);
  }
  EXPECT_THAT(load<Sharded>().posts(), SizeIs(expected.size())) << "of the earlier version";
}

TEST_P(GroupVersionsTest, ElementsOfAShardThatWereErasedLeaveTheirIdsToNoOthers) {
  mapper_.save(Sharded(1));
  mapper_.apply<&Sharded::add_post>(1, "erased");
  admin::compact<Grouped>(mapper_, 1);
  const ElementId erased = (*mapper_.elements(1, Fields<Grouped>::posts).begin()).id;
  ASSERT_TRUE(mapper_.erase_element(1, Fields<Grouped>::posts, erased));
  mapper_.apply<&Sharded::add_post>(1, "another");
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_FALSE(mapper_.erase_element(1, Fields<Grouped>::posts, erased));
  EXPECT_THAT(load<Grouped>().posts(), ElementsAre("another"));
}

TEST_P(GroupVersionsTest, EachCompactionKeepsWhatEarlierOnesAdoptedUnderAFormerName) {
  mapper_.save(Sharded(1));
  std::vector<std::string> expected;
  for (int round = 0; round < 3; ++round) {
    expected.push_back("post" + std::to_string(round));
    mapper_.apply<&Sharded::add_post>(1, expected.back());
    admin::compact<RenamedEarlier>(mapper_, 1);
    EXPECT_EQ(load<RenamedEarlier>().posts(), expected);
  }
}

TEST_P(GroupVersionsTest, WhatAnUnshardedVersionSavesIsThereOnce) {
  mapper_.save(UnshardedTopic(1));
  save_unsharded([](UnshardedTopic& topic) { topic.add_post("first"); });
  auto loaded_before = mapper_.load<UnshardedTopic>(1).value();
  admin::compact<Grouped>(mapper_, 1);
  loaded_before.add_post("second");
  EXPECT_THROW(mapper_.save(loaded_before), StaleEntity);
  EXPECT_THAT(load<Grouped>().posts(), ElementsAre("first"));
  save_unsharded([](UnshardedTopic& topic) { topic.add_post("second"); });
  EXPECT_THAT(load<Grouped>().posts(), ElementsAre("first", "second"));
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_THAT(load<Grouped>().posts(), ElementsAre("first", "second"));
  EXPECT_THAT(paged<Grouped>(), ElementsAre("first", "second"));
}

TEST_P(GroupVersionsTest, NoElementOfAnExpiredEntityIsErased) {
  using school::Course;
  const auto ratings = Fields<Course>::ratings;
  school::Time now{};
  Mapper mapper(*store_, {.compact_every = std::chrono::milliseconds(0), .clock = [&] { return now; }});
  Course course(1);
  course.until = now + std::chrono::hours(1);
  mapper.save(course);
  mapper.apply<&Course::rate>(1, "Ann", 5);
  const ElementId id = mapper.elements(1, ratings).begin()->id;
  const auto transaction = store_->begin();  // by an earlier version
  transaction->put(detail::shard_key(detail::entity_key("Course", 1), "ratings", 0),
                   "\x91\x81\xA3"
                   "Ann\x05");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  now += std::chrono::hours(2);
  EXPECT_FALSE(mapper.erase_element(1, ratings, id));
}

TEST_P(GroupVersionsTest, AnElementThatIsVoidIsNeitherErasedNorReplaced) {
  mapper_.save(Replacing(1));
  mapper_.update<Grouped>(1, [](auto& topic) { topic.rate("ann", 5); });
  const ElementId id = (*mapper_.elements(1, Fields<Grouped>::stars).begin()).id;
  mapper_.update<Replacing>(1, [](auto& topic) { topic.rate_anew("bob", 3); });
  EXPECT_THROW(mapper_.replace_element(1, Fields<Grouped>::stars, id, {"ann", 1}), NotFound);
  EXPECT_FALSE(mapper_.erase_element(1, Fields<Grouped>::stars, id));
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("bob", 3)));
}

TEST_P(GroupVersionsTest, WhatAnUnshardedVersionSavedIsVoidOnceAnotherHasReplacedIt) {
  UnshardedTopic topic(1);
  topic.add_post("first");
  topic.rate("ann", 5);
  mapper_.save(topic);
  mapper_.update<Replacing>(1, [](auto& of) {
    of.post_anew("second");
    of.rate_anew("bob", 3);
  });
  for (const bool compacts : {false, true}) {
    if (compacts) admin::compact<Grouped>(mapper_, 1);
    EXPECT_THAT(load<Grouped>().posts(), ElementsAre("second"));
    EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("bob", 3)));
    for (const Grouped& found : mapper_.query<Grouped>()) EXPECT_THAT(found.posts(), ElementsAre("second"));
    mapper_.transact([](EntityTransaction& transaction) {
      const Grouped found = transaction.load<Grouped>(1).value();
      EXPECT_THAT(found.posts(), ElementsAre("second"));
      EXPECT_THAT(found.stars(), ElementsAre(Pair("bob", 3)));
    });
  }
  EXPECT_THAT(paged<Grouped>(), ElementsAre("second"));
}

TEST_P(GroupVersionsTest, AQueryReadsWhatAnUnshardedVersionSavedOfTheFieldsThatItSelects) {
  UnshardedTopic topic(1);
  topic.add_post("first");
  topic.rate("ann", 5);
  mapper_.save(topic);
  int rows = 0;
  for (const auto& [stars] : mapper_.query<Grouped>().select(Fields<Grouped>::stars)) {
    EXPECT_THAT(stars, ElementsAre(Pair("ann", 5)));
    ++rows;
  }
  EXPECT_EQ(rows, 1);
}

// Processes make ids of their own, so that it takes another hand for two elements to have one id.
TEST_P(GroupVersionsTest, AnElementWhoseIdIsTakenUnderTheNewNameStays) {
  mapper_.save(Grouped(1));
  mapper_.apply<&Grouped::add_post>(1, "former");
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  const auto former =
      records(*store_, detail::shard_key(key, "posts", 0), detail::end_of_property(key, "posts"));
  ASSERT_THAT(former, SizeIs(1));
  const auto id = detail::read_shard_key(key, former[0].first).value();
  std::string record;
  Encoder out(record);
  out.array(1);
  out.array(1);
  out.text("today");
  const auto transaction = store_->begin();
  transaction->put(detail::RecordKey(detail::shard_key(key, "articles", id.shard.value()), id.element),
                   record);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  admin::compact<RenamedEarlier>(mapper_, 1);
  EXPECT_THAT(load<RenamedEarlier>().posts(), ::testing::UnorderedElementsAre("today", "former"));
  EXPECT_THAT(paged<RenamedEarlier>(), ::testing::UnorderedElementsAre("today", "former"));
}

/// Whoever comes second finds no part any more that the first has adopted.
TEST_P(GroupVersionsTest, TwoCompactionsAdoptEachPartOnce) {
  for (const bool is_sharded : {true, false}) {
    SCOPED_TRACE(is_sharded);
    if (is_sharded) {
      mapper_.save(Sharded(1));
      mapper_.apply<&Sharded::add_post>(1, "post");
      mapper_.apply<&Sharded::rate>(1, "ann", 5);
    } else {
      UnshardedTopic topic(1);
      topic.add_post("post");
      topic.rate("ann", 5);
      mapper_.save(topic);
    }
    FaultyStore faulty(*store_);
    bool is_first = true;
    faulty.before_commit([&](int) {
      if (std::exchange(is_first, false)) admin::compact<Grouped>(mapper_, 1);
      return Fate::kCommits;
    });
    Mapper mapper(faulty, {.compact_every = std::chrono::milliseconds(0)});
    EXPECT_EQ(admin::compact<Grouped>(mapper, 1), 0u);
    EXPECT_FALSE(is_first);
    EXPECT_THAT(load<Grouped>().posts(), ElementsAre("post"));
    EXPECT_THAT(paged<Grouped>(), ElementsAre("post"));
    EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 5)));
    mapper_.erase<Grouped>(1);
  }
}

TEST_P(GroupVersionsTest, AVoidElementThatIsWrittenAnewMeanwhileIsKept) {
  mapper_.save(Replacing(1));
  mapper_.apply<&Grouped::rate>(1, "ann", 5);
  mapper_.update<Replacing>(1, [](auto& topic) { topic.rate_anew("bob", 3); });
  FaultyStore faulty(*store_);
  faulty.before_commit([&](int nth) {
    if (nth == 1) mapper_.apply<&Grouped::rate>(1, "ann", 7);  // under the key of the void one
    return Fate::kCommits;
  });
  Mapper mapper(faulty, {.compact_every = std::chrono::milliseconds(0)});
  EXPECT_EQ(admin::compact<Grouped>(mapper, 1), 1u) << "the shard with bob";
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 7), Pair("bob", 3)));
  EXPECT_EQ(admin::compact<Grouped>(mapper_, 1), 0u);
}

TEST_P(GroupVersionsTest, NothingIsAdoptedThatMayNotBe) {
  UnshardedTopic topic(1);
  topic.add_post("post");
  mapper_.save(topic);
  mapper_.apply<&Sharded::add_post>(1, "another");
  const auto before = records(*store_);
  detail::MapperContext context(*store_, {});
  int asked = 0;
  EXPECT_EQ(detail::compact(context, detail::kEntityType<Grouped>, detail::entity_key("Topic", 1),
                            [&] {
                              ++asked;
                              return false;
                            }),
            0u);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(records(*store_), before);
}

TEST_P(GroupVersionsTest, BucketsOfAWindowAreAdoptedAsShardsAre) {
  mapper_.save(Windowed(1));
  mapper_.apply<&Windowed::review>(1, "ann", 5, "a");
  const std::string ann = [&] {
    mapper_.apply<&Grouped::rate>(1, "ann", 3);
    for (const auto& [id, rating] : mapper_.elements(1, forum::stars_of<Grouped>())) return id.text();
    return std::string();
  }();
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 3)))
      << "an element is later than what is none";
  EXPECT_THAT(load<Grouped>().posts(), ElementsAre("a"));
  mapper_.apply<&Windowed::review>(1, "bob", 4, "b");
  EXPECT_TRUE(mapper_.erase_element(1, forum::stars_of<Grouped>(), ElementId(ann)));
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("bob", 4)));
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("bob", 4)));
  EXPECT_THAT(load<Grouped>().posts(), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(paged<Grouped>(), UnorderedElementsAre("a", "b"));
  EXPECT_EQ(mapper_.elements(1, forum::stars_of<Grouped>()).page().rows.size(), 1U);
  EXPECT_EQ(admin::compact<Grouped>(mapper_, 1), 0U) << "all is adopted";
}

}  // namespace
}  // namespace autoshard::test
