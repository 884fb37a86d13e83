// What becomes of a collection that was no group in an earlier class.

#include <autoshard/autoshard.h>
#include <autoshard/detail/id.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "entities/groups/thread.autoshard.h"
#include "entities/types/course.autoshard.h"
#include "entities/versions/topic.h"
#include "group_fixture.h"
#include "shard_record.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

using q = Fields<Topic>;

/// What other classes left of the property: one in which it was not sharded, or had shards, or deltas, or
/// another name.
class FormerGroupTest : public GroupTest {
 protected:
  static std::string posts(const Texts& texts) {
    std::string container;
    Encoder out(container);
    out.array(texts.size());
    for (const std::string& text : texts) {
      out.map(1);
      out.text("text");
      out.text(text);
    }
    return container;
  }
  static std::string record(const Texts& texts) { return '\x91' + posts(texts); }

  void leave() {
    mapper_.save(Topic(1));
    const detail::EntityKey key = detail::entity_key("Topic", 1);
    std::string main;
    detail::RecordKey delta, element;
    ASSERT_TRUE(store_->snapshot()->get(detail::main_key(key), main));
    ++main.front();  // the number of entries, of which there are few
    Encoder(main).text("posts");
    main += posts({"main a", "main b"});
    element.set_new_element(key, "comments", 5);
    delta.set_delta(key, "posts");
    const auto transaction = store_->begin();
    transaction->put(detail::main_key(key), main);
    transaction->put(detail::shard_key(key, "posts", 7), record({"shard 7"}));
    transaction->put(detail::shard_key(key, "posts", 2), record({"shard 2 a", "shard 2 b"}));
    transaction->put(delta, record({"delta a", "delta b"}));
    transaction->put(element, record({"comment"}));
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    mapper_.apply<&Topic::add_post>(1, "element");
  }
  Texts paged() {
    Texts texts;
    for (const auto& [id, post] : mapper_.elements(1, q::posts)) texts.push_back(post.text);
    return texts;
  }

  const Texts expected_ = {"main a",  "main b",  "shard 2 a", "shard 2 b", "shard 7",
                           "comment", "delta a", "delta b",   "element"};
};
INSTANTIATE_TEST_SUITE_P(Stores, FormerGroupTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(FormerGroupTest, ALoadHasAllOfItInOrder) {
  leave();
  EXPECT_EQ(load().texts(), expected_);
  for (const Topic& topic : mapper_.query<Topic>()) EXPECT_EQ(topic.texts(), expected_);
  int matching = 0;
  for (const Topic& topic : mapper_.query<Topic>(q::views == 0)) {  // what it is about is read first
    EXPECT_EQ(topic.texts(), expected_);
    ++matching;
  }
  EXPECT_EQ(matching, 1);
  mapper_.erase<Topic>(1);
  EXPECT_THAT(records(*store_), IsEmpty());
}

// The query reads the posts to decide about the entity, and the rest of the entity later.
TEST_P(FormerGroupTest, AQueryThatDecidesByItHasItOnce) {
  using forum::GroupedTopic;
  using g = Fields<GroupedTopic>;
  forum::UnshardedTopic topic(1);
  topic.add_post("first");
  topic.add_post("second");
  topic.rate("ann", 5);
  mapper_.save(topic);
  int matching = 0;
  for (const GroupedTopic& grouped : mapper_.query<GroupedTopic>(g::posts.contains("first"))) {
    EXPECT_THAT(grouped.posts(), ElementsAre("first", "second"));
    EXPECT_THAT(grouped.stars(), ElementsAre(Pair("ann", 5)));
    ++matching;
  }
  EXPECT_EQ(matching, 1);
}

TEST_P(FormerGroupTest, CompactionMakesElementsOfIt) {
  for (const bool all : {false, true}) {
    leave();
    EXPECT_EQ(paged(), Texts{"element"});
    all ? admin::compact<Topic>(mapper_) : admin::compact<Topic>(mapper_, 1);
    EXPECT_EQ(load().texts(), expected_);
    EXPECT_EQ(paged(), expected_);
    EXPECT_THAT(elements("posts"), SizeIs(expected_.size()));
    const auto before = records(*store_);
    EXPECT_EQ(admin::compact<Topic>(mapper_, 1), 0U);
    EXPECT_EQ(records(*store_), before);
    mapper_.erase<Topic>(1);
  }
}

TEST_P(FormerGroupTest, CompactionRemovesElementsOfAnotherEpoch) {
  mapper_.save(Topic(1, {{"there"}}));
  detail::RecordKey key;
  std::string element;
  key.set_new_element(detail::entity_key("Topic", 1), "posts", 5);
  detail::encode_element(element, posts({"replaced"}), 1, detail::ElementMark::kNone);
  const auto transaction = store_->begin();
  transaction->put(key, element);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_THAT(load().texts(), ElementsAre("there"));
  EXPECT_EQ(admin::compact<Topic>(mapper_, 1), 1U);
  EXPECT_THAT(records(*store_), Not(Contains(Pair(key, testing::_))));
  EXPECT_THAT(load().texts(), ElementsAre("there"));
}

TEST_P(FormerGroupTest, AKilledCompactionLeavesItAll) {
  for (int survives = 0; survives < 3; ++survives) {
    leave();
    FaultyStore faulty(*store_);
    Mapper mapper(faulty, {.compact_every = std::chrono::milliseconds(0)});
    faulty.before_commit([&](int nth) { return nth <= survives ? Fate::kCommits : Fate::kCrashes; });
    try {
      admin::compact<Topic>(mapper, 1);
    } catch (...) {
    }
    EXPECT_EQ(load().texts(), expected_);
    admin::compact<Topic>(mapper_, 1);
    EXPECT_EQ(paged(), expected_);
    mapper_.erase<Topic>(1);
  }
}

TEST_P(FormerGroupTest, AMappersThreadNoticesIt) {
  leave();
  Mapper mapper(*store_, {.compact_every = std::chrono::milliseconds(1)});
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (paged() != expected_) {
    ASSERT_LT(std::chrono::steady_clock::now(), deadline);
    mapper.load<Topic>(1);
  }
}

TEST_P(FormerGroupTest, OfAMapsKeyTheElementCounts) {
  mapper_.save(Topic(1));
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  const auto transaction = store_->begin();
  int bob = 0;
  for (const std::uint16_t number : std::initializer_list<std::uint16_t>{0, 65534}) {
    std::string shard;
    Encoder out(shard);
    out.array(1);
    out.map(2);
    out.text("ann");
    out.integer(1);
    out.text("bob");
    out.integer(++bob);
    transaction->put(detail::shard_key(key, "stars", number), shard);
  }
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  mapper_.apply<&Topic::rate>(1, "ann", 5);
  EXPECT_THAT(load().stars(), ElementsAre(Pair("ann", 5), Pair("bob", 2)));
  EXPECT_EQ(admin::compact<Topic>(mapper_, 1), 2U);
  EXPECT_THAT(load().stars(), ElementsAre(Pair("ann", 5), Pair("bob", 2)));
  EXPECT_THAT(elements("stars"), SizeIs(2));
}

// However many batches compaction makes of them, and wherever it is killed.
TEST_P(FormerGroupTest, OfAMapsKeyTheLastPartCounts) {
  constexpr int kDeltas = 600;
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  // Of each hundred deltas, this one has the former name. The last one of a hundred is the last of a key.
  for (const int of_former_name : {7, 99}) {
    SCOPED_TRACE(of_former_name);
    mapper_.save(Topic(1));
    const auto transaction = store_->begin();
    for (int stars = 0; stars < kDeltas; ++stars) {
      detail::RecordKey delta;
      std::string record;
      // The name comes before today's, and so do its records; their times decide.
      delta.set_delta(key, stars % 100 == of_former_name ? "ratings" : "stars");
      Encoder out(record);
      out.array(1);
      out.map(1);
      out.text(stars < 300 ? "ann" : "bob");
      out.integer(stars);
      transaction->put(delta, record);
    }
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    const auto expect_last = [&] {
      EXPECT_THAT(load().stars(), ElementsAre(Pair("ann", 299), Pair("bob", kDeltas - 1)));
    };
    expect_last();
    FaultyStore faulty(*store_);
    Mapper mapper(faulty, {.compact_every = std::chrono::milliseconds(0)});
    faulty.before_commit([&](int nth) {
      expect_last();
      return nth < 2 ? Fate::kCommits : Fate::kCrashes;
    });
    EXPECT_THROW(admin::compact<Topic>(mapper, 1), StoreUnavailable);
    expect_last();
    admin::compact<Topic>(mapper_, 1);
    expect_last();
    EXPECT_THAT(elements("stars"), SizeIs(2));
    mapper_.erase<Topic>(1);
  }
}

// A program of the version with the former name writes it, after the element has today's name.
TEST_P(FormerGroupTest, OfAMapsKeyALaterElementUnderTheOnlyFormerNameCounts) {
  using school::Course;
  mapper_.save(Course(1));
  mapper_.apply<&Course::rate>(1, "ann", 5);
  std::string name, ratings, record;
  Encoder(name).text("ann");
  Encoder out(ratings);
  out.map(1);
  out.text("ann");
  out.integer(3);
  detail::RecordKey element;
  element.set_equal_element(detail::entity_key("Course", 1), "stars", name);
  detail::encode_element(record, ratings, 0, detail::ElementMark::kNone);
  const auto transaction = store_->begin();
  transaction->put(element, record);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  const auto expect_stars = [&](int stars) {
    EXPECT_THAT(mapper_.load<Course>(1).value().ratings(), ElementsAre(Pair("ann", stars)));
  };
  expect_stars(3);
  admin::compact<Course>(mapper_, 1);
  expect_stars(3);
  mapper_.apply<&Course::rate>(1, "ann", 4);
  expect_stars(4);
}

// The ids of elements whose keys are small numbers sort below those of deltas, which are times.
TEST_P(FormerGroupTest, OfAMapsNumberTheElementCounts) {
  using forum::Thread;
  mapper_.save(Thread(1, "ann", "news"));
  const detail::EntityKey key = detail::entity_key("Thread", 1);
  detail::RecordKey delta;
  std::string record;
  delta.set_delta(key, "notes");
  Encoder out(record);
  out.array(1);
  out.map(1);
  out.integer(7);
  out.text("before");
  const auto transaction = store_->begin();
  transaction->put(delta, record);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  mapper_.apply<&Thread::note>(1, 7, "later");
  const auto expect_later = [&] {
    for (const auto& [notes] : mapper_.query<Thread>().select(Fields<Thread>::notes))
      EXPECT_THAT(notes, ElementsAre(Pair(7, "later")));
  };
  expect_later();
  admin::compact<Thread>(mapper_, 1);
  expect_later();
}

}  // namespace
}  // namespace autoshard::test
