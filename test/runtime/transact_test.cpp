#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <limits>

#include "entities/forms/question.autoshard.h"
#include "entities/strategies/hold.autoshard.h"
#include "entities/strategies/kiosk.autoshard.h"
#include "entities/strategies/purse.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using shop::Stock;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;

class TransactTest : public StoreTest {
 protected:
  void SetUp() override {
    other_.save(Stock("a", 10));
    other_.save(Stock("b", 10));
  }
  Stock load(const std::string& article) { return other_.load<Stock>(article).value(); }

  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, {.retry = {.initial_backoff = std::chrono::microseconds(1)}}};
  Mapper other_{*store_};
};
INSTANTIATE_TEST_SUITE_P(Stores, TransactTest, ::testing::ValuesIn(all_stores()), store_name);

void set_price(Mapper& mapper, const std::string& article, double price) {
  Stock stock = mapper.load<Stock>(article).value();
  stock.set_price(price);
  mapper.save(stock);
}

TEST_P(TransactTest, CommitsSeveralEntitiesAndReturnsTheResult) {
  faulty_.before_commit([](int) { return Fate::kCommits; });
  const double sum = mapper_.transact([](EntityTransaction& transaction) {
    Stock a = transaction.load<Stock>("a").value();
    Stock b = transaction.load<Stock>("b").value();
    a.set_price(2);
    b.set_price(3);
    a.sell(1, "A");
    transaction.save(a);
    transaction.save(b);
    transaction.apply<&Stock::refill>("b", 5);
    transaction.save(Stock("c", 7));
    return a.price() + b.price();
  });
  EXPECT_EQ(sum, 5);
  EXPECT_EQ(faulty_.commits(), 3);  // the main records, and a shard record of each of two entities
  EXPECT_EQ(load("a").price(), 2);
  EXPECT_EQ(load("a").pieces(), 9);
  EXPECT_THAT(load("a").buyers(), ElementsAre("A"));
  EXPECT_EQ(load("b").price(), 3);
  EXPECT_EQ(load("b").pieces(), 15);
  EXPECT_EQ(load("c").pieces(), 7);
}

/// A new kiosk has papers, as its member says. Of a stored kiosk only the shards count.
TEST_P(TransactTest, DoesNotAddTheDefaultOfAMemberToItsShards) {
  mapper_.save(sales::Kiosk("corner", "Ulm", 1));
  mapper_.apply<&sales::Kiosk::sell>("corner", 1);
  mapper_.transact([](EntityTransaction& transaction) {
    EXPECT_EQ(transaction.load<sales::Kiosk>("corner").value().papers(), sizes::kStock - 1);
  });
}

TEST_P(TransactTest, SeesWhatItDid) {
  mapper_.transact([](EntityTransaction& transaction) {
    Stock a = transaction.load<Stock>("a").value();
    EXPECT_EQ(a.pieces(), 10);
    a.set_price(2);
    a.refill(1);
    transaction.save(a);
    transaction.apply<&Stock::refill>("a", 2);
    transaction.update<Stock>("a", [](auto& shard) { shard.sell(5, "B"); });
    a = transaction.load<Stock>("a").value();
    EXPECT_EQ(a.price(), 2);
    EXPECT_EQ(a.pieces(), 8);
    EXPECT_THAT(a.buyers(), ElementsAre("B"));
    a.refill(100);
    transaction.save(a);

    transaction.save(Stock("c", 7));
    transaction.apply<&Stock::refill>("c", 1);
    EXPECT_TRUE(transaction.exists<Stock>("c"));
    EXPECT_EQ(transaction.load<Stock>("c").value().pieces(), 8);

    EXPECT_TRUE(transaction.erase<Stock>("b"));
    EXPECT_FALSE(transaction.erase<Stock>("b"));
    EXPECT_FALSE(transaction.exists<Stock>("b"));
    EXPECT_FALSE(transaction.load<Stock>("b"));
    EXPECT_THROW(transaction.apply<&Stock::refill>("b", 1), NotFound);
    EXPECT_THROW(transaction.save(Stock("b")), StaleEntity);
    EXPECT_THROW(transaction.apply<&Stock::refill>("d", 1), NotFound);
    EXPECT_THROW(transaction.save(Stock("a")), StaleEntity);
  });
  EXPECT_EQ(load("a").pieces(), 108);
  EXPECT_EQ(load("c").pieces(), 8);
  EXPECT_FALSE(other_.load<Stock>("b"));
}

TEST_P(TransactTest, WritesNothingWhenItThrows) {
  EXPECT_THROW(mapper_.transact([](EntityTransaction& transaction) {
    Stock a = transaction.load<Stock>("a").value();
    a.set_price(2);
    transaction.save(a);
    transaction.apply<&Stock::refill>("b", 1);
    throw std::domain_error("no");
  }),
               std::domain_error);
  EXPECT_EQ(load("a").price(), 1);
  EXPECT_EQ(load("b").pieces(), 10);
}

TEST_P(TransactTest, IsRepeatedWholeWhenAMainRecordChanged) {
  int calls = 0;
  faulty_.before_commit([&](int nth) {
    if (nth == 1) set_price(other_, "b", 7);  // which is only read
    return Fate::kCommits;
  });
  mapper_.transact([&](EntityTransaction& transaction) {
    ++calls;
    Stock a = transaction.load<Stock>("a").value();
    a.set_price(transaction.load<Stock>("b").value().price() + 1);
    transaction.save(a);
    transaction.apply<&Stock::refill>("a", 1);
  });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(load("a").price(), 8);
  EXPECT_EQ(load("a").pieces(), 11);
}

TEST_P(TransactTest, IsRepeatedWhenItsReadsDoNotBelongTogether) {
  int calls = 0;
  const double sum = mapper_.transact([&](EntityTransaction& transaction) {
    const double a = transaction.load<Stock>("a").value().price();
    if (++calls == 1) {
      set_price(other_, "a", 5);
      set_price(other_, "b", 5);
    }
    return a + transaction.load<Stock>("b").value().price();
  });
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(sum, 10);
}

TEST_P(TransactTest, IsNotDisturbedByAHotShard) {
  int calls = 0;
  faulty_.before_commit([&](int nth) {
    for (int i = 0; nth <= 2 && i < 10; ++i) other_.apply<&Stock::refill>("a", 1);
    return Fate::kCommits;
  });
  mapper_.transact([&](EntityTransaction& transaction) {
    ++calls;
    Stock a = transaction.load<Stock>("a").value();
    a.set_price(2);
    a.refill(100);
    transaction.save(a);
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(load("a").pieces(), 130);
}

TEST_P(TransactTest, GivesUpWhenThePolicySaysSo) {
  Mapper once(faulty_, {.retry = RetryPolicy::none()});
  faulty_.before_commit([](int) { return Fate::kConflicts; });
  EXPECT_THAT([&] { once.transact([](EntityTransaction& transaction) { transaction.erase<Stock>("a"); }); },
              ThrowsMessage<Contention>(HasSubstr("committing a transaction: each of 1 attempts")));
  EXPECT_TRUE(other_.exists<Stock>("a"));
}

// The object may be gone by the time of the commit, and a repeated lambda may save it again: so it learns
// nothing, and whoever goes on with it is told.
TEST_P(TransactTest, DoesNotLetASavedObjectBeSavedTwice) {
  Stock a = load("a");
  a.refill(1);
  mapper_.transact([&](EntityTransaction& transaction) {
    transaction.save(a);
    EXPECT_THROW(transaction.save(a), StaleEntity);
  });
  EXPECT_EQ(load("a").pieces(), 11);
  EXPECT_THROW(mapper_.save(a), StaleEntity);
  EXPECT_EQ(load("a").pieces(), 11);
  Stock c("c", 1);
  mapper_.transact([&](EntityTransaction& transaction) { transaction.save(c); });
  EXPECT_THROW(mapper_.save(c), StaleEntity);
}

TEST_P(TransactTest, RefusesWhatIsStale) {
  const Stock a = load("a");
  set_price(other_, "a", 2);
  EXPECT_THROW(mapper_.transact([&](EntityTransaction& transaction) { transaction.save(a); }), StaleEntity);
  other_.erase<Stock>("a");
  EXPECT_THROW(mapper_.transact([&](EntityTransaction& transaction) { transaction.save(a); }), NotFound);
  other_.save(Stock("a"));
  EXPECT_THROW(mapper_.transact([&](EntityTransaction& transaction) { transaction.save(a); }), NotFound);
}

TEST_P(TransactTest, SaysWhichUpdatesAreMissing) {
  const auto update_both = [](EntityTransaction& transaction) {
    transaction.apply<&Stock::refill>("a", 1);
    transaction.apply<&Stock::refill>("b", 1);
    transaction.save(Stock("c"));
  };
  faulty_.before_commit([](int nth) { return nth == 2 ? Fate::kUnknownLost : Fate::kCommits; });
  EXPECT_THAT([&] { mapper_.transact(update_both); },
              ThrowsMessage<OutcomeUnknown>(AllOf(HasSubstr("do not repeat"), HasSubstr("Stock \"a\""))));
  EXPECT_TRUE(other_.exists<Stock>("c"));
  EXPECT_EQ(load("a").pieces(), 10);
  EXPECT_EQ(load("b").pieces(), 11);
}

// Whoever applies what is missing again must not take what may have happened for missing.
TEST_P(TransactTest, TellsWhatIsMissingFromWhatIsUnknown) {
  other_.save(Stock("c", 10));
  other_.save(Stock("d", 10));
  other_.save(Stock("e", 10));
  const auto update_all = [](EntityTransaction& transaction) {
    for (const char* article : {"a", "b", "c", "d", "e"}) transaction.apply<&Stock::refill>(article, 1);
    Stock stock = transaction.load<Stock>("a").value();
    stock.set_price(2);
    transaction.save(stock);
  };
  faulty_.before_commit([](int nth) {
    if (nth == 2) return Fate::kUnknownDone;
    if (nth == 3) return Fate::kCrashes;
    if (nth == 4) throw std::runtime_error("not made by AutoShard");
    if (nth == 5) throw 5;
    return Fate::kCommits;
  });
  std::string message;
  try {
    mapper_.transact(update_all);
  } catch (const OutcomeUnknown& error) {
    message = error.what();
  }
  const std::size_t missing = message.find("missing"), unknown = message.find("unknown outcome");
  ASSERT_NE(missing, std::string::npos) << message;
  ASSERT_NE(unknown, std::string::npos) << message;
  EXPECT_LT(missing, unknown);
  for (const char* article : {"\"b\"", "\"c\"", "\"d\""}) {
    EXPECT_GT(message.find(article), missing) << message;
    EXPECT_LT(message.find(article), unknown) << message;
  }
  EXPECT_GT(message.find("\"a\""), unknown) << message;
  EXPECT_EQ(message.find("\"e\""), std::string::npos) << message;
  EXPECT_EQ(load("a").pieces(), 11);
  EXPECT_EQ(load("d").pieces(), 10);
  EXPECT_EQ(load("e").pieces(), 11);
}

TEST_P(TransactTest, UpdatesOfWhatIsErasedRightAfterItVanish) {
  for (const bool again : {false, true}) {
    faulty_.before_commit([&](int nth) {
      if (nth == 2) {
        other_.erase<Stock>("a");
        if (again) other_.save(Stock("a", 50));
      }
      return Fate::kCommits;
    });
    mapper_.transact([](EntityTransaction& transaction) { transaction.apply<&Stock::refill>("a", 1); });
    EXPECT_EQ(other_.exists<Stock>("a"), again);
    if (!again) other_.save(Stock("a", 10));
  }
  EXPECT_EQ(load("a").pieces(), 50);
}

TEST_P(TransactTest, ErasesWithEverythingThatComesMeanwhile) {
  faulty_.before_commit([&](int nth) {
    if (nth == 1) other_.apply<&Stock::sell>("a", 1, "late");
    return Fate::kCommits;
  });
  mapper_.transact([](EntityTransaction& transaction) {
    transaction.apply<&Stock::refill>("a", 1);
    transaction.erase<Stock>("a");
    transaction.save(Stock("c", 1));
    transaction.erase<Stock>("c");
  });
  EXPECT_FALSE(other_.exists<Stock>("a"));
  EXPECT_FALSE(other_.exists<Stock>("c"));
  other_.erase<Stock>("b");
  EXPECT_TRUE(records(*store_).empty());
}

/// In the state that the transaction began with it is there; what lies in the store by now is not the
/// entity's.
TEST_P(TransactTest, ALoadOfWhatIsErasedMeanwhileIsTriedAgain) {
  const detail::EntityKey key = detail::entity_key("Stock", std::string("a"));
  for (const bool leaves_a_tombstone : {true, false}) {
    int attempts = 0;
    mapper_.transact([&](EntityTransaction& transaction) {
      const bool is_there = transaction.exists<Stock>("a");
      EXPECT_EQ(is_there, ++attempts == 1);
      if (is_there && leaves_a_tombstone) {
        FaultyStore crashing(*store_);
        crashing.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
        EXPECT_TRUE(Mapper(crashing, {.compact_every = std::chrono::milliseconds(0)}).erase<Stock>("a"));
      } else if (is_there) {
        EXPECT_TRUE(other_.erase<Stock>("a"));
        const auto foreign = store_->begin();
        foreign->put(detail::shard_key(key, "pieces", 0), "\x91\x05");
        EXPECT_EQ(foreign->commit(), CommitOutcome::kCommitted);
      }
      const std::optional<Stock> loaded = transaction.load<Stock>("a");
      EXPECT_EQ(loaded.has_value(), is_there);
      if (loaded) {
        EXPECT_EQ(loaded->pieces(), 0);
      }
      transaction.apply<&Stock::refill>("b", 1);
    });
    EXPECT_EQ(attempts, 2);
    other_.erase<Stock>("a");
    if (leaves_a_tombstone) other_.save(Stock("a", 10));
  }
  EXPECT_EQ(load("b").pieces(), 12);
}

TEST_P(TransactTest, ATypeNeedsNoRoomForASumOutsideOfTheBounds) {
  using shop::Purse;
  mapper_.save(Purse(1));
  mapper_.apply<&Purse::stamp>(1, short{-26'000});
  const auto stamp = [&](std::vector<short> parts) {
    mapper_.transact([&](EntityTransaction& transaction) {
      for (const short part : parts) transaction.apply<&Purse::stamp>(1, part);
    });
    return mapper_.load<Purse>(1).value().stamps();
  };
  EXPECT_EQ(stamp({20'000, 20'000, 1, -1}), 14'000);
  EXPECT_THAT([&] { stamp({20'000, 20'000}); }, ThrowsMessage<OutcomeUnknown>(HasSubstr("refused")));
  EXPECT_EQ(stamp({16'000}), 30'000) << "none of them counts";
  EXPECT_EQ(stamp({1, -1, -20'000, -20'000, -20'000}), -30'000);
  EXPECT_EQ(stamp({-5, 5}), -30'000) << "one after the other, the first would be refused";
}

TEST_P(TransactTest, ABoundRefusesAllUpdatesOfAnEntityAndNoOthers) {
  using shop::Purse;
  mapper_.save(Purse(1));
  mapper_.save(Purse(2));
  mapper_.apply<&Purse::stamp>(1, short{20'000});
  EXPECT_THAT(
      [&] {
        mapper_.transact([](EntityTransaction& transaction) {
          transaction.apply<&Purse::put>(1, 100L);
          transaction.apply<&Purse::stamp>(1, short{20'000});
          transaction.apply<&Purse::put>(2, 100L);
        });
      },
      ThrowsMessage<OutcomeUnknown>(
          StartsWith("the transaction is committed, do not repeat it; a bound refused the updates of these "
                     "entities, and none was made: Purse 1: stamps is 20000; ")));
  EXPECT_EQ(mapper_.load<Purse>(1).value().total(), 0);
  EXPECT_EQ(mapper_.load<Purse>(2).value().total(), 100);
}

// They cannot share a commit, for want of room in the type for their sum.
TEST_P(TransactTest, SaysThatOnlySomeUpdatesOfAnEntityWereMade) {
  using shop::Purse;
  Mapper impatient(faulty_, {.retry = {.max_attempts = 1}, .compact_every = std::chrono::milliseconds(0)});
  impatient.save(Purse(1));
  const auto stamp_twice = [&] {
    impatient.transact([](EntityTransaction& transaction) {
      for (int i = 0; i < 2; ++i) transaction.apply<&Purse::stamp>(1, short{20'000});
    });
  };
  const auto says_so = ThrowsMessage<OutcomeUnknown>(
      StartsWith("the transaction is committed, do not repeat it; only some "
                 "updates of these entities were made, load them and look: Purse 1"));
  EXPECT_THAT(stamp_twice, says_so) << "a bound refuses the second one";
  EXPECT_EQ(mapper_.load<Purse>(1).value().stamps(), 20'000);
  mapper_.apply<&Purse::stamp>(1, short{-30'000});
  faulty_.before_commit([](int nth) { return nth < 3 ? Fate::kCommits : Fate::kConflicts; });
  EXPECT_THAT(stamp_twice, says_so) << "the second one meets a conflict";
  EXPECT_EQ(mapper_.load<Purse>(1).value().stamps(), 10'000);
  other_.apply<&Purse::stamp>(1, short{-30'000});
  faulty_.before_commit([](int nth) -> Fate {
    if (nth == 3) throw 5;
    return Fate::kCommits;
  });
  EXPECT_THAT(stamp_twice, says_so) << "the second one throws what is no standard exception";
  EXPECT_EQ(mapper_.load<Purse>(1).value().stamps(), 0);
}

TEST_P(TransactTest, NoSumIsLargerThanTheGreatestInteger) {
  using ship::Hold;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  mapper_.save(Hold(1));
  EXPECT_THAT(
      [&] {
        mapper_.transact([&](EntityTransaction& transaction) {
          transaction.apply<&Hold::load>(1, kMost);
          EXPECT_EQ(transaction.load<Hold>(1).value().tons(), kMost);
          transaction.apply<&Hold::load>(1, 1);
          EXPECT_THROW(transaction.load<Hold>(1), BoundExceeded);
        });
      },
      ThrowsMessage<OutcomeUnknown>(HasSubstr("only some updates of these entities were made")));
  EXPECT_EQ(mapper_.load<Hold>(1).value().tons(), kMost);
  EXPECT_EQ(mapper_.load<Hold>(1).value().loads(), 1);
}

TEST_P(TransactTest, ALoadShowsNoValueThatItsTypeCannotHold) {
  using shop::Purse;
  mapper_.save(Purse(1));
  mapper_.apply<&Purse::stamp>(1, short{30'000});
  int most = 0;
  EXPECT_THAT(
      [&] {
        mapper_.transact([&](EntityTransaction& transaction) {
          transaction.apply<&Purse::stamp>(1, short{2'767});
          most = transaction.load<Purse>(1).value().stamps();
          transaction.apply<&Purse::stamp>(1, short{1});
          transaction.load<Purse>(1);
        });
      },
      ThrowsMessage<BoundExceeded>(HasSubstr("stamps")));
  EXPECT_EQ(most, 32'767) << "the type holds this one";
  EXPECT_EQ(mapper_.load<Purse>(1).value().stamps(), 30'000);
}

}  // namespace
}  // namespace autoshard::test
