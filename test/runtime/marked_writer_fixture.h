#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "expired_records.h"
#include "expiring_record.h"
#include "marked_writer.h"
#include "store_clock.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {

inline constexpr CommitOutcome kCommitted = CommitOutcome::kCommitted;
inline constexpr CommitOutcome kConflict = CommitOutcome::kConflict;
inline constexpr CommitOutcome kUnknown = CommitOutcome::kUnknown;

/// Commits whose outcome may be unknown, by a writer with a mark.
class MarkedWriterTest : public StoreTest {
 protected:
  void SetUp() override { ASSERT_EQ(add(), kCommitted); }

  /// One transaction that adds 1 to a record.
  CommitOutcome add() { return add(writers_); }
  CommitOutcome add(detail::WriterPool& writers) {
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
  RetryPolicy policy_{.initial_backoff = std::chrono::microseconds(1)};
  detail::WriterPool writers_{faulty_, policy_};
};

}  // namespace autoshard::test
