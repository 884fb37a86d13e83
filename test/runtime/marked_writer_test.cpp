// What becomes of commits whose outcome is unknown, by the mark of their writer.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include "marked_writer_fixture.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;

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

}  // namespace
}  // namespace autoshard::test
