// What a store folds itself is what the mapper would have folded, in fewer round trips.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <autoshard/memory_store.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "entities/forms/question.autoshard.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/odometer.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "folding_store.h"
#include "keys.h"
#include "support/faulty_store.h"

namespace autoshard {
namespace {

using airline::Flight;
using moderator::Question;
using road::Odometer;

class FoldsTest : public ::testing::Test {
 protected:
  Mapper mapper() {
    MapperOptions options;
    options.combine = false;  // one thread
    options.adaptive.window = {};
    options.compact_every = {};
    return Mapper(folding_, options);
  }
  /// Written by somebody who does not fold so.
  void put(std::string_view key, const std::string& value) {
    const auto transaction = memory_.begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  detail::RecordKey shard_of(int question) {
    return detail::shard_key(detail::entity_key("Question", question), "votes", 0);
  }

  MemoryStore memory_;
  test::FoldingStore folding_{memory_};
};

TEST_F(FoldsTest, AnUpdateReadsTheMainRecordAndNoShard) {
  Mapper mapper = this->mapper();
  mapper.save(Question{1, "How?", "Phil R"});
  admin::set_shards<Question>(mapper, 1, "votes", 1);
  folding_.round_trips();
  for (int i = 0; i < 3; ++i) {
    mapper.apply<&Question::voteUp>(1);
    EXPECT_EQ(folding_.round_trips(), 1);
    EXPECT_EQ(folding_.folds(), 1);
  }
  mapper.apply<&Question::voteDown>(1);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 2);
}

TEST_F(FoldsTest, OfTwoWhoUpdateTheSameShardNobodyIsRefused) {
  Mapper mapper = this->mapper(), other = this->mapper();
  mapper.save(Question{1, "How?", "Phil R"});
  admin::set_shards<Question>(mapper, 1, "votes", 1);
  bool is_first = true;
  folding_.before_commit([&] {
    if (std::exchange(is_first, false)) other.apply<&Question::voteUp>(1);
  });
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(folding_.folds(), 2);
  EXPECT_EQ(folding_.refused(), 0);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 2);
}

TEST_F(FoldsTest, NothingIsFoldedWhereAKeyIsTooLong) {
  mapper().save(Question{1, "How?", "Phil R"});
  test::FaultyStore limited(folding_);
  Mapper mapper(limited, {.combine = false, .compact_every = {}, .adaptive = {.window = {}}});
  limited.limit_keys(shard_of(1).size() - 1);
  EXPECT_THROW(mapper.apply<&Question::voteUp>(1), KeyTooLong);
  limited.limit_keys(shard_of(1).size());
  EXPECT_THROW(mapper.apply<&Question::voteUp>(1, token("as long as a shard's key")), KeyTooLong);
  EXPECT_EQ(folding_.folds(), 0);
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(folding_.folds(), 1);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 1);
}

TEST_F(FoldsTest, WhoErasesTheEntityInBetweenIsNoticed) {
  Mapper mapper = this->mapper(), other = this->mapper();
  mapper.save(Question{1, "How?", "Phil R"});
  bool is_first = true;
  folding_.before_commit([&] {
    if (std::exchange(is_first, false)) other.erase<Question>(1);
  });
  EXPECT_THROW(mapper.apply<&Question::voteUp>(1), NotFound);
  mapper.save(Question{1, "How?", "Phil R"});
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 0);
}

TEST_F(FoldsTest, WhatTheStoreCannotFoldIsReadAndFoldedAtOnce) {
  MapperOptions once;
  once.combine = false;
  once.retry = RetryPolicy::none();
  Mapper mapper(folding_, once);
  mapper.save(Question{1, "How?", "Phil R"});
  admin::set_shards<Question>(mapper, 1, "votes", 1);
  put(shard_of(1), {"\x92\x05\x07", 3});  // 5 votes from before the seventh time that all were replaced
  folding_.round_trips();
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(folding_.refused(), 1);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 1);
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(folding_.refused(), 0);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 2);
}

TEST_F(FoldsTest, UpdatesAfterAReplacementAreFoldedIntoIt) {
  Mapper mapper = this->mapper();
  mapper.save(Flight(7));
  mapper.apply<&Flight::rate>(7, 3);
  mapper.apply<&Flight::reset_score>(7, 10);
  mapper.apply<&Flight::rate>(7, 4);
  EXPECT_EQ(mapper.load<Flight>(7).value().score(), 14);
}

// It would never learn that they are in each other's way.
TEST_F(FoldsTest, APropertyThatAdaptsIsNotFolded) {
  Mapper mapper = this->mapper();
  mapper.save(Flight(7));
  mapper.apply<&Flight::view>(7);
  EXPECT_EQ(folding_.folds(), 0);
  mapper.apply<&Flight::rate>(7, 1);
  EXPECT_EQ(folding_.folds(), 1);
  EXPECT_EQ(mapper.load<Flight>(7).value().views(), 1);
}

// FORMAT.md: what a store folds has 64 bits and a sign.
TEST_F(FoldsTest, ANumberThatIsTooGreatForTheStoreIsFoldedByTheMapper) {
  constexpr std::uint64_t kGreat = std::uint64_t{1} << 63;
  Mapper mapper = this->mapper();
  mapper.save(Odometer(1));
  const auto drive = [&](std::uint64_t distance) {
    mapper.update<Odometer>(1, [&](auto& odometer) { odometer.drive(distance); });
    return mapper.load<Odometer>(1).value().distance();
  };
  EXPECT_EQ(drive(5), 5U);
  EXPECT_EQ(folding_.folds(), 1);
  EXPECT_EQ(drive(kGreat), kGreat + 5);
  EXPECT_EQ(drive(1), kGreat + 6);
  EXPECT_EQ(folding_.folds(), 0);
}

TEST_F(FoldsTest, AnElementIsAddedWithoutAReadOfAnother) {
  Mapper mapper = this->mapper();
  mapper.save(forum::Topic(1));
  folding_.round_trips();
  for (const char* text : {"one", "two"}) {
    mapper.apply<&forum::Topic::add_post>(1, text);
    EXPECT_EQ(folding_.round_trips(), 1);
  }
  EXPECT_EQ(mapper.load<forum::Topic>(1).value().texts(), (std::vector<std::string>{"one", "two"}));
}

// Where an acknowledgement may be lost, each writer has a mark in the store.
TEST_F(FoldsTest, TheMarkOfAWriterIsReadWithTheRest) {
  test::FaultyStore lossy(memory_, test::FaultyStore::Acknowledgements::kMayBeLost);
  test::FoldingStore folding(lossy);
  Mapper mapper(folding, {.combine = false, .compact_every = {}, .adaptive = {.window = {}}});
  mapper.save(Question{1, "How?", "Phil R"});
  for (int i = 0; i < 3; ++i) {
    folding.round_trips();
    mapper.apply<&Question::voteUp>(1);
    EXPECT_EQ(folding.round_trips(), 1);
  }
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 3);
}

TEST_F(FoldsTest, ARankedIndexKnowsOfIt) {
  using t = Fields<conference::Talk>;
  Mapper mapper = this->mapper();
  const auto best = [&] {
    int number = 0;
    for (const auto& talk : mapper.query<conference::Talk>().order_by(t::score.desc()).limit(1))
      number = talk.number();
    return number;
  };
  mapper.save(conference::Talk(1));
  mapper.save(conference::Talk(2));
  for (const auto& [talk, points] : {std::pair(1, 5), {2, 8}, {1, 9}}) {
    mapper.apply<&conference::Talk::rate>(talk, points);
    EXPECT_EQ(folding_.folds(), 1);
    EXPECT_EQ(best(), talk);
    admin::refresh_indexes<conference::Talk>(mapper);
    mapper.apply<&conference::Talk::rate>(talk, 1);
    EXPECT_EQ(folding_.folds(), 1);
    EXPECT_EQ(best(), talk);
  }
}

TEST_F(FoldsTest, AnUpdateWithATokenCountsOnce) {
  Mapper mapper = this->mapper();
  mapper.save(Flight(7));
  for (int i = 0; i < 3; ++i) mapper.apply<&Flight::rate>(7, token("request 17"), 1);
  EXPECT_EQ(folding_.folds(), 1);
  EXPECT_EQ(mapper.load<Flight>(7).value().score(), 1);
}

TEST_F(FoldsTest, OfSeveralEntitiesOneThatTheStoreCannotFoldLeavesTheOthersAlone) {
  Mapper mapper = this->mapper();
  std::vector<Question> questions;
  for (int id = 1; id <= 5; ++id) questions.emplace_back(id, "How?", "Phil R");
  mapper.save(questions);
  admin::set_shards<Question>(mapper, 3, "votes", 1);
  put(shard_of(3), {"\x92\x05\x07", 3});
  for (Question& question : questions) question.voteUp();
  mapper.save(questions);
  EXPECT_EQ(folding_.refused(), 1);
  for (int id = 1; id <= 5; ++id) EXPECT_EQ(mapper.load<Question>(id).value().votes(), 1);
}

TEST_F(FoldsTest, WhatManyReadComesInTwoRoundTrips) {
  Mapper mapper = this->mapper();
  std::vector<Flight> flights;
  for (int number = 0; number < 20; ++number) flights.emplace_back(number);
  mapper.save(flights);
  for (Flight& flight : flights) {
    flight.rate(1);
    flight.view();
  }
  folding_.round_trips();
  mapper.save(flights);
  EXPECT_LE(folding_.round_trips(), 3);
  for (int number = 0; number < 20; ++number) EXPECT_EQ(mapper.load<Flight>(number).value().score(), 1);
}

}  // namespace
}  // namespace autoshard
