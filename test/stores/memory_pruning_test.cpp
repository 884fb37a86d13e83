// A MemoryStore drops values that no snapshot shows, and no others.

#include <autoshard/memory_store.h>
#include <autoshard/store.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace autoshard::test {
namespace {

void put(Store& store, std::string_view value) {
  const std::unique_ptr<Transaction> transaction = store.begin();
  transaction->put("key", value);
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

void erase(Store& store) {
  const std::unique_ptr<Transaction> transaction = store.begin();
  transaction->erase("key");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

TEST(MemoryPruning, KeepsARecordThatIsMadeAnewWhileASnapshotShowsThatThereIsNone) {
  MemoryStore store;
  put(store, "first");
  const std::unique_ptr<Snapshot> before = store.snapshot();
  erase(store);
  const std::unique_ptr<Snapshot> between = store.snapshot();
  put(store, "second");
  std::string value;
  EXPECT_TRUE(before->get("key", value));
  EXPECT_EQ(value, "first");
  EXPECT_FALSE(between->get("key", value));
  EXPECT_TRUE(store.snapshot()->get("key", value));
  EXPECT_EQ(value, "second");
}

TEST(MemoryPruning, KeepsWhatTheNewestSnapshotShowsWhenOlderOnesEnd) {
  MemoryStore store;
  put(store, "first");
  std::unique_ptr<Snapshot> before = store.snapshot();
  erase(store);
  const std::unique_ptr<Snapshot> between = store.snapshot();
  put(store, "second");
  before.reset();
  std::string value;
  EXPECT_FALSE(between->get("key", value));
  EXPECT_TRUE(store.snapshot()->get("key", value));
  EXPECT_EQ(value, "second");
}

}  // namespace
}  // namespace autoshard::test
