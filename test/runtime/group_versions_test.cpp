// Programs of two versions of a class use one store at the same time, as during a rolling upgrade: nothing
// that either of them has acknowledged is lost, whatever compaction does in between.

#include <autoshard/autoshard.h>
#include <autoshard/detail/id.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compaction.h"
#include "context.h"
#include "entities/types/course.autoshard.h"
#include "entities/versions/topic.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

using forum::UnshardedTopic;
using Dynamic = forum::DynamicTopic;
using Grouped = forum::GroupedTopic;
using RenamedEarlier = forum::RenamedEarlierTopic;
using RenamedLater = forum::RenamedLaterTopic;
using Replacing = forum::ReplacingTopic;
using Sharded = forum::ShardedTopic;
using Windowed = forum::WindowedTopic;

class GroupVersionsTest : public StoreTest {
 protected:
  template <class E>
  E load() {
    return mapper_.load<E>(1).value();
  }
  template <class E>
  std::vector<std::string> paged() {
    std::vector<std::string> texts;
    for (const auto& [id, text] : mapper_.elements(1, forum::posts_of<E>())) texts.push_back(text);
    return texts;
  }
  /// Adds to what an unsharded class has, as its programs do.
  template <class Change>
  void save_unsharded(Change change) {
    auto topic = mapper_.load<UnshardedTopic>(1).value();
    change(topic);
    mapper_.save(topic);
  }

  Mapper mapper_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
};
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

TEST_P(GroupVersionsTest, OfAMapsKeyWhatAnEarlierVersionWritesLaterCounts) {
  mapper_.save(Sharded(1));
  for (int stars = 1; stars < 4; ++stars) {
    mapper_.apply<&Sharded::rate>(1, "ann", stars);
    EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", stars)));
    admin::compact<Grouped>(mapper_, 1);
    EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", stars)));
  }
  mapper_.apply<&Grouped::rate>(1, "ann", 4);
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 4)));
}

TEST_P(GroupVersionsTest, OfAMapsKeyWhatAnEarlierVersionReplacesIsVoid) {
  mapper_.save(Replacing(1));
  mapper_.update<Grouped>(1, [](auto& topic) { topic.rate("ann", 5); });
  mapper_.update<Replacing>(1, [](auto& topic) { topic.rate_anew("ann", 3); });
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 3)));
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 3)));
}

/// The reader's key has an element, and then also a part that an earlier version writes.
TEST_P(GroupVersionsTest, AnErasedElementOfAMapStaysErased) {
  const auto expect_erased = [&]<class Later>(std::type_identity<Later>, const char* version, auto rate) {
    const auto stars = forum::stars_of<Later>();
    mapper_.save(Later(1));
    const auto expect_erased_after = [&](auto begin) {
      begin();
      rate();
      EXPECT_TRUE(mapper_.erase_element(1, stars, (*mapper_.elements(1, stars).begin()).id)) << version;
      EXPECT_THAT(load<Later>().stars(), IsEmpty()) << version;
      admin::compact<Later>(mapper_, 1);
      EXPECT_THAT(load<Later>().stars(), IsEmpty()) << version;
    };
    expect_erased_after([&] { mapper_.apply<&Later::rate>(1, "Ann", 1); });
    expect_erased_after([&] {
      rate();
      admin::compact<Later>(mapper_, 1);
    });
    mapper_.erase<Later>(1);
  };
  constexpr std::type_identity<Grouped> kGrouped;
  constexpr std::type_identity<RenamedEarlier> kRenamed;
  const auto by_sharded = [&] { mapper_.apply<&Sharded::rate>(1, "Ann", 2); };
  expect_erased(kGrouped, "one shard", by_sharded);
  expect_erased(kRenamed, "one shard, under a former name", by_sharded);
  expect_erased(kGrouped, "shards", [&] { mapper_.apply<&forum::SpreadTopic::rate>(1, "Ann", 2); });
  expect_erased(kGrouped, "deltas", [&] { mapper_.apply<&Dynamic::rate>(1, "Ann", 2); });
  expect_erased(kGrouped, "no shards",
                [&] { save_unsharded([](UnshardedTopic& topic) { topic.rate("Ann", 2); }); });
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

TEST_P(GroupVersionsTest, OfAMapsKeyWhatADynamicVersionWritesLaterCounts) {
  mapper_.save(Dynamic(1));
  for (int stars = 1; stars < 4; ++stars) {
    mapper_.apply<&Dynamic::rate>(1, "ann", stars);
    EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", stars)));
    admin::compact<Grouped>(mapper_, 1);
    EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", stars)));
  }
}

TEST_P(GroupVersionsTest, OfAMapsKeyWhatAnUnshardedVersionSavesLaterCounts) {
  mapper_.save(UnshardedTopic(1));
  for (int stars = 1; stars < 4; ++stars) {
    save_unsharded([&](UnshardedTopic& topic) { topic.rate("ann", stars); });
    EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", stars)));
    admin::compact<Grouped>(mapper_, 1);
    EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", stars)));
  }
}

TEST_P(GroupVersionsTest, OfAMapNothingIsAdoptedBeforeAPartThatIsTooLarge) {
  mapper_.save(Dynamic(1));
  mapper_.update<Dynamic>(1, [](auto& topic) {
    topic.rate("ann", 1);
    for (int i = 0; i < 100; ++i) topic.rate("reader " + std::to_string(i), i);
  });
  mapper_.apply<&Dynamic::rate>(1, "ann", 2);
  FaultyStore faulty(*store_);
  faulty.limit_commits(1000, FaultyStore::Limit::kTold);
  Mapper limited(faulty, {.compact_every = std::chrono::milliseconds(0)});
  admin::compact<Grouped>(limited, 1);
  EXPECT_EQ(load<Grouped>().stars().at("ann"), 2);
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_EQ(load<Grouped>().stars().at("ann"), 2);
}

/// Both orders of the names of a group that was renamed.
template <class Renamed>
void expect_that_the_last_value_counts(Mapper& mapper) {
  const auto expect_stars = [&](int stars) {
    EXPECT_THAT(mapper.load<Renamed>(1).value().stars(), ElementsAre(Pair("ann", stars)));
    for (const Renamed& topic : mapper.query<Renamed>())
      EXPECT_THAT(topic.stars(), ElementsAre(Pair("ann", stars)));
  };
  mapper.save(Grouped(1));
  int stars = 0;
  for (const bool compacts : {false, true, false, true}) {
    mapper.apply<&Grouped::rate>(1, "ann", ++stars);
    expect_stars(stars);
    if (compacts) admin::compact<Renamed>(mapper, 1);
    expect_stars(stars);
    mapper.apply<&Renamed::rate>(1, "ann", ++stars);
    expect_stars(stars);
    if (compacts) admin::compact<Renamed>(mapper, 1);
    expect_stars(stars);
  }
  mapper.apply<&Grouped::rate>(1, "ann", ++stars);
  const auto elements = mapper.elements(1, forum::stars_of<Renamed>());
  const ElementId id = (*elements.begin()).id;
  mapper.replace_element(1, forum::stars_of<Renamed>(), id, {"ann", ++stars});
  expect_stars(stars);
  mapper.apply<&Grouped::rate>(1, "ann", ++stars);
  expect_stars(stars);
  EXPECT_TRUE(mapper.erase_element(1, forum::stars_of<Renamed>(), id));
  EXPECT_THAT(mapper.load<Renamed>(1).value().stars(), IsEmpty());
  mapper.erase<Renamed>(1);
}

TEST_P(GroupVersionsTest, OfAMapsKeyTheLastValueCountsAfterARename) {
  expect_that_the_last_value_counts<RenamedEarlier>(mapper_);
  expect_that_the_last_value_counts<RenamedLater>(mapper_);
}

// What FORMAT.md says of marks. They stand behind the epoch.
TEST_P(GroupVersionsTest, TheRecordOfAnElementSaysHowOldItIs) {
  const auto mark_of_ann = [&](std::string_view property) {
    detail::RecordKey element;
    std::string record;
    element.set_equal_element(detail::entity_key("Topic", 1), property,
                              "\xA3"
                              "ann");
    EXPECT_TRUE(store_->snapshot()->get(element, record));
    const std::string container =
        "\x81\xA3"
        "ann\x01";
    return record.substr(record.find(container) + container.size());
  };
  mapper_.save(Sharded(1));
  mapper_.apply<&Sharded::rate>(1, "ann", 1);
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_EQ(mark_of_ann("stars"), std::string("\0\0", 2));
  admin::compact<RenamedEarlier>(mapper_, 1);
  EXPECT_EQ(mark_of_ann("marks"), std::string("\0\0", 2));
  mapper_.apply<&RenamedEarlier::rate>(1, "ann", 1);
  EXPECT_EQ(mark_of_ann("marks"), std::string("\0\1", 2));
  mapper_.apply<&Grouped::rate>(1, "ann", 1);
  EXPECT_EQ(mark_of_ann("stars"), "");
  admin::compact<RenamedEarlier>(mapper_, 1);
  EXPECT_EQ(mark_of_ann("marks"), std::string("\0\1", 2));
}

// Records of a release that did not note which element is the last.
TEST_P(GroupVersionsTest, OfAMapsKeyAnElementThatSaysNothingCountsBeforeAFormerOne) {
  mapper_.save(Grouped(1));
  mapper_.apply<&Grouped::rate>(1, "ann", 1);
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  detail::RecordKey element;
  std::string record;
  element.set_equal_element(key, "marks",
                            "\xA3"
                            "ann");
  Encoder out(record);
  out.array(1);
  out.map(1);
  out.text("ann");
  out.integer(2);
  const auto transaction = store_->begin();
  transaction->put(element, record);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  for (const bool compacts : {false, true}) {
    if (compacts) admin::compact<RenamedEarlier>(mapper_, 1);
    EXPECT_THAT(load<RenamedEarlier>().stars(), ElementsAre(Pair("ann", 2)));
  }
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
