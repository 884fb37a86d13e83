// Updates that are acknowledged before they are committed.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "buffered_fixture.h"
#include "entities/expiry/session.autoshard.h"
#include "entities/forms/question.autoshard.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/quota.autoshard.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using forum::Topic;
using q = Fields<Topic>;
using moderator::Question;
using shop::Quota;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::ThrowsMessage;

INSTANTIATE_TEST_SUITE_P(Stores, BufferedTest, ::testing::ValuesIn(stores_for_threads()), store_name);

// What replaces a value is not replaced by what was acknowledged before.
TEST_P(BufferedTest, AReplacementIsOfWhatWasAcknowledgedBefore) {
  other_.save(Flight(1, 10));
  Mapper mapper(store_control_, options());
  mapper.apply<&Flight::reset_score>(1, 5);
  mapper.update<Flight>(1, [](auto& shard) {
    shard.book(1);  // which is not buffered
    shard.reset_score(7);
  });
  mapper.flush();
  EXPECT_EQ(other_.load<Flight>(1).value().score(), 7);

  mapper.apply<&Flight::reset_score>(1, 1);
  mapper.apply_async<&Flight::reset_score>(1, 2).get();
  mapper.flush();
  EXPECT_EQ(other_.load<Flight>(1).value().score(), 2);
}

// The value of a key is that of the last update, whichever way that took.
TEST_P(BufferedTest, AnEntryIsOfTheLastUpdate) {
  other_.save(Topic(1));
  Mapper mapper(store_control_, options());
  const auto expect_stars = [&](int stars) {
    mapper.flush();
    EXPECT_THAT(other_.load<Topic>(1).value().stars(), ElementsAre(Pair("ann", stars)));
  };
  mapper.apply<&Topic::rate>(1, "ann", 1);
  mapper.transact([](EntityTransaction& transaction) { transaction.apply<&Topic::rate>(1, "ann", 2); });
  expect_stars(2);

  Topic loaded = other_.load<Topic>(1).value();
  loaded.rate("ann", 4);
  mapper.apply<&Topic::rate>(1, "ann", 3);
  mapper.save(loaded);
  expect_stars(4);

  loaded.rate("ann", 6);
  mapper.apply<&Topic::rate>(1, "ann", 5);
  std::vector<Topic> batch{loaded};
  mapper.save(batch);
  expect_stars(6);
}

// Attempts that fail come before what follows.
TEST_P(BufferedTest, AnEntryIsOfTheLastUpdateAfterConflicts) {
  other_.save(Topic(1));
  FaultyStore faulty(*store_);
  Mapper mapper(faulty, options());
  const auto rate = [](int stars) {
    return [stars](EntityTransaction& transaction) { transaction.apply<&Topic::rate>(1, "ann", stars); };
  };
  for (int conflicts = 1; conflicts <= 4; ++conflicts) {
    mapper.apply<&Topic::rate>(1, "ann", 2 * conflicts);
    faulty.before_commit([&](int nth) { return nth <= conflicts ? Fate::kConflicts : Fate::kCommits; });
    mapper.transact(rate(2 * conflicts + 1));
    faulty.before_commit({});
    mapper.flush();
    EXPECT_THAT(other_.load<Topic>(1).value().stars(), ElementsAre(Pair("ann", 2 * conflicts + 1)));
  }
}

// A callback runs on the thread that commits what is buffered.
TEST_P(BufferedTest, AnEntryIsOfTheLastUpdateOfACallback) {
  other_.save(Topic(1));
  Mapper mapper(store_control_, options());
  std::promise<void> called;
  mapper.apply_async<&Topic::rate>(1, "bob", 1).then([&](const std::exception_ptr&) {
    mapper.apply<&Topic::rate>(1, "ann", 1);
    mapper.transact([](EntityTransaction& transaction) { transaction.apply<&Topic::rate>(1, "ann", 2); });
    called.set_value();
  });
  called.get_future().wait();
  mapper.flush();
  EXPECT_THAT(other_.load<Topic>(1).value().stars(), ElementsAre(Pair("ann", 2), Pair("bob", 1)));
}

// A change of an element is of what was acknowledged before.
TEST_P(BufferedTest, AnElementIsChangedLast) {
  other_.save(Topic(1));
  other_.apply<&Topic::rate>(1, "ann", 1);
  const ElementId id = other_.elements(1, q::stars).page().rows.front().id;
  Mapper mapper(store_control_, options());
  mapper.apply<&Topic::rate>(1, "ann", 2);
  mapper.replace_element(1, q::stars, id, {"ann", 5});
  mapper.flush();
  EXPECT_THAT(other_.load<Topic>(1).value().stars(), ElementsAre(Pair("ann", 5)));

  mapper.apply<&Topic::rate>(1, "ann", 3);
  EXPECT_TRUE(mapper.erase_element(1, q::stars, id));
  mapper.flush();
  EXPECT_THAT(other_.load<Topic>(1).value().stars(), IsEmpty());
}

TEST_P(BufferedTest, IsAcknowledgedFirstAndCommittedByAFlush) {
  Mapper mapper(store_control_, options());
  for (int i = 0; i < 5; ++i) mapper.apply<&Question::voteUp>(1);
  mapper.update<Question>(1, [](auto& shard) { shard.voteUp(); });
  EXPECT_EQ(store_control_.commits_so_far(), 0);
  EXPECT_EQ(committed(), 0);
  mapper.flush();
  EXPECT_EQ(store_control_.commits_so_far(), 1);
  EXPECT_EQ(committed(), 6);
  mapper.flush();
  EXPECT_EQ(store_control_.commits_so_far(), 1);
}

TEST_P(BufferedTest, IsCommittedByItselfInTime) {
  Mapper mapper(store_control_, options(std::chrono::milliseconds(1)));
  for (int nth = 1; nth <= 3; ++nth) {
    mapper.apply<&Question::voteUp>(1);
    store_control_.wait_for_commit(nth);
    mapper.flush();
    EXPECT_EQ(committed(), nth);
  }
}

TEST_P(BufferedTest, IsSeenByALoadOfTheSameMapper) {
  Mapper mapper(*store_, options());
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 1);
  mapper.apply<&Question::voteUp>(1);
  mapper.transact(
      [](EntityTransaction& transaction) { EXPECT_EQ(transaction.load<Question>(1).value().votes(), 2); });
}

TEST_P(BufferedTest, GoesWithAnyOtherCommit) {
  Mapper mapper(store_control_, options());
  mapper.apply<&Question::voteUp>(1);
  mapper.apply_async<&Question::voteUp>(1).get();
  EXPECT_EQ(committed(), 2);
  EXPECT_EQ(store_control_.commits_so_far(), 1);
}

TEST_P(BufferedTest, IsNotCommittedByASaveIfTheOrderDoesNotMatter) {
  web::Session session(1, "ann");
  other_.save(session);
  Mapper mapper(store_control_, without_compaction());
  mapper.apply<&web::Session::hit>(1, 5);
  session.user = "bob";
  mapper.save(session);
  EXPECT_EQ(store_control_.commits_so_far(), 1);
  EXPECT_EQ(other_.load<web::Session>(1).value().hits(), 0);
  mapper.flush();
  EXPECT_EQ(other_.load<web::Session>(1).value().hits(), 5);
}

TEST_P(BufferedTest, IsCommittedByTheDestructor) {
  { Mapper(*store_, options()).apply<&Question::voteUp>(1); }
  EXPECT_EQ(committed(), 1);
}

TEST_P(BufferedTest, NeedsNoCombining) {
  MapperOptions alone = options();
  alone.combine = false;
  Mapper mapper(store_control_, alone);
  for (int i = 0; i < 5; ++i) mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(store_control_.commits_so_far(), 0);
  mapper.flush();
  EXPECT_EQ(store_control_.commits_so_far(), 1);
  EXPECT_EQ(committed(), 5);
}

TEST_P(BufferedTest, AnUpdateOfNothingCostsNoCommit) {
  Mapper mapper(store_control_, options());
  mapper.update<Question>(1, [](auto&) {});
  mapper.flush();
  EXPECT_EQ(store_control_.commits_so_far(), 0);
  EXPECT_THROW(mapper.update<Question>(7, [](auto&) {}), NotFound) << "there is no such question";
}

TEST_P(BufferedTest, AFlushHasNothingToDoWhereNothingWaits) {
  Mapper mapper(store_control_, {.combine = false});
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(store_control_.commits_so_far(), 1);
  mapper.flush();
  EXPECT_EQ(store_control_.commits_so_far(), 1);
  EXPECT_EQ(committed(), 1);
}

TEST_P(BufferedTest, IsCommittedByTheDestructorAlsoFromACallback) {
  {
    Mapper mapper(store_control_, options(std::chrono::milliseconds::max()));
    store_control_.close();
    mapper.apply<&Question::voteUp>(1);
    mapper.apply_async<&Question::voteUp>(1).then(
        [&](const std::exception_ptr&) { mapper.apply<&Question::voteUp>(1); });
    store_control_.open();
  }
  EXPECT_EQ(committed(), 3);
}

TEST_P(BufferedTest, IsCommittedSoonerWhereMemoryRunsShort) {
  int updates = 0;
  for (const std::uint32_t most : {1U, 4U}) {
    MapperOptions options = this->options(std::chrono::milliseconds::max());
    options.max_in_flight = most;
    Mapper mapper(*store_, options);
    for (int i = 0; i < 100; ++i, ++updates) mapper.apply<&Question::voteUp>(1);
    EXPECT_GE(committed(), updates - static_cast<int>(most));
    mapper.flush();
    EXPECT_EQ(committed(), updates);
  }
}

TEST_P(BufferedTest, ThrowsAtOnceWhatCanBeKnownAtOnce) {
  Mapper mapper(store_control_, options());
  EXPECT_THROW(mapper.apply<&Question::voteUp>(99), NotFound);
  EXPECT_THROW(mapper.apply<&Quota::use>(1, -1), std::invalid_argument);
  mapper.flush();
  EXPECT_EQ(store_control_.commits_so_far(), 0);
}

TEST_P(BufferedTest, VanishesWithItsEntity) {
  Mapper mapper(*store_, options());
  mapper.apply<&Question::voteUp>(1);
  EXPECT_TRUE(mapper.erase<Question>(1));
  EXPECT_THROW(mapper.apply<&Question::voteUp>(1), NotFound);
  other_.save(Question{1, "Another?", "Phil R"});
  mapper.flush();
  EXPECT_EQ(committed(), 0);
  EXPECT_TRUE(logged_.empty());
}

TEST_P(BufferedTest, IsCommittedBeforeItsEntityIsErasedWithItsToken) {
  Mapper mapper(*store_, options());
  mapper.apply<&Question::voteUp>(1, token("request 7"));
  EXPECT_TRUE(mapper.erase<Question>(1));
  mapper.save(Question{1, "How?", "Phil R"});
  mapper.apply<&Question::voteUp>(1, token("request 7"));
  mapper.flush();
  EXPECT_EQ(committed(), 0) << "it was counted in the entity before";
}

TEST_P(BufferedTest, TellsOfWhatIsLost) {
  Mapper mapper(store_control_, options());
  for (int i = 0; i < 3; ++i) mapper.apply<&Question::voteUp>(1);
  store_control_.close();
  store_control_.let_through([](Transaction&, const ControlledStore::Keys&) -> CommitOutcome {
    throw StoreUnavailable("disk full");
  });
  EXPECT_THAT([&] { mapper.flush(); },
              ThrowsMessage<UpdatesLost>(AllOf(HasSubstr("3 acknowledged buffered updates"),
                                               HasSubstr("the first error: "), HasSubstr("disk full"))));
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("disk full"), HasSubstr("disk full"), HasSubstr("disk full")));
  store_control_.open();
  mapper.apply<&Question::voteUp>(1);
  mapper.flush();
  EXPECT_EQ(committed(), 1);
}

TEST_P(BufferedTest, TellsOfWhatIsUnknown) {
  Mapper mapper(store_control_, options());
  mapper.apply<&Quota::use>(1, 60);
  mapper.apply<&Quota::use>(1, 60);
  mapper.apply<&Question::voteUp>(1);
  store_control_.let_through([](Transaction& transaction, const ControlledStore::Keys&) {
    transaction.commit();
    return CommitOutcome::kUnknown;
  });
  EXPECT_THAT([&] { mapper.flush(); },
              ThrowsMessage<UpdatesLost>(
                  AllOf(HasSubstr("1 acknowledged buffered updates are lost"),
                        HasSubstr("2 acknowledged buffered updates have an unknown outcome"))));
  EXPECT_EQ(committed(), 1);
  mapper.flush();
}

TEST_P(BufferedTest, CallsNothingLostThatIsUnknown) {
  Mapper mapper(store_control_, options());
  mapper.apply<&Question::voteUp>(1);
  store_control_.let_through([](Transaction& transaction, const ControlledStore::Keys&) {
    transaction.commit();
    return CommitOutcome::kUnknown;
  });
  EXPECT_THAT(
      [&] { mapper.flush(); },
      ThrowsMessage<UpdatesLost>(AllOf(HasSubstr("1 acknowledged buffered updates have an unknown outcome"),
                                       ::testing::Not(HasSubstr("are lost")))));
  EXPECT_EQ(committed(), 1);
}

TEST_P(BufferedTest, TheNextUpdateTellsOfWhatIsLostToo) {
  Mapper mapper(store_control_, options());
  mapper.apply<&Quota::use>(1, 60);
  mapper.apply<&Quota::use>(1, 60);
  EXPECT_EQ(mapper.load<Quota>(1).value().used(), 60);
  EXPECT_THAT([&] { mapper.apply<&Quota::use>(1, 1); },
              ThrowsMessage<UpdatesLost>(HasSubstr("the first error: above the limit")));
  mapper.apply<&Quota::use>(1, 1);
  EXPECT_EQ(mapper.load<Quota>(1).value().used(), 61);
}

TEST_P(BufferedTest, AnUpdateThatWaitsTellsOfWhatIsLostToo) {
  other_.save(Flight(1, 10));
  Mapper mapper(store_control_, options());
  mapper.apply<&Quota::use>(1, 60);
  mapper.apply<&Quota::use>(1, 60);
  EXPECT_EQ(mapper.load<Quota>(1).value().used(), 60);
  EXPECT_THROW(mapper.apply<&Flight::book>(1, 1), UpdatesLost);
  EXPECT_EQ(mapper.load<Flight>(1).value().seats(), 10);
  mapper.apply<&Flight::book>(1, 1);
  EXPECT_EQ(mapper.load<Flight>(1).value().seats(), 9);
}

TEST_P(BufferedTest, IsTriedAgainAfterAConflict) {
  Mapper mapper(store_control_, with_short_backoff());
  mapper.apply<&Question::voteUp>(1);
  let_through_after_conflicts();
  mapper.flush();
  EXPECT_EQ(committed(), 1);
}

TEST_P(BufferedTest, ALoadWaitsForAnotherAttemptOfItsEntity) {
  Mapper mapper(store_control_, with_short_backoff());
  mapper.apply<&Question::voteUp>(1);
  let_through_after_conflicts();
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 1);
}

TEST_P(BufferedTest, ALoadWaitsForNothingOfOtherEntities) {
  MapperOptions options = this->options();
  options.retry.deadline = kNotInThisTest;
  Mapper mapper(store_control_, options);
  store_control_.open(ControlledStore::conflicts_of({key(2), key(3)}));
  Completion completion = mapper.apply_async<&Question::voteUp>(2);
  mapper.apply<&Question::voteUp>(3);
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 1);
  mapper.transact(
      [](EntityTransaction& transaction) { EXPECT_EQ(transaction.load<Question>(1).value().votes(), 1); });
  EXPECT_EQ(committed(3), 0);
  store_control_.open();
  EXPECT_EQ(mapper.load<Question>(3).value().votes(), 1);
  completion.get();
}

// It may take some for the one that it is looked up for; but not most.
TEST_P(BufferedTest, ALoadCommitsNothingOfOtherEntities) {
  Mapper mapper(store_control_, options());
  for (int id = 2; id < 52; ++id) {
    mapper.apply<&Question::voteUp>(1);
    mapper.load<Question>(id);
  }
  EXPECT_LT(store_control_.commits_so_far(), 5);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 50);
}

TEST_P(BufferedTest, AFlushWaitsForNothingThatCameLaterOrThatOthersWaitFor) {
  MapperOptions options = this->options();
  options.retry.deadline = kNotInThisTest;
  Mapper mapper(store_control_, options);
  store_control_.close();
  mapper.apply<&Question::voteUp>(1);
  std::thread flushing([&] { mapper.flush(); });
  store_control_.wait_for_commit(1);
  // It has gathered what it waits for.
  mapper.apply<&Question::voteUp>(2);
  Completion completion = mapper.apply_async<&Question::voteUp>(3);
  store_control_.let_through(ControlledStore::conflicts);
  store_control_.open(ControlledStore::conflicts_of({key(2), key(3)}));
  flushing.join();
  EXPECT_EQ(committed(1), 1);
  EXPECT_EQ(committed(2), 0);
  store_control_.open();
  mapper.flush();
  completion.get();
  EXPECT_EQ(committed(2), 1);
}

TEST_P(BufferedTest, ManyThreadsLoseNothing) {
  constexpr int kThreads = 4, kUpdates = 2000;
  {
    std::function<void(int)> flush;  // the mapper, which ends first, waits for its callbacks
    Mapper mapper(*store_, options(std::chrono::milliseconds(1)));
    flush = [&](int left) {
      mapper.apply_async<&Question::voteUp>(2).then([&, left](const std::exception_ptr&) {
        mapper.flush();
        if (left > 1) flush(left - 1);
      });
    };
    flush(kUpdates);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&] {
        for (int i = 1; i <= kUpdates; ++i) {
          mapper.apply<&Question::voteUp>(1);
          if (i % 500 != 0) continue;
          EXPECT_GE(mapper.load<Question>(1).value().votes(), i);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(committed(), kThreads * kUpdates);
  EXPECT_EQ(committed(2), kUpdates);
}

}  // namespace
}  // namespace autoshard::test
