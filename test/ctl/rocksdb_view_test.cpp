// A view of a RocksDB database that a store has open.

#include <autoshard/errors.h>
#include <autoshard/rocksdb_store.h>
#include <autoshard/rocksdb_view.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.h"

namespace autoshard::test {
namespace {

class RocksDbViewTest : public ::testing::Test {
 protected:
  void put(const std::string& key, const std::string& value) {
    const auto transaction = store_->begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  static std::vector<std::string> keys(const Snapshot& snapshot, Direction direction = Direction::kForward) {
    std::vector<std::string> found;
    for (const auto cursor = snapshot.scan("a", "z", direction); cursor->valid(); cursor->next())
      found.emplace_back(cursor->key());
    return found;
  }

  /// The content of all files of the database.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path() / "db")) {
      std::ifstream in(entry.path(), std::ios::binary);
      files.emplace(entry.path().filename(), std::string(std::istreambuf_iterator<char>(in), {}));
    }
    return files;
  }

  TemporaryFolder folder_;
  std::unique_ptr<RocksDbStore> store_ =
      std::make_unique<RocksDbStore>(folder_.path() / "db", RocksDbOptions{.minimum_free_bytes = 0});
};

TEST_F(RocksDbViewTest, SeesEachCommitOfAnOpenStore) {
  const std::unique_ptr<Store> view = view_rocksdb(folder_.path() / "db");
  std::string value;
  for (int i = 0; i < 100; ++i) {
    const std::string key = "key " + std::to_string(i);
    put(key, "value");
    EXPECT_TRUE(view->snapshot()->get(key, value)) << key;
    EXPECT_EQ(value, "value");
  }
  EXPECT_EQ(keys(*view->snapshot()).size(), 100U);
}

/// Which flushes small buffers all the time.
TEST_F(RocksDbViewTest, SeesWhatIsThereWhileAStoreWrites) {
  store_.reset();
  store_ = std::make_unique<RocksDbStore>(
      folder_.path() / "db",
      RocksDbOptions{.minimum_free_bytes = 0, .write_buffer_bytes = std::size_t{1} << 16});
  for (int i = 0; i < 100; ++i) put("before " + std::to_string(i), "value");
  std::atomic<bool> stops{false};
  std::thread writer([&] {
    for (int i = 0; !stops; ++i) put("key " + std::to_string(i % 1000), std::string(1000, 'x'));
  });
  int seen = 0;
  for (int attempt = 0; attempt < 20; ++attempt) {
    try {
      const std::vector<std::string> found = keys(*view_rocksdb(folder_.path() / "db")->snapshot());
      EXPECT_EQ(
          std::ranges::count_if(found, [](const std::string& key) { return key.starts_with("before"); }),
          100);
      ++seen;
    } catch (const StoreUnavailable&) {  // the files changed all the time
    }
  }
  stops = true;
  writer.join();
  EXPECT_GT(seen, 0);
}

TEST_F(RocksDbViewTest, WalksInBothDirections) {
  for (const char* key : {"b", "a", "c"}) put(key, "");
  const std::unique_ptr<Store> view = view_rocksdb(folder_.path() / "db");
  const auto snapshot = view->snapshot();
  EXPECT_EQ(keys(*snapshot), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(keys(*snapshot, Direction::kBackward), (std::vector<std::string>{"c", "b", "a"}));
}

TEST_F(RocksDbViewTest, ChangesNothing) {
  put("a", "1");
  store_.reset();
  const auto before = files();
  {
    const std::unique_ptr<Store> view = view_rocksdb(folder_.path() / "db");
    EXPECT_EQ(keys(*view->snapshot()).size(), 1U);
    EXPECT_THROW(view->begin(), InvalidUse);
  }
  EXPECT_EQ(files(), before);
}

TEST_F(RocksDbViewTest, RefusesWhatIsNoStore) {
  EXPECT_THROW(view_rocksdb(folder_.path() / "nothing"), StoreUnavailable);
  EXPECT_THROW(view_rocksdb(folder_.path()), StoreUnavailable);
  std::filesystem::create_directory(folder_.path() / "damaged");
  std::ofstream(folder_.path() / "damaged" / "CURRENT") << "MANIFEST-000001\n";
  EXPECT_THROW(view_rocksdb(folder_.path() / "damaged"), Error);
}

}  // namespace
}  // namespace autoshard::test
