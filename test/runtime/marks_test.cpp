// The records of marks: lost, damaged, shared, removed.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "keys.h"
#include "marked_writer_fixture.h"

namespace autoshard::test {
namespace {

using detail::WriterPool;

class MarksTest : public MarkedWriterTest {};
INSTANTIATE_TEST_SUITE_P(Stores, MarksTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(MarksTest, WhatWasRemovedDoesNotCountAsNotCommitted) {
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

TEST_P(MarksTest, WhoLosesItsMarkMakesAnother) {
  expire_marks();
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(marks(), 1u);
  next({Fate::kUnknownDone});
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 3u);
}

TEST_P(MarksTest, AMarkThatExpiresMeanwhileIsAConflict) {
  faulty_.before_commit([&](int nth) {
    if (nth == 1) expire_marks();
    return Fate::kCommits;
  });
  EXPECT_EQ(add(), kConflict);
  EXPECT_EQ(counter(), 1u);
  EXPECT_EQ(add(), kCommitted);
}

TEST_P(MarksTest, WithoutAMarkNothingIsWritten) {
  WriterPool others(faulty_, policy_);
  next({Fate::kUnknownDone, Fate::kUnknownLost, Fate::kConflicts});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(add(others), kConflict);
  EXPECT_EQ(counter(), 1u);
  EXPECT_EQ(add(others), kCommitted);
  EXPECT_EQ(counter(), 2u);
  EXPECT_EQ(marks(), 3u) << "one of them nobody's";
}

TEST_P(MarksTest, AMarkThatIsGoneAtOnceIsAConflict) {
  WriterPool others(faulty_, policy_);
  faulty_.before_get([&, reads = 0]() mutable {
    if (++reads == 3) expire_marks();  // after the counter, and the place of the new mark
  });
  EXPECT_EQ(add(others), kConflict);
  faulty_.before_get(nullptr);
  EXPECT_EQ(counter(), 1u);
  EXPECT_EQ(add(others), kCommitted);
}

TEST_P(MarksTest, AMarkThatIsAheadTellsNothing) {
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

TEST_P(MarksTest, ADamagedMarkTellsNothing) {
  const auto damage = [&](std::string_view bytes) {
    const auto transaction = store_->begin();
    for (const auto& [key, mark] : records(*store_, detail::begin_of_expiring(), detail::end_of_expiring()))
      transaction->put(key, bytes);
    EXPECT_EQ(transaction->commit(), kCommitted);
  };
  std::size_t expected = 1;
  for (const std::string_view bytes : {"", "\xC1", "\x90", "mark"}) {
    damage(bytes);
    EXPECT_EQ(add(), kCommitted) << "a new mark takes its place";
    EXPECT_EQ(counter(), ++expected);
    faulty_.before_commit([&](int nth) {
      if (nth == 1) damage(bytes);
      return nth == 1 ? Fate::kUnknownLost : Fate::kCommits;
    });
    EXPECT_EQ(add(), kUnknown);
    faulty_.before_commit(nullptr);
    EXPECT_EQ(add(), kCommitted);
    EXPECT_EQ(counter(), ++expected);
  }
}

TEST_P(MarksTest, AnExceptionOfTheStoreChangesNothing) {
  next({Fate::kCrashes});
  EXPECT_THROW(add(), StoreUnavailable);
  EXPECT_EQ(add(), kCommitted);
  EXPECT_EQ(counter(), 2u);
  EXPECT_EQ(marks(), 1u);
}

TEST_P(MarksTest, HasAMarkForEachCommitUnderWay) {
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

TEST_P(MarksTest, LeavesNothingBehind) {
  next({Fate::kUnknownLate});
  ASSERT_EQ(add(), kConflict);
  writers_.remove_marks();
  EXPECT_EQ(marks(), 0u);
  EXPECT_EQ(faulty_.deliver(), kConflict) << "what was fenced off stays so";
  EXPECT_EQ(counter(), 1u);
}

TEST_P(MarksTest, ItsRemovalMayFail) {
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

TEST_P(MarksTest, SharesNoMarkWithAnotherProcess) {
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

TEST_P(MarksTest, StoresThatAlwaysKnowHaveNoMarks) {
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

// A batch looks at so many records, and goes on where the last one ended.
TEST_P(MarksTest, WhatHasExpiredIsFoundBehindMuchThatHasNot) {
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
TEST_P(MarksTest, AMarkThatIsUsedStaysWhateverAClockShows) {
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
TEST_P(MarksTest, TheClockOfAMapperDoesNotDecideAboutRecordsOfMappers) {
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

}  // namespace
}  // namespace autoshard::test
