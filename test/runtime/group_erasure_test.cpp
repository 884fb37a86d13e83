// Elements of sets and maps are erased while programs of an earlier version of the class write and compact.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "entities/versions/topic.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

using Dynamic = forum::DynamicTopic;
using Grouped = forum::GroupedTopic;
using Sharded = forum::ShardedTopic;

class GroupErasureTest : public StoreTest {
 protected:
  static constexpr auto kStars = Fields<Grouped>::stars;

  ElementId rate(const std::string& reader) {
    mapper_.apply<&Grouped::rate>(1, reader, 1);
    for (const auto& [id, rating] : mapper_.elements(1, kStars)) {
      if (rating.first == reader) return id;
    }
    return ElementId();
  }
  auto stars() { return mapper_.load<Grouped>(1).value().stars(); }
  bool erase(const ElementId& id) { return erasing_.erase_element(1, kStars, id); }
  /// Calls `change` before a call looks into the store for the `nth` time: 1: for older content, 2: for the
  /// element, 3: the last look, for both.
  void at_look(int nth, std::function<void()> change) {
    faulty_.before_begin([this, nth, change = std::move(change)] {
      if (++looks_ == nth) change();
    });
  }

  int looks_ = 0;
  FaultyStore faulty_{*store_};
  Mapper erasing_{faulty_,
                  {.retry = {.initial_backoff = std::chrono::microseconds(1)},
                   .compact_every = std::chrono::milliseconds(0)}};
  Mapper mapper_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
};
INSTANTIATE_TEST_SUITE_P(Stores, GroupErasureTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(GroupErasureTest, OfManyElementsOneIsErased) {
  mapper_.save(Grouped(1));
  for (int i = 0; i < 200; ++i) rate(std::to_string(i));
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  std::string no_key = detail::shard_key(key, "stars", 0x0100).bytes();
  no_key.pop_back();  // half a number
  const auto transaction = store_->begin();
  transaction->put(no_key, "foreign");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_TRUE(erase(rate("17")));
  EXPECT_THAT(stars(), SizeIs(199));
}

TEST_P(GroupErasureTest, NoneIsErasedWhileOlderContentOfItCannotBeCompacted) {
  mapper_.save(Sharded(1));
  const ElementId id = rate("ann");
  mapper_.apply<&Sharded::rate>(1, "ann", 1);
  mapper_.apply<&Sharded::rate>(1, std::string(2000, 'x'), 1);
  faulty_.limit_commits(1000, FaultyStore::Limit::kTold);
  EXPECT_THROW(erase(id), CommitTooLarge);
  EXPECT_THAT(stars(), SizeIs(2));
}

TEST_P(GroupErasureTest, OneIsErasedThoughOlderContentOfOthersCannotBeCompacted) {
  mapper_.save(Dynamic(1));
  const ElementId id = rate("ann");
  mapper_.apply<&Dynamic::rate>(1, std::string(2000, 'x'), 1);
  faulty_.limit_commits(1000, FaultyStore::Limit::kTold);
  EXPECT_TRUE(erase(id));
  EXPECT_THAT(stars(), SizeIs(1));
}

TEST_P(GroupErasureTest, OneIsErasedThoughLaterContentOfItsGroupCannotBeCompacted) {
  mapper_.save(Dynamic(1));
  const ElementId id = rate("ann");
  mapper_.apply<&Dynamic::rate>(1, "ann", 2);
  mapper_.apply<&Dynamic::rate>(1, std::string(2000, 'x'), 1);
  faulty_.limit_commits(1000, FaultyStore::Limit::kTold);
  EXPECT_TRUE(erase(id));
  EXPECT_THAT(stars(), ElementsAre(Pair(std::string(2000, 'x'), 1)));
}

TEST_P(GroupErasureTest, OneThatAnEarlierVersionTakesBackIsErased) {
  mapper_.save(Sharded(1));
  const ElementId id = rate("ann");
  at_look(2, [&] {
    admin::compact<Sharded>(mapper_, 1);
    rate("ann");
  });
  EXPECT_TRUE(erase(id));
  EXPECT_GT(looks_, 3);
  EXPECT_THAT(stars(), IsEmpty());
}

TEST_P(GroupErasureTest, OneThatIsTakenBackAndAdoptedAgainIsErased) {
  mapper_.save(Sharded(1));
  const ElementId id = rate("ann");
  faulty_.before_begin([&] {
    if (++looks_ == 2) {
      admin::compact<Sharded>(mapper_, 1);
      rate("ann");
    }
    if (looks_ == 3) admin::compact<Grouped>(mapper_, 1);
  });
  EXPECT_TRUE(erase(id));
  EXPECT_THAT(stars(), IsEmpty());
}

TEST_P(GroupErasureTest, OneThatIsAddedOnceTheErasureIsCommittedStays) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  at_look(3, [&] {
    EXPECT_THAT(stars(), IsEmpty());
    rate("ann");
  });
  EXPECT_TRUE(erase(id));
  EXPECT_THAT(stars(), SizeIs(1));
}

TEST_P(GroupErasureTest, OneThatIsAddedStaysThoughAnEarlierVersionTookTheErasedOneBack) {
  for (const bool is_adopted : {false, true}) {
    mapper_.save(Sharded(1));
    const ElementId id = rate("ann");
    looks_ = 0;
    faulty_.before_begin([&] {
      ++looks_;
      if (looks_ == 2) {
        admin::compact<Sharded>(mapper_, 1);
        rate("ann");
      }
      if (looks_ == 3 && is_adopted) admin::compact<Grouped>(mapper_, 1);
      if (looks_ == 4) mapper_.apply<&Grouped::rate>(1, "ann", 5);
    });
    EXPECT_TRUE(erase(id));
    EXPECT_GT(looks_, 4);
    EXPECT_THAT(stars(), ElementsAre(Pair("ann", 5)));
    mapper_.erase<Grouped>(1);
  }
}

TEST_P(GroupErasureTest, WhetherOneIsErasedIsUnknownWhateverTheLastLookThrows) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  at_look(3, [] { throw std::string("no error of this library"); });
  EXPECT_THROW(erase(id), OutcomeUnknown);
}

TEST_P(GroupErasureTest, WhatTheFirstLookThrowsIsTheResult) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  at_look(1, [] { throw std::string("no error of this library"); });
  EXPECT_THROW(erase(id), std::string) << "nothing is erased";
  EXPECT_THAT(stars(), SizeIs(1));
}

TEST_P(GroupErasureTest, OneIsErasedThoughAnotherGroupCannotBeCompacted) {
  mapper_.save(Dynamic(1));
  const ElementId id = rate("ann");
  mapper_.apply<&Dynamic::rate>(1, "ann", 2);
  mapper_.apply<&Dynamic::add_post>(1, std::string(2000, 'x'));
  faulty_.limit_commits(1000, FaultyStore::Limit::kTold);
  EXPECT_TRUE(erase(id));
  EXPECT_THAT(stars(), IsEmpty());
}

TEST_P(GroupErasureTest, OneIsErasedThoughThePlainValueOfAnotherGroupMakesTooManyRecords) {
  forum::UnshardedTopic topic(1);
  for (int i = 0; i < 8; ++i) topic.add_post(std::string(90, 'x'));
  mapper_.save(topic);
  mapper_.apply<&Grouped::rate>(1, "ann", 1);
  const ElementId id = (*mapper_.elements(1, kStars).begin()).id;
  mapper_.apply<&Dynamic::rate>(1, "ann", 2);
  faulty_.limit_commits(1000, FaultyStore::Limit::kTold);
  EXPECT_TRUE(erase(id));
  EXPECT_THAT(stars(), IsEmpty());
}

TEST_P(GroupErasureTest, OfTwoWhoEraseOneElementOneDoes) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  faulty_.before_commit([&](int nth) {
    if (nth == 1) {
      EXPECT_TRUE(mapper_.erase_element(1, kStars, id));
    }
    return Fate::kCommits;
  });
  EXPECT_FALSE(erase(id));
}

TEST_P(GroupErasureTest, OneThatComesAtTheLastLookIsErased) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  ASSERT_TRUE(mapper_.erase_element(1, kStars, id));
  at_look(3, [&] { rate("ann"); });
  EXPECT_TRUE(erase(id));
  EXPECT_GT(looks_, 3);
  EXPECT_THAT(stars(), IsEmpty());
}

TEST_P(GroupErasureTest, NoneIsErasedInAnEntityThatComesAtTheLastLook) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  ASSERT_TRUE(mapper_.erase_element(1, kStars, id));
  at_look(3, [&] {
    mapper_.erase<Grouped>(1);
    mapper_.save(Grouped(1));
    rate("ann");
  });
  EXPECT_FALSE(erase(id));
  EXPECT_GE(looks_, 3);
  EXPECT_THAT(stars(), SizeIs(1));
}

TEST_P(GroupErasureTest, AnEraseGivesUpWhileOlderContentKeepsComing) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  ASSERT_TRUE(mapper_.erase_element(1, kStars, id));
  faulty_.before_begin([this, i = 0]() mutable {
    if (++i % 2 == 0) mapper_.apply<&Sharded::rate>(1, "ann", i);
  });
  EXPECT_THROW(erase(id), OutcomeUnknown);
}

TEST_P(GroupErasureTest, WhetherOneIsErasedIsUnknownIfTheLastLookFails) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  at_look(3, [] { throw StoreUnavailable("away"); });
  EXPECT_THROW(erase(id), OutcomeUnknown);
  EXPECT_THAT(stars(), IsEmpty());
  looks_ = 0;
  EXPECT_THROW(erase(id), StoreUnavailable) << "it erases nothing";
}

TEST_P(GroupErasureTest, AShardThatComesAtTheLastLookIsErased) {
  mapper_.save(Grouped(1));
  const ElementId id = rate("ann");
  ASSERT_TRUE(mapper_.erase_element(1, kStars, id));
  at_look(3, [&] { mapper_.apply<&Sharded::rate>(1, "ann", 1); });
  EXPECT_TRUE(erase(id));
  EXPECT_GT(looks_, 3);
  EXPECT_THAT(stars(), IsEmpty());
}

}  // namespace
}  // namespace autoshard::test
