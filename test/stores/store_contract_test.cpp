// What every store promises (store.h), run on each of them.

#include "store_contract.h"

#include <autoshard/errors.h>

#include <atomic>
#include <map>
#include <stdexcept>
#include <string_view>
#include <thread>

namespace autoshard::test {
namespace {

TEST_P(StoreContract, KeepsWhatIsCommitted) {
  EXPECT_EQ(put(*store_, "key", "value"), CommitOutcome::kCommitted);
  EXPECT_EQ(get(*store_, "key"), "value");
  EXPECT_EQ(put(*store_, "key", "other"), CommitOutcome::kCommitted);
  EXPECT_EQ(get(*store_, "key"), "other");
  EXPECT_EQ(erase(*store_, "key"), CommitOutcome::kCommitted);
  EXPECT_EQ(get(*store_, "key"), "absent");
}

TEST_P(StoreContract, KeepsAnyBytes) {
  const std::string key("\1\0\xFF", 3), value("\0\xFF\0", 3);
  put(*store_, key, value);
  put(*store_, "empty", "");
  EXPECT_EQ(get(*store_, key), value);
  EXPECT_EQ(get(*store_, "empty"), "");
  const std::string large(1 << 20, 'x');
  put(*store_, "large", large);
  EXPECT_EQ(get(*store_, "large"), large);
}

TEST_P(StoreContract, TakesTheLongestKey) {
  const std::size_t longest = store_->traits().longest_key;
  const std::string key(longest == 0 ? 1 << 16 : longest, 'x');
  put(*store_, key, "value");
  EXPECT_EQ(get(*store_, key), "value");
  const auto transaction = store_->begin();
  std::string value;
  EXPECT_TRUE(transaction->get(key, value));
  transaction->erase(key);
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(get(*store_, key), "absent");
}

TEST_P(StoreContract, RefusesAKeyThatIsTooLong) {
  const std::size_t longest = store_->traits().longest_key;
  if (longest == 0) return;
  const std::string too_long(longest + 1, 'x');
  const auto transaction = store_->begin();
  std::string value;
  EXPECT_FALSE(transaction->get(too_long, value));
  EXPECT_THROW(transaction->put(too_long, "value"), StoreUnavailable);
  transaction->erase(too_long);
  transaction->put("key", "value");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(get(*store_, too_long), "absent");
  EXPECT_EQ(get(*store_, "key"), "value");
}

TEST_P(StoreContract, TakesTheLargestCommitAndNoLarger) {
  const std::size_t largest = store_->traits().largest_commit;
  if (largest == 0) return;
  const std::string half(largest / 2 - 1, 'x');
  for (const std::size_t more : {0U, 1U}) {
    SCOPED_TRACE(more);
    const auto transaction = store_->begin();
    transaction->put("a", half + "to be overwritten");
    transaction->put("a", half);
    transaction->put("b", std::string(largest - 1 - half.size() - 1 - 5 + more, 'y'));
    transaction->erase("erase");
    std::string value;
    transaction->get("read", value);
    if (more == 0) {
      EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
      EXPECT_EQ(get(*store_, "a"), half);
      erase(*store_, "a");
      erase(*store_, "b");
    } else {
      EXPECT_THROW(transaction->commit(), CommitTooLarge);
      EXPECT_EQ(get(*store_, "a"), "absent");
      EXPECT_EQ(get(*store_, "b"), "absent");
    }
  }
  EXPECT_EQ(put(*store_, "a", half), CommitOutcome::kCommitted);
}

TEST_P(StoreContract, AWriteThatThrowsLeavesTheTransactionAsItWas) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the text that is too long is no text for a sanitizer";
#endif
  put(*store_, "key", "value");
  const std::string_view too_long("", std::string().max_size() + 1);
  const auto transaction = store_->begin();
  std::string value;
  ASSERT_TRUE(transaction->get("key", value));
  EXPECT_THROW(transaction->put("key", too_long), std::length_error);
  EXPECT_TRUE(transaction->get("key", value));
  EXPECT_EQ(value, "value");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(get(*store_, "key"), "value");
}

TEST_P(StoreContract, WritesNothingWithoutACommit) {
  store_->begin()->put("key", "value");
  EXPECT_EQ(get(*store_, "key"), "absent");
}

TEST_P(StoreContract, WritesAllOrNothing) {
  const auto transaction = store_->begin();
  std::string value;
  transaction->get("read", value);
  transaction->put("one", "1");
  transaction->put("two", "2");
  put(*store_, "read", "changed");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kConflict);
  EXPECT_EQ(get(*store_, "one"), "absent");
  EXPECT_EQ(get(*store_, "two"), "absent");
}

TEST_P(StoreContract, SeesItsOwnWrites) {
  put(*store_, "kept", "old");
  put(*store_, "gone", "old");
  const auto transaction = store_->begin();
  transaction->put("kept", "new");
  transaction->erase("gone");
  std::string value;
  ASSERT_TRUE(transaction->get("kept", value));
  EXPECT_EQ(value, "new");
  EXPECT_FALSE(transaction->get("gone", value));
  transaction->put("gone", "back");
  ASSERT_TRUE(transaction->get("gone", value));
  EXPECT_EQ(value, "back");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(get(*store_, "kept"), "new");
  EXPECT_EQ(get(*store_, "gone"), "back");
}

TEST_P(StoreContract, SeesTheNewestCommit) {
  const auto transaction = store_->begin();
  put(*store_, "key", "value");
  std::string value;
  ASSERT_TRUE(transaction->get("key", value));
  EXPECT_EQ(value, "value");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

/// Something that happens to a key between its being read and the commit.
struct Interference {
  std::string_view name;
  bool present;  // the key, before
  void (*act)(Store& store);
  CommitOutcome expected;
};

TEST_P(StoreContract, ValidatesWhatWasRead) {
  const Interference cases[] = {
      {"nothing", true, [](Store&) {}, CommitOutcome::kCommitted},
      {"changed", true, [](Store& store) { put(store, "read", "new"); }, CommitOutcome::kConflict},
      {"written the same", true, [](Store& store) { put(store, "read", "old"); }, CommitOutcome::kConflict},
      {"removed", true, [](Store& store) { erase(store, "read"); }, CommitOutcome::kConflict},
      {"removed and restored", true,
       [](Store& store) {
         erase(store, "read");
         put(store, "read", "old");
       },
       CommitOutcome::kConflict},
      {"still absent", false, [](Store&) {}, CommitOutcome::kCommitted},
      {"added", false, [](Store& store) { put(store, "read", "new"); }, CommitOutcome::kConflict},
      {"another key", true, [](Store& store) { put(store, "read2", "new"); }, CommitOutcome::kCommitted},
      {"only read", true,
       [](Store& store) {
         const auto transaction = store.begin();
         std::string value;
         transaction->get("read", value);
         transaction->put("elsewhere", "x");
         EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
       },
       CommitOutcome::kCommitted},
  };
  for (const bool also_write : {false, true}) {
    for (const Interference& interference : cases) {
      SCOPED_TRACE(std::string(interference.name) + (also_write ? ", written too" : ""));
      erase(*store_, "read");
      if (interference.present) put(*store_, "read", "old");
      const auto transaction = store_->begin();
      std::string value;
      EXPECT_EQ(transaction->get("read", value), interference.present);
      if (also_write) transaction->put("read", "mine");
      transaction->put("other", "mine");
      interference.act(*store_);
      EXPECT_EQ(transaction->commit(), interference.expected);
    }
  }
}

TEST_P(StoreContract, ValidatesTheFirstOfTwoReads) {
  put(*store_, "key", "1");
  const auto transaction = store_->begin();
  std::string value;
  transaction->get("key", value);
  put(*store_, "key", "2");
  transaction->get("key", value);
  transaction->put("key", "3");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kConflict);
}

TEST_P(StoreContract, ValidatesTheSecondOfTwoReads) {
  const auto transaction = store_->begin();
  std::string value;
  ASSERT_FALSE(transaction->get("key", value));
  put(*store_, "key", "value");
  const bool is_seen = transaction->get("key", value);
  erase(*store_, "key");
  transaction->put("other", "written because there is a key");
  EXPECT_EQ(transaction->commit(), is_seen ? CommitOutcome::kConflict : CommitOutcome::kCommitted);
}

TEST_P(StoreContract, ValidatesATransactionThatOnlyReads) {
  put(*store_, "key", "1");
  const auto unchanged = store_->begin();
  const auto changed = store_->begin();
  std::string value;
  unchanged->get("key", value);
  EXPECT_EQ(unchanged->commit(), CommitOutcome::kCommitted);
  changed->get("key", value);
  put(*store_, "key", "2");
  EXPECT_EQ(changed->commit(), CommitOutcome::kConflict);
}

TEST_P(StoreContract, WritesBlindlyWhatWasNotRead) {
  const auto transaction = store_->begin();
  transaction->put("key", "mine");
  put(*store_, "key", "theirs");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(get(*store_, "key"), "mine");
}

TEST_P(StoreContract, AgreesWithAModel) {
  std::mt19937_64 generator = seeded_generator();
  std::map<std::string, std::string> model;
  for (int i = 0; i < 2000; ++i) {
    const auto transaction = store_->begin();
    std::map<std::string, std::string> changed = model;
    for (std::size_t j = below(generator, 5); j > 0; --j) {
      const std::string key(1 + below(generator, 2), static_cast<char>('a' + below(generator, 4)));
      std::string value;
      switch (below(generator, 3)) {
        case 0:
          ASSERT_EQ(transaction->get(key, value), changed.contains(key));
          ASSERT_EQ(changed.contains(key) ? value : "", changed.contains(key) ? changed[key] : "");
          break;
        case 1:
          changed[key] = std::to_string(i);
          transaction->put(key, changed[key]);
          break;
        default:
          changed.erase(key);
          transaction->erase(key);
      }
    }
    if (below(generator, 4) == 0) continue;
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    model = changed;
    const auto all = records(*store_);
    ASSERT_EQ((std::map<std::string, std::string>(all.begin(), all.end())), model);
  }
}

TEST_P(StoreThreads, CountsEveryCommit) {
  constexpr int kThreads = 8, kIncrements = 300;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < kIncrements;) {
        const auto transaction = store_->begin();
        std::string value;
        const int count = transaction->get("counter", value) ? std::stoi(value) : 0;
        transaction->put("counter", std::to_string(count + 1));
        if (transaction->commit() == CommitOutcome::kCommitted) ++i;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(get(*store_, "counter"), std::to_string(kThreads * kIncrements));
}

// Two transactions that read both records, and of which each writes the other one, cannot both commit.
TEST_P(StoreThreads, AllowsNoWriteSkew) {
  put(*store_, "a", "0");
  put(*store_, "b", "0");
  constexpr int kRounds = 500;
  for (int round = 0; round < kRounds; ++round) {
    std::atomic<int> ready{0};
    CommitOutcome outcomes[2];
    const auto run = [&](int own) {
      const auto transaction = store_->begin();
      std::string value;
      transaction->get("a", value);
      transaction->get("b", value);
      transaction->put(own == 0 ? "a" : "b", std::to_string(round));
      ++ready;
      while (ready < 2) std::this_thread::yield();
      outcomes[own] = transaction->commit();
    };
    std::thread other(run, 1);
    run(0);
    other.join();
    ASSERT_FALSE(outcomes[0] == CommitOutcome::kCommitted && outcomes[1] == CommitOutcome::kCommitted);
  }
}

// Once a transaction that invalidates others is seen, none of them commits any more: what erasing relies on.
TEST_P(StoreThreads, ShowsEveryCommitThatValidatedAnEarlierValue) {
  put(*store_, "gate", "open");
  constexpr int kWriters = 4;
  for (int round = 0; round < 100; ++round) {
    std::vector<std::thread> writers;
    std::atomic<int> committed{0}, writing{kWriters};
    for (int writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([&, writer] {
        for (;;) {
          const auto transaction = store_->begin();
          std::string value;
          transaction->get("gate", value);
          if (value != "open") break;
          transaction->put("part" + std::to_string(writer), std::to_string(round));
          if (transaction->commit() == CommitOutcome::kCommitted) ++committed;
        }
        --writing;
      });
    }
    while (committed < kWriters) std::this_thread::yield();
    for (;;) {
      const auto transaction = store_->begin();
      std::string value;
      transaction->get("gate", value);
      transaction->put("gate", "closed");
      if (transaction->commit() == CommitOutcome::kCommitted) break;
    }
    const auto after = records(*store_, "part", "parz");
    while (writing > 0) std::this_thread::yield();
    for (std::thread& writer : writers) writer.join();
    ASSERT_EQ(records(*store_, "part", "parz"), after);
    put(*store_, "gate", "open");
  }
}

// A conflict means that something read has changed: two commits that only meet do not make one.
TEST_P(StoreThreads, ReadersOfARecordThatIsNotWrittenNeverConflict) {
  put(*store_, "gate", "open");
  put(*store_, "stale", "0");
  std::atomic<bool> done{false};
  // Wants to write the gate, and never does, for it conflicts elsewhere.
  const std::jthread writer([&] {
    for (int i = 0; !done; ++i) {
      const auto transaction = store_->begin();
      std::string value;
      transaction->get("gate", value);
      transaction->get("stale", value);
      put(*store_, "stale", std::to_string(i));
      transaction->put("gate", "closed");
      EXPECT_EQ(transaction->commit(), CommitOutcome::kConflict);
    }
  });
  {
    std::vector<std::jthread> readers;
    for (int reader = 0; reader < 3; ++reader) {
      readers.emplace_back([&, reader] {
        for (int i = 0; i < 2000; ++i) {
          const auto transaction = store_->begin();
          std::string value;
          transaction->get("gate", value);
          transaction->put("part" + std::to_string(reader), "x");
          EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
        }
      });
    }
  }
  done = true;
}

TEST_P(StoreThreads, SnapshotsAreConsistent) {
  std::atomic<bool> done{false};
  put(*store_, "a", "0");
  put(*store_, "b", "0");
  const std::jthread writer([&] {
    for (int i = 1; i <= 1000; ++i) {
      const auto transaction = store_->begin();
      transaction->put("a", std::to_string(i));
      transaction->put("b", std::to_string(i));
      transaction->commit();
    }
    done = true;
  });
  while (!done) {
    const auto all = records(*store_, "a", "c");
    ASSERT_EQ(all.size(), 2u);
    ASSERT_EQ(all[0].second, all[1].second);
  }
}

}  // namespace
}  // namespace autoshard::test
