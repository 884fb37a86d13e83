// Where RocksDB is told to look first for the place of a key in memory.

#include "insert_hints.h"

#include <autoshard/rocksdb_store.h>
#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb_fixture.h"

namespace autoshard {
namespace {

using rocksdb_store::insert_hints;
using ::testing::ElementsAreArray;

TEST(RocksDbInsertHints, AreForKeysThatAreWrittenAgain) {
  const auto hints = insert_hints(64 << 20);
  EXPECT_FALSE(hints->InDomain("key"));
  EXPECT_TRUE(hints->InDomain("key"));
  EXPECT_FALSE(hints->InDomain("kex"));
  EXPECT_TRUE(hints->InDomain("kex"));
  EXPECT_TRUE(hints->InDomain("key")) << "has a place of its own";
  EXPECT_EQ(hints->Transform("key"), hints->Transform("key"));
  EXPECT_NE(hints->Transform("key"), hints->Transform("kex"));
}

TEST(RocksDbInsertHints, TakeLittleOfASmallBuffer) {
  const auto hints = insert_hints(4096);
  EXPECT_FALSE(hints->InDomain("key"));
  EXPECT_FALSE(hints->InDomain("kex"));
  EXPECT_FALSE(hints->InDomain("key")) << "there is one place, which the other key has";
  EXPECT_EQ(hints->Transform("key"), hints->Transform("kex"));
}

using Records = std::vector<std::pair<std::string, std::string>>;

Records scan(const Snapshot& snapshot) {
  Records records;
  for (const auto cursor = snapshot.scan("k", "l"); cursor->valid(); cursor->next())
    records.emplace_back(cursor->key(), cursor->value());
  return records;
}

// Few places, so that hints lead to other keys more often than not, and buffers that fill up.
TEST(RocksDbInsertHints, DoNotChangeWhatIsStored) {
  const test::TemporaryFolder folder;
  RocksDbStore store(folder.path() / "store",
                     {.sync = false, .minimum_free_bytes = 0, .write_buffer_bytes = 64 << 10});
  std::mt19937 random(1);
  std::map<std::string, std::string> expected;
  std::vector<std::pair<std::unique_ptr<Snapshot>, Records>> seen;
  for (int commit = 0; commit < 2000; ++commit) {
    const auto transaction = store.begin();
    for (int write = 0; write <= commit % 7; ++write) {
      const std::string key = "k" + std::to_string(random() % (random() % 2 == 0 ? 10 : 300));
      if (random() % 8 == 0) {
        transaction->erase(key);
        expected.erase(key);
      } else {
        transaction->put(key, std::to_string(commit));
        expected[key] = std::to_string(commit);
      }
    }
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    if (commit % 100 == 0) seen.emplace_back(store.snapshot(), Records(expected.begin(), expected.end()));
  }
  seen.emplace_back(store.snapshot(), Records(expected.begin(), expected.end()));
  for (const auto& [snapshot, records] : seen) EXPECT_THAT(scan(*snapshot), ElementsAreArray(records));
}

}  // namespace
}  // namespace autoshard
