// Collections whose elements are records of their own.

#include <autoshard/autoshard.h>
#include <autoshard/detail/id.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "controlled_store.h"
#include "entities/groups/thread.autoshard.h"
#include "group_fixture.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

using q = Fields<Topic>;

INSTANTIATE_TEST_SUITE_P(Stores, GroupTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(GroupTest, ElementsComeBackInTheOrderInWhichTheyWereAdded) {
  mapper_.save(Topic(1));
  Texts expected;
  for (int i = 0; i < 50; ++i) {
    expected.push_back("post " + std::to_string(i));
    mapper_.apply<&Topic::add_post>(1, expected.back());
  }
  EXPECT_EQ(load().texts(), expected);
  EXPECT_THAT(elements("posts"), SizeIs(50));
}

TEST_P(GroupTest, AnUpdateKeepsTheOrderOfItsElements) {
  mapper_.save(Topic(1));
  mapper_.update<Topic>(1, [](auto& topic) {
    for (const char* text : {"a", "b", "c", "d", "e", "f"}) topic.add_post(text);
  });
  EXPECT_EQ(load().texts(), (Texts{"a", "b", "c", "d", "e", "f"}));
  EXPECT_THAT(elements("posts"), SizeIs(6));
}

TEST_P(GroupTest, ElementsOfANewEntityAreRecordsToo) {
  mapper_.save(Topic(1, {{"first"}, {"second"}}));
  EXPECT_THAT(elements("posts"), SizeIs(2));
  mapper_.apply<&Topic::add_post>(1, "third");
  EXPECT_EQ(load().texts(), (Texts{"first", "second", "third"}));
}

TEST_P(GroupTest, ALoadedEntityWritesWhatWasAddedToItAndNoMore) {
  mapper_.save(Topic(1, {{"first"}}));
  const auto before = elements("posts");
  Topic topic = load();
  topic.add_post("second");
  topic.view();
  mapper_.apply<&Topic::add_post>(1, "meanwhile");
  mapper_.save(topic);
  EXPECT_EQ(load().texts(), (Texts{"first", "meanwhile", "second"}));
  EXPECT_EQ(load().views(), 1);
  const auto after = elements("posts");
  EXPECT_THAT(after, SizeIs(3));
  EXPECT_THAT(after, ::testing::Contains(before.front()));
}

TEST_P(GroupTest, ASaveOfOtherPropertiesLeavesTheElementsAlone) {
  mapper_.save(Topic(1, {{"first"}}));
  Topic topic = load();
  topic.set_title("of interest");
  ControlledStore controlled(*store_);
  Mapper other(controlled);
  controlled.open([](Transaction& transaction, const ControlledStore::Keys& keys) {
    EXPECT_THAT(keys, ElementsAre(detail::main_key(detail::entity_key("Topic", 1))));
    return transaction.commit();
  });
  other.save(topic);
  EXPECT_EQ(controlled.commits_so_far(), 1);
  EXPECT_EQ(load().title(), "of interest");
  EXPECT_EQ(load().texts(), Texts{"first"});
}

TEST_P(GroupTest, EqualElementsOfASetAreOneRecord) {
  mapper_.save(Topic(1));
  for (const char* reader : {"ann", "bob", "ann"}) mapper_.apply<&Topic::read_by>(1, reader);
  EXPECT_THAT(load().readers(), ElementsAre("ann", "bob"));
  EXPECT_EQ(load().views(), 3);
  EXPECT_THAT(elements("readers"), SizeIs(2));
}

TEST_P(GroupTest, TheValueOfAMapsKeyIsTheOneWrittenLast) {
  mapper_.save(Topic(1));
  mapper_.apply<&Topic::rate>(1, "ann", 2);
  mapper_.apply<&Topic::rate>(1, "bob", 5);
  mapper_.apply<&Topic::rate>(1, "ann", 4);
  EXPECT_THAT(load().stars(), ElementsAre(Pair("ann", 4), Pair("bob", 5)));
  EXPECT_THAT(elements("stars"), SizeIs(2));
}

TEST_P(GroupTest, AnUpdateReadsNoElementAndConflictsWithNoOther) {
  mapper_.save(Topic(1));
  FaultyStore faulty(*store_);
  Mapper mapper(faulty, {.retry = RetryPolicy::none(), .compact_every = std::chrono::milliseconds(0)});
  faulty.before_commit([&](int) {
    mapper_.apply<&Topic::rate>(1, "ann", 1);
    return Fate::kCommits;
  });
  mapper.apply<&Topic::rate>(1, "ann", 2);
  EXPECT_THAT(load().stars(), ElementsAre(Pair("ann", 2)));
  EXPECT_EQ(admin::counters(mapper).conflicts, 0U);
}

TEST_P(GroupTest, EraseRemovesTheElementsAndNoLaterEntityHasThem) {
  mapper_.save(Topic(1, {{"first"}}));
  mapper_.apply<&Topic::read_by>(1, "ann");
  EXPECT_TRUE(mapper_.erase<Topic>(1));
  EXPECT_THAT(records(*store_), IsEmpty());
  EXPECT_THROW(mapper_.apply<&Topic::add_post>(1, "late"), NotFound);
  mapper_.save(Topic(1));
  EXPECT_THAT(load().posts(), IsEmpty());
}

TEST_P(GroupTest, AnElementThatMeetsAnEraseIsNotWritten) {
  mapper_.save(Topic(1));
  FaultyStore faulty(*store_);
  Mapper mapper(faulty, {.compact_every = std::chrono::milliseconds(0)});
  faulty.before_commit([&](int) {
    mapper_.erase<Topic>(1);
    return Fate::kCommits;
  });
  EXPECT_THROW(mapper.apply<&Topic::add_post>(1, "late"), NotFound);
  EXPECT_THAT(records(*store_), IsEmpty());
}

TEST_P(GroupTest, CompactionLeavesElementsAlone) {
  mapper_.save(Topic(1));
  for (int i = 0; i < 40; ++i) mapper_.apply<&Topic::add_post>(1, std::to_string(i));
  const auto before = elements("posts");
  EXPECT_EQ(admin::compact<Topic>(mapper_, 1), 0U);
  EXPECT_EQ(admin::compact<Topic>(mapper_), 0U);
  EXPECT_EQ(elements("posts"), before);
}

TEST_P(GroupTest, TheNumberOfGroupsIsThatOfTheAnnotation) {
  mapper_.save(Topic(1));
  EXPECT_THROW(admin::set_shards<Topic>(mapper_, 1, "posts", 16), InvalidUse);
  EXPECT_THROW(admin::increase_shards<Topic>(mapper_, 1, "readers", 16), InvalidUse);
  EXPECT_EQ(admin::shards<Topic>(mapper_, 1, "posts"), 8U);
}

TEST_P(GroupTest, ElementsSpreadOverAllGroups) {
  mapper_.save(Topic(1));
  for (int i = 0; i < 500; ++i) mapper_.apply<&Topic::add_post>(1, "x");
  std::set<std::uint16_t> groups;
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  for (const auto& [record, value] : elements("posts"))
    groups.insert(detail::read_shard_key(key, record)->shard.value());
  EXPECT_EQ(groups, (std::set<std::uint16_t>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_P(GroupTest, ATokenAddsAnElementOnce) {
  mapper_.save(Topic(1));
  for (int i = 0; i < 3; ++i) mapper_.apply<&Topic::add_post>(1, token{"request 17"}, "once");
  EXPECT_EQ(load().texts(), Texts{"once"});
}

TEST_P(GroupTest, AsynchronousAndBufferedElementsKeepTheirOrder) {
  mapper_.save(Topic(1));
  Texts expected;
  {
    Mapper buffering(*store_, {.durability = durability::buffered{std::chrono::hours(1)}});
    for (int i = 0; i < 20; ++i) {
      expected.push_back(std::to_string(i));
      buffering.apply<&Topic::add_post>(1, expected.back());
    }
    buffering.flush();
    for (int i = 20; i < 40; ++i) {
      expected.push_back(std::to_string(i));
      static_cast<void>(buffering.apply_async<&Topic::add_post>(1, expected.back()));
    }
  }
  EXPECT_EQ(load().texts(), expected);
}

TEST_P(GroupTest, ATransactionSeesAndSavesElements) {
  mapper_.save(Topic(1, {{"first"}}));
  mapper_.transact([](EntityTransaction& transaction) {
    Topic topic = transaction.load<Topic>(1).value();
    topic.add_post("second");
    transaction.save(topic);
    transaction.apply<&Topic::add_post>(1, "third");
    EXPECT_EQ(transaction.load<Topic>(1).value().texts(), (Texts{"first", "second", "third"}));
    transaction.save(Topic(2, {{"other"}}));
    EXPECT_EQ(transaction.load<Topic>(2).value().texts(), Texts{"other"});
  });
  EXPECT_EQ(load().texts(), (Texts{"first", "second", "third"}));
  EXPECT_EQ(mapper_.load<Topic>(2).value().texts(), Texts{"other"});
}

TEST_P(GroupTest, BatchesHaveTheirElements) {
  std::vector<Topic> topics;
  for (int id = 1; id <= 3; ++id) topics.emplace_back(id, std::vector<forum::Post>{{"first"}});
  mapper_.save(topics);
  for (Topic& topic : topics) topic.add_post("second");
  mapper_.save(topics);
  for (const auto& topic : mapper_.load<Topic>(std::vector{1, 2, 3}))
    EXPECT_EQ(topic.value().texts(), (Texts{"first", "second"}));
  EXPECT_EQ(mapper_.erase<Topic>(std::vector{1, 2, 3}), 3U);
  EXPECT_THAT(records(*store_), IsEmpty());
}

TEST_P(GroupTest, ACachedLoadIsDroppedByANewElement) {
  mapper_.save(Topic(1, {{"first"}}));
  const cached how(std::chrono::hours(1));
  EXPECT_THAT(mapper_.load<Topic>(1, how).value().posts(), SizeIs(1));
  mapper_.apply<&Topic::add_post>(1, "second");
  EXPECT_THAT(mapper_.load<Topic>(1, how).value().posts(), SizeIs(2));
}

TEST_P(GroupTest, QueriesSeeTheElements) {
  for (int id = 1; id <= 3; ++id) mapper_.save(Topic(id));
  mapper_.apply<&Topic::read_by>(2, "ann");
  mapper_.apply<&Topic::read_by>(3, "ann");
  mapper_.apply<&Topic::read_by>(3, "bob");
  for (const char* text : {"a", "b", "c"}) mapper_.apply<&Topic::add_post>(3, text);
  EXPECT_EQ(mapper_.query<Topic>(q::readers.contains("ann")).count(), 2U);
  EXPECT_EQ(mapper_.query<Topic>(q::stars.contains("ann")).count(), 0U);
  for (const Topic& topic : mapper_.query<Topic>(q::readers.contains("bob") && q::views == 2))
    EXPECT_EQ(topic.texts(), (Texts{"a", "b", "c"}));
  std::size_t rows = 0;
  for (const auto& [id, posts] :
       mapper_.query<Topic>(q::posts.contains(forum::Post{"b"})).select(q::id, q::posts)) {
    EXPECT_EQ(id, 3);
    EXPECT_THAT(posts, SizeIs(3));
    ++rows;
  }
  EXPECT_EQ(rows, 1U);
}

TEST_P(GroupTest, OfACompanionThatTheGeneratorMade) {
  using forum::Thread;
  using fields = Fields<Thread>;
  Thread thread(1, "ann", "news");
  thread.respond({"a", "ann"});
  mapper_.save(thread);
  mapper_.apply<&Thread::respond>(1, forum::Response{"b", "bob"});
  mapper_.apply<&Thread::tag>(1, "hot");
  mapper_.apply<&Thread::note>(1, 7, "seven");
  Thread loaded = mapper_.load<Thread>(1).value();
  loaded.respond({"c", "cat"});
  mapper_.save(loaded);
  const auto page = mapper_.elements(1L, fields::responses).limit(2).page();
  ASSERT_THAT(page.rows, SizeIs(2));
  EXPECT_EQ(page.rows[0].value, (forum::Response{"a", "ann"}));
  EXPECT_EQ(page.rows[1].value, (forum::Response{"b", "bob"}));
  EXPECT_EQ(mapper_.elements(1L, fields::responses).after(page.cursor).begin()->value.text, "c");
  EXPECT_EQ(mapper_.elements(1L, fields::notes).begin()->value, (std::pair<int, std::string>(7, "seven")));
  EXPECT_THAT(mapper_.load<Thread>(1).value().tags(), ElementsAre("hot"));
  EXPECT_EQ(mapper_.load<Thread>(1).value().responses(), 3U);
}

}  // namespace
}  // namespace autoshard::test
