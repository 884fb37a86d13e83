#include "marked_writer.h"

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <vector>

#include "expired_records.h"
#include "expiring_record.h"
#include "faulty_store.h"
#include "keys.h"
#include "store_clock.h"
#include "test_store.h"

namespace autoshard::test {
namespace {

using detail::WriterPool;
using namespace std::chrono_literals;

constexpr CommitOutcome kCommitted = CommitOutcome::kCommitted;
constexpr CommitOutcome kConflict = CommitOutcome::kConflict;
constexpr CommitOutcome kUnknown = CommitOutcome::kUnknown;

class MarkedWriterTest : public StoreTest {
 protected:
  void SetUp() override { ASSERT_EQ(add(), kCommitted); }

  /// One transaction that adds 1 to a record.
  CommitOutcome add() { return add(writers_); }
  CommitOutcome add(WriterPool& writers) {
    const auto transaction = faulty_.begin();
    std::string value;
    transaction->get("counter", value);
    transaction->put("counter", value + '|');
    return writers.commit(*transaction);
  }
  std::size_t counter() {
    std::string value;
    store_->snapshot()->get("counter", value);
    return value.size();
  }
  /// What becomes of the next commits; all after them are committed.
  void next(std::vector<Fate> fates) {
    faulty_.before_commit([fates = std::move(fates)](int nth) {
      return static_cast<std::size_t>(nth) <= fates.size() ? fates[static_cast<std::size_t>(nth) - 1]
                                                           : Fate::kCommits;
    });
  }
  std::size_t marks() {
    return records(*store_, detail::begin_of_expiring(), detail::end_of_expiring()).size();
  }
  void expire_marks() {
    detail::StoreClock clock(*store_);
    detail::platform::Clock::time_point now{};
    detail::SeenMarks seen([&] { return now; });
    for (int look = 0; look < 2; ++look, now += detail::SeenMarks::kWhile) {
      detail::ExpiredRecords expiry(*store_, clock, seen, {detail::expires_after(detail::kMarkLifetime) + 1});
      while (expiry.remove_some()) {
      }
    }
    ASSERT_EQ(marks(), 0u);
  }

  FaultyStore faulty_{*store_, FaultyStore::Acknowledgements::kMayBeLost};
  RetryPolicy policy_{.initial_backoff = 1us};
  WriterPool writers_{faulty_, policy_};
};
INSTANTIATE_TEST_SUITE_P(Stores, MarkedWriterTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(MarkedWriterTest, FindsOutThatACommitTookEffect) {
  next({Fate::kUnknownDone});
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(faulty_.commits(), 1);
  EXPECT_EQ(counter(), 2u);
  EXPECT_EQ(writers_.resolved(), 1u);
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(faulty_.commits(), 2);
}

TEST_P(MarkedWriterTest, OrThatItDidNot) {
  next({Fate::kUnknownLost});
  EXPECT_EQ(add(), kConflict);
  EXPECT_EQ(counter(), 1u);
  EXPECT_EQ(writers_.resolved(), 1u);
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 2u);
}

TEST_P(MarkedWriterTest, ACommitThatArrivesBeforeTheFenceCounts) {
  faulty_.before_commit([&](int nth) {
    if (nth == 1) return Fate::kUnknownLate;
    if (nth == 2) {
      EXPECT_EQ(faulty_.deliver(), kCommitted);
    }
    return Fate::kCommits;
  });
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(faulty_.commits(), 2);
  EXPECT_EQ(counter(), 2u);
}

TEST_P(MarkedWriterTest, OneThatArrivesAfterItNeverDoes) {
  next({Fate::kUnknownLate});
  EXPECT_EQ(add(), kConflict);
  EXPECT_EQ(faulty_.deliver(), kConflict);
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 2u);
}

TEST_P(MarkedWriterTest, TheFenceMayBeUnknownToo) {
  for (const Fate fence : {Fate::kUnknownDone, Fate::kUnknownLost, Fate::kUnknownLate, Fate::kConflicts}) {
    const std::size_t before = counter();
    next({Fate::kUnknownLate, fence});
    EXPECT_EQ(add(), kConflict);
    EXPECT_EQ(faulty_.deliver(), kConflict);
    while (faulty_.late() > 0) {
      EXPECT_EQ(faulty_.deliver(), kConflict) << "the first fence, after the second";
    }
    EXPECT_EQ(counter(), before);
    EXPECT_EQ(add(), kCommitted);
    EXPECT_EQ(marks(), 1u);
  }
}

TEST_P(MarkedWriterTest, ACommitMayArriveBetweenTwoFences) {
  next({Fate::kUnknownLate, Fate::kUnknownLate});
  int begun = 0;
  faulty_.before_begin([&] {
    if (++begun != 3) return;  // one for the commit, one for the first fence
    EXPECT_EQ(faulty_.deliver(), kCommitted);
    EXPECT_EQ(faulty_.deliver(), kConflict) << "the first fence";
  });
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 2u);
}

TEST_P(MarkedWriterTest, AFenceThatIsLateIsOneAllTheSame) {
  next({Fate::kUnknownLost, Fate::kUnknownLate});
  int begun = 0;
  faulty_.before_begin([&] {
    if (++begun == 3) {
      EXPECT_EQ(faulty_.deliver(), kCommitted);
    }
  });
  EXPECT_EQ(add(), kConflict);
  EXPECT_EQ(faulty_.commits(), 2) << "there is no second one";
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 2u);
}

TEST_P(MarkedWriterTest, WaitsWhileTheStoreIsAway) {
  for (const Fate fate : {Fate::kUnknownDone, Fate::kUnknownLost}) {
    const std::size_t before = counter();
    next({fate, Fate::kCrashes, Fate::kCrashes});
    int looks = 0;
    faulty_.before_begin([&] {
      ++looks;
      if (looks > 1 && looks < 20) throw StoreUnavailable("away");
    });
    const CommitOutcome outcome = add();
    EXPECT_EQ(outcome, fate == Fate::kUnknownDone ? kCommitted : kConflict);
    EXPECT_GE(looks, 20);
    EXPECT_EQ(counter() - before, outcome == kCommitted ? 1u : 0u);
  }
}

TEST_P(MarkedWriterTest, GivesUpInTheEnd) {
  policy_.resolve_within = 0us;
  next({Fate::kUnknownLate, Fate::kCrashes});
  EXPECT_EQ(add(), kUnknown);
  EXPECT_EQ(writers_.resolved(), 0u);
  EXPECT_EQ(add(), kCommitted) << "with another mark";
  EXPECT_EQ(marks(), 2u);
  EXPECT_EQ(faulty_.deliver(), kConflict) << "because of the counter";
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 3u);
}

TEST_P(MarkedWriterTest, WhatWasRemovedDoesNotCountAsNotCommitted) {
  for (const Fate fate : {Fate::kUnknownDone, Fate::kUnknownLost}) {
    int begun = 0;
    faulty_.before_begin([&] {
      if (++begun == 2) expire_marks();  // the process was stopped for longer than marks last
    });
    next({fate});
    EXPECT_EQ(add(), kUnknown);
    faulty_.before_begin(nullptr);
    EXPECT_EQ(add(), kCommitted);
  }
}

TEST_P(MarkedWriterTest, WhoLosesItsMarkMakesAnother) {
  expire_marks();
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(marks(), 1u);
  next({Fate::kUnknownDone});
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 3u);
}

TEST_P(MarkedWriterTest, AMarkThatExpiresMeanwhileIsAConflict) {
  faulty_.before_commit([&](int nth) {
    if (nth == 1) expire_marks();
    return Fate::kCommits;
  });
  EXPECT_EQ(add(), kConflict);
  EXPECT_EQ(counter(), 1u);
  EXPECT_EQ(add(), kCommitted);
}

TEST_P(MarkedWriterTest, WithoutAMarkNothingIsWritten) {
  WriterPool others(faulty_, policy_);
  next({Fate::kUnknownDone, Fate::kUnknownLost, Fate::kConflicts});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(add(others), kConflict);
  EXPECT_EQ(counter(), 1u);
  EXPECT_EQ(add(others), kCommitted);
  EXPECT_EQ(counter(), 2u);
  EXPECT_EQ(marks(), 3u) << "one of them nobody's";
}

TEST_P(MarkedWriterTest, AMarkThatIsGoneAtOnceIsAConflict) {
  WriterPool others(faulty_, policy_);
  faulty_.before_get([&, reads = 0]() mutable {
    if (++reads == 3) expire_marks();  // after the counter, and the place of the new mark
  });
  EXPECT_EQ(add(others), kConflict);
  faulty_.before_get(nullptr);
  EXPECT_EQ(counter(), 1u);
  EXPECT_EQ(add(others), kCommitted);
}

TEST_P(MarkedWriterTest, AMarkThatIsAheadTellsNothing) {
  faulty_.before_commit([&](int nth) {
    if (nth > 1) return Fate::kCommits;
    const auto [key, mark] = records(*store_, detail::begin_of_expiring(), detail::end_of_expiring()).front();
    std::string ahead;
    detail::encode_expiring(ahead, detail::expires_after(detail::kMarkLifetime), 100);
    const auto transaction = store_->begin();
    transaction->put(key, ahead);
    EXPECT_EQ(transaction->commit(), kCommitted);
    return Fate::kUnknownLost;
  });
  EXPECT_EQ(add(), kUnknown);
  writers_.remove_marks();
  EXPECT_EQ(marks(), 1u) << "that mark is not this writer's any more";
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 2u);
}

TEST_P(MarkedWriterTest, AnExceptionOfTheStoreChangesNothing) {
  next({Fate::kCrashes});
  EXPECT_THROW(add(), StoreUnavailable);
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 2u);
  EXPECT_EQ(marks(), 1u);
}

TEST_P(MarkedWriterTest, HasAMarkForEachCommitUnderWay) {
  faulty_.before_commit([&](int nth) {
    if (nth == 1) {
      const auto transaction = faulty_.begin();
      transaction->put("other", "1");
      EXPECT_EQ(writers_.commit(*transaction), kCommitted);
    }
    return nth == 1 ? Fate::kUnknownLate : Fate::kCommits;
  });
  EXPECT_EQ(add(), kConflict);
  EXPECT_EQ(faulty_.deliver(), kConflict);
  EXPECT_EQ(marks(), 2u);
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(marks(), 2u);
}

TEST_P(MarkedWriterTest, LeavesNothingBehind) {
  next({Fate::kUnknownLate});
  ASSERT_EQ(add(), kConflict);
  writers_.remove_marks();
  EXPECT_EQ(marks(), 0u);
  EXPECT_EQ(faulty_.deliver(), kConflict) << "what was fenced off stays so";
  EXPECT_EQ(counter(), 1u);
}

TEST_P(MarkedWriterTest, ItsRemovalMayFail) {
  next({Fate::kCrashes});
  writers_.remove_marks();
  EXPECT_EQ(marks(), 1u);
  expire_marks();
}

/// A store in which another process has drawn the number of each mark before.
class DrawnMarksStore final : public Store {
 public:
  explicit DrawnMarksStore(Store& store) : store_(store) {}

  bool draws = true;

  StoreTraits traits() const override {
    StoreTraits traits = store_.traits();
    traits.acknowledgements_may_be_lost = true;
    return traits;
  }
  std::unique_ptr<Snapshot> snapshot() override { return store_.snapshot(); }
  std::unique_ptr<Transaction> begin() override {
    return std::make_unique<DrawnMarksTransaction>(*this, store_.begin());
  }

 private:
  class DrawnMarksTransaction final : public Transaction {
   public:
    DrawnMarksTransaction(DrawnMarksStore& store, std::unique_ptr<Transaction> transaction)
        : store_(store), transaction_(std::move(transaction)) {}

    bool get(std::string_view key, std::string& value) override {
      const bool is_mark = key >= detail::begin_of_expiring() && key < detail::end_of_expiring();
      if (is_mark && store_.draws) store_.put_mark(key);
      return transaction_->get(key, value);
    }
    void put(std::string_view key, std::string_view value) override { transaction_->put(key, value); }
    void erase(std::string_view key) override { transaction_->erase(key); }
    CommitOutcome commit() override { return transaction_->commit(); }

   private:
    DrawnMarksStore& store_;
    std::unique_ptr<Transaction> transaction_;
  };

  void put_mark(std::string_view key) {
    std::string record;
    detail::encode_expiring(record, detail::expires_after(detail::kMarkLifetime), 7);
    const auto transaction = store_.begin();
    transaction->put(key, record);
    ASSERT_EQ(transaction->commit(), kCommitted);
  }

  Store& store_;
};

TEST_P(MarkedWriterTest, SharesNoMarkWithAnotherProcess) {
  DrawnMarksStore drawn(*store_);
  WriterPool writers(drawn, policy_);
  EXPECT_EQ(add(writers), kConflict);
  EXPECT_EQ(counter(), 1u);
  const auto others = records(*store_, detail::begin_of_expiring(), detail::end_of_expiring());
  drawn.draws = false;
  EXPECT_EQ(add(writers), kCommitted);
  for (const auto& [key, mark] : others) {
    std::string now;
    EXPECT_TRUE(store_->snapshot()->get(key, now) && now == mark) << "the mark of the other process";
  }
}

TEST_P(MarkedWriterTest, StoresThatAlwaysKnowHaveNoMarks) {
  expire_marks();
  FaultyStore knows(*store_);
  WriterPool writers(knows, policy_);
  for (const Fate fate : {Fate::kCommits, Fate::kUnknownDone}) {
    knows.before_commit([&](int) { return fate; });
    const auto transaction = knows.begin();
    transaction->put("other", "1");
    EXPECT_EQ(writers.commit(*transaction), fate == Fate::kCommits ? kCommitted : kUnknown);
    EXPECT_EQ(knows.commits(), 1);
  }
  EXPECT_EQ(marks(), 0u);
}

class ExpiryTest : public StoreTest {
 protected:
  void put(std::string_view key, std::int64_t until) {
    std::string record;
    detail::encode_expiring(record, until);
    const auto transaction = store_->begin();
    transaction->put(key, record);
    ASSERT_EQ(transaction->commit(), kCommitted);
  }
  /// With its end by the clock of the store.
  void put_token(int number, std::int64_t until, std::uint64_t end) {
    std::string record;
    detail::encode_expiring(record, until, end);
    const auto transaction = store_->begin();
    transaction->put(token(number), record);
    ASSERT_EQ(transaction->commit(), kCommitted);
  }
  void set_store_clock(std::uint64_t time) {
    std::string record;
    detail::StoreClock::encode(record, time);
    const auto transaction = store_->begin();
    transaction->put(detail::store_clock_key(), record);
    ASSERT_EQ(transaction->commit(), kCommitted);
  }
  static detail::RecordKey token(int number) {
    return detail::token_key(detail::EntityKeyView("entity"), std::to_string(number));
  }
  std::uint64_t remove(Store& store, std::int64_t now) {
    detail::StoreClock clock(store);
    detail::SeenMarks marks;
    detail::ExpiredRecords expiry(store, clock, marks, {now});
    while (expiry.remove_some()) {
    }
    return expiry.removed();
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, ExpiryTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(ExpiryTest, RemovesWhatHasExpiredAndNothingElse) {
  put("entity", 0);
  put(detail::lease_key("expirinf"), 0);
  put(detail::lease_key("expirinh"), 0);
  for (int i = 0; i < 10'000; ++i) put(token(i), i);
  EXPECT_EQ(remove(*store_, 8'999), 9'000u);
  EXPECT_EQ(records(*store_).size(), 1'003u);
  EXPECT_EQ(remove(*store_, 8'999), 0u);
  EXPECT_EQ(remove(*store_, 9'999), 1'000u);
}

TEST_P(ExpiryTest, TokensEndByTheClockOfTheStore) {
  constexpr std::int64_t kFarAhead = std::int64_t{1} << 50;
  put_token(1, 0, 10);
  put_token(2, kFarAhead, 20);
  EXPECT_EQ(remove(*store_, kFarAhead), 0u) << "no time has passed for the store";
  set_store_clock(10);
  EXPECT_EQ(remove(*store_, 0), 1u);
  EXPECT_EQ(remove(*store_, kFarAhead), 0u);
  set_store_clock(20);
  EXPECT_EQ(remove(*store_, 0), 1u);
}

TEST_P(ExpiryTest, TokensOfEarlierVersionsEndByTheClockOfTheMachine) {
  put(token(1), 10);
  set_store_clock(std::uint64_t{1} << 50);
  EXPECT_EQ(remove(*store_, 9), 0u);
  EXPECT_EQ(remove(*store_, 10), 1u);
}

TEST_P(ExpiryTest, LeavesWhatIsUsedMeanwhile) {
  put(token(1), 1);
  FaultyStore faulty(*store_);
  faulty.before_commit([&](int) {
    put(token(1), 5);
    return Fate::kCommits;
  });
  EXPECT_EQ(remove(faulty, 2), 0u);
  EXPECT_EQ(remove(*store_, 4), 0u);
  EXPECT_EQ(remove(*store_, 5), 1u);
}

/// Between the look at them and the transaction that removes them.
TEST_P(ExpiryTest, LooksAgainBeforeItRemoves) {
  put(token(1), 1);
  put(token(2), 1);
  put(token(3), 1);
  FaultyStore faulty(*store_);
  faulty.before_get([&, reads = 0]() mutable {
    if (++reads != 1) return;
    put(token(1), 5);
    const auto transaction = store_->begin();
    transaction->erase(token(2));
    ASSERT_EQ(transaction->commit(), kCommitted);
  });
  EXPECT_EQ(remove(faulty, 2), 1u);
  EXPECT_EQ(remove(*store_, 5), 1u) << "the one that was used";
}

TEST_P(ExpiryTest, LeavesWhatItCannotRead) {
  const auto transaction = store_->begin();
  transaction->put(token(1), "nonsense");
  ASSERT_EQ(transaction->commit(), kCommitted);
  put(token(2), 1);
  EXPECT_EQ(remove(*store_, 1), 1u);
  EXPECT_EQ(records(*store_).size(), 1u);
}

// A batch looks at so many records, and goes on where the last one ended.
TEST_P(MarkedWriterTest, WhatHasExpiredIsFoundBehindMuchThatHasNot) {
  constexpr std::uint64_t kMore = 5'000;
  const auto transaction = store_->begin();
  std::string mark;
  for (std::uint64_t id = 0; id <= kMore; ++id) {
    detail::encode_expiring(mark, id < kMore ? 1'000 : 10, 1);
    transaction->put(detail::writer_key(id), mark);
  }
  ASSERT_EQ(transaction->commit(), kCommitted);
  detail::StoreClock clock(*store_);
  detail::platform::Clock::time_point now{};
  detail::SeenMarks seen([&] { return now; });
  detail::ExpiredRecords before(*store_, clock, seen, {10});
  while (before.remove_some()) {
  }
  EXPECT_EQ(before.removed(), 0U) << "it has just seen it";
  now += detail::SeenMarks::kWhile;
  detail::ExpiredRecords expiry(*store_, clock, seen, {10});
  EXPECT_TRUE(expiry.remove_some());
  EXPECT_EQ(expiry.removed(), 0U);
  EXPECT_FALSE(expiry.remove_some());
  EXPECT_EQ(expiry.removed(), 1U);
  EXPECT_EQ(marks(), kMore + 1) << "with that of the writer";
}

// A clock that is ahead makes a mark seem to be old.
TEST_P(MarkedWriterTest, AMarkThatIsUsedStaysWhateverAClockShows) {
  detail::StoreClock clock(*store_);
  detail::platform::Clock::time_point now{};
  detail::SeenMarks seen([&] { return now; });
  const auto remove = [&] {
    detail::ExpiredRecords expiry(*store_, clock, seen, {detail::expires_after(100 * detail::kMarkLifetime)});
    while (expiry.remove_some()) {
    }
    return expiry.removed();
  };
  for (int commit = 0; commit < 5; ++commit) {
    EXPECT_EQ(add(), kCommitted);
    EXPECT_EQ(remove(), 0U);
    now += detail::SeenMarks::kWhile;
  }
  faulty_.before_begin([&, begun = 0]() mutable {
    if (++begun == 2) {
      EXPECT_EQ(remove(), 0U);
    }
  });
  next({Fate::kUnknownDone});
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(writers_.resolved(), 1U);
  EXPECT_EQ(remove(), 0U) << "it is another by now";
  now += detail::SeenMarks::kWhile;
  EXPECT_EQ(remove(), 1U);
}

// It is for entities.
TEST_P(MarkedWriterTest, TheClockOfAMapperDoesNotDecideAboutRecordsOfMappers) {
  const detail::RecordKey key = detail::token_key(detail::entity_key("Flight", 1), "token");
  std::string token;  // of an earlier release, which goes by the clock of the machine
  detail::encode_expiring(token, detail::expires_after(detail::kMarkLifetime));
  const auto transaction = store_->begin();
  transaction->put(key, token);
  ASSERT_EQ(transaction->commit(), kCommitted);
  Mapper ahead(*store_, {.compact_every = std::chrono::milliseconds(0), .clock = [] {
                           return std::chrono::system_clock::now() + 10 * detail::kMarkLifetime;
                         }});
  admin::compact(ahead);
  EXPECT_TRUE(store_->snapshot()->get(key, token));
}

// Of more than it can remember it still removes all, a part at a time.
TEST(SeenMarks, AreNotTooManyToBeRemoved) {
  detail::platform::Clock::time_point now{};
  detail::SeenMarks seen([&] { return now; });
  constexpr std::size_t kMarks = detail::SeenMarks::kMost + 10;
  std::size_t left = kMarks;
  for (int look = 0; look < 3; ++look, now += detail::SeenMarks::kWhile) {
    const std::size_t before = std::exchange(left, 0);
    for (std::size_t mark = kMarks - before; mark < kMarks; ++mark) {
      if (seen.has_stayed(detail::writer_key(mark), "mark")) {
        seen.forget(detail::writer_key(mark));
      } else {
        ++left;
      }
    }
  }
  EXPECT_EQ(left, 0U);
}

// Those that their writers have removed meanwhile are not looked at any more.
TEST(SeenMarks, ForgetWhatIsThereNoMore) {
  detail::platform::Clock::time_point now{};
  detail::SeenMarks seen([&] { return now; });
  for (std::size_t mark = 0; mark < detail::SeenMarks::kMost; ++mark)
    EXPECT_FALSE(seen.has_stayed(detail::writer_key(mark), "mark"));
  now += detail::kMarkLifetime;
  EXPECT_FALSE(seen.has_stayed("another", "mark"));
  now += detail::SeenMarks::kWhile;
  EXPECT_TRUE(seen.has_stayed("another", "mark"));
}

}  // namespace
}  // namespace autoshard::test
