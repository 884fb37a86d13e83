// A disk that fills up.

#include <sys/mount.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST_F(RocksDbStoreTest, RefusesToWriteBelowTheFloorButReads) {
  {
    RocksDbStore store(path_, kFast);
    put(store, "key", "value");
  }
  {
    RocksDbStore store(path_, {.minimum_free_bytes = std::uint64_t{1} << 60});
    const auto transaction = store.begin();
    transaction->put("key", "other");
    EXPECT_THAT([&] { transaction->commit(); }, ThrowsMessage<StoreUnavailable>(HasSubstr("bytes free")));
    EXPECT_EQ(records(store).front().second, "value");
  }
  RocksDbStore store(path_, kFast);
  put(store, "key", "other");
}

/// A file system that is small enough to fill, as far as this process may mount one.
class FullDisk : public RocksDbStoreTest {
 protected:
  void SetUp() override {
    disk_ = folder_.path() / "disk";
    fs::create_directory(disk_);
    if (mount("tmpfs", disk_.c_str(), "tmpfs", 0, "size=64m") != 0) {
      const char* reason = std::strerror(errno);
      disk_.clear();
      GTEST_SKIP() << "NOT TESTED: a full disk, for no file system can be mounted here: " << reason;
    }
  }
  void TearDown() override {
    if (disk_.empty()) return;
    EXPECT_EQ(umount(disk_.c_str()), 0) << std::strerror(errno);
  }

  fs::path disk_;
};

TEST_F(FullDisk, StopsWritingInTimeAndResumes) {
  const RocksDbOptions options{.sync = true, .minimum_free_bytes = 12 << 20, .write_buffer_bytes = 1 << 20};
  int accepted = 0;
  {
    RocksDbStore store(disk_ / "store", options);
    std::mt19937_64 generator(1);
    std::string value(8 << 10, ' ');
    const auto write = [&](int number) {
      for (char& byte : value) byte = static_cast<char>(generator());
      const auto transaction = store.begin();
      transaction->put("key" + std::to_string(number), value);
      return transaction->commit();
    };
    const auto fill = [&] {
      for (; accepted < 100'000; ++accepted) ASSERT_EQ(write(accepted), CommitOutcome::kCommitted);
    };
    EXPECT_THROW(fill(), StoreUnavailable);
    EXPECT_GT(accepted, 100);
    EXPECT_EQ(records(store).size(), static_cast<std::size_t>(accepted));

    ASSERT_EQ(mount("tmpfs", disk_.c_str(), "tmpfs", MS_REMOUNT, "size=128m"), 0);
    ASSERT_EQ(write(accepted++), CommitOutcome::kCommitted);
  }
  RocksDbStore store(disk_ / "store", options);
  EXPECT_EQ(records(store).size(), static_cast<std::size_t>(accepted));
}

// Each would fit above the floor before it is written, but not with its log and its sorted file.
TEST_F(FullDisk, RefusesACommitThatIsTooLarge) {
  const RocksDbOptions options{.sync = true, .minimum_free_bytes = 12 << 20};
  for (const std::size_t mebibytes : {80u, 49u, 30u}) {
    SCOPED_TRACE(mebibytes);
    RocksDbStore store(disk_ / "store", options);
    put(store, "small", "value");
    const auto transaction = store.begin();
    transaction->put("large", std::string(mebibytes << 20, 'x'));
    EXPECT_THROW(transaction->commit(), StoreUnavailable);
    put(store, "small", "other");
    EXPECT_EQ(records(store).size(), 1u);
  }
  for (std::size_t accepted = 0;; ++accepted) {
    RocksDbStore store(disk_ / "store", options);
    ASSERT_EQ(records(store).size(), 1 + accepted);
    const auto transaction = store.begin();
    transaction->put("large" + std::to_string(accepted), std::string(8 << 20, 'x'));
    try {
      ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    } catch (const StoreUnavailable&) {
      EXPECT_GE(accepted, 1u);
      break;
    }
  }
}

TEST_F(FullDisk, CountsLargeCommitsThatAreWrittenAtTheSameTime) {
  RocksDbStore store(disk_ / "store", {.sync = true, .minimum_free_bytes = 12 << 20});
  std::atomic<std::size_t> accepted{0};
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 6; ++thread) {
      threads.emplace_back([&, thread] {
        const auto transaction = store.begin();
        transaction->put(std::to_string(thread), std::string(14 << 20, static_cast<char>('a' + thread)));
        try {
          if (transaction->commit() == CommitOutcome::kCommitted) ++accepted;
        } catch (const StoreUnavailable&) {
        }
      });
    }
  }
  EXPECT_EQ(records(store).size(), accepted);
  EXPECT_LE(accepted, 2u);
}

// Somebody else may use up the space as well.
TEST_F(FullDisk, StopsWritingWhenOthersFillTheDisk) {
  const RocksDbOptions options{.sync = true, .minimum_free_bytes = 12 << 20, .write_buffer_bytes = 1 << 20};
  RocksDbStore store(disk_ / "store", options);
  put(store, "key", "value");
  {
    std::ofstream filler(disk_ / "filler");
    const std::string block(1 << 20, 'x');
    while (filler.write(block.data(), 1 << 20).flush()) {
    }
  }
  const auto write = [&] {
    for (int i = 0; i < 100'000; ++i) {
      const auto transaction = store.begin();
      transaction->put("key", "other");
      transaction->commit();
    }
  };
  EXPECT_THROW(write(), StoreUnavailable);
  fs::remove(disk_ / "filler");
  put(store, "key", "again");
}

}  // namespace
}  // namespace autoshard::test
