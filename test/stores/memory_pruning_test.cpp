// A MemoryStore drops values that no snapshot shows, and no others.

#include <autoshard/memory_store.h>
#include <autoshard/store.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstddef>
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

// AddressSanitizer's allocator does not count here, and ThreadSanitizer's does not either: then 0 is what is
// held.
TEST(MemoryPruning, DropsWhatNoSnapshotShowsAnyMore) {
  constexpr std::size_t kSize = 10'000;
  MemoryStore store;
  const auto held_for_changes = [&store] {
    const std::size_t before = mallinfo2().uordblks;
    for (int i = 0; i < 1'000; ++i) put(store, std::string(kSize, 'x'));
    return mallinfo2().uordblks - std::min(before, mallinfo2().uordblks);
  };
  EXPECT_LT(held_for_changes(), 10 * kSize);
  store.snapshot();
  EXPECT_LT(held_for_changes(), 10 * kSize) << "after a snapshot that has ended";
  std::unique_ptr<Snapshot> snapshot = store.snapshot();
  const std::size_t before = mallinfo2().uordblks;
  held_for_changes();
  snapshot.reset();
  EXPECT_LT(mallinfo2().uordblks, before + 10 * kSize) << "once the snapshot has ended that showed the first";
}

}  // namespace
}  // namespace autoshard::test
