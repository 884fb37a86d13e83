// Opening a folder that is not as it should be, and a disk that fills up.

#include <autoshard/codec.h>
#include <autoshard/errors.h>
#include <autoshard/rocksdb_store.h>
#include <gmock/gmock.h>
#include <rocksdb/db.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <thread>

#include "test_store.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const RocksDbOptions kFast{.sync = false, .minimum_free_bytes = 0};
constexpr std::string_view kFormatKey("\0\0autoshard", 11);

class RocksDbStoreTest : public ::testing::Test {
 protected:
  void put(Store& store, std::string_view key, std::string_view value) {
    const auto transaction = store.begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  /// Every file of the folder with its bytes; but not the lock, which is taken to look at the rest.
  std::map<std::string, std::string> files(const fs::path& folder) {
    std::map<std::string, std::string> all;
    for (const auto& file : fs::directory_iterator(folder)) {
      if (file.path().filename() == "LOCK") continue;
      std::ifstream in(file.path(), std::ios::binary);
      all[file.path().filename().string()] = std::string(std::istreambuf_iterator<char>(in), {});
    }
    return all;
  }

  /// A database that AutoShard has not made, with one record in it.
  void make_foreign(std::string_view key, std::string_view value) {
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* db = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(options, path_.string(), &db).ok());
    ASSERT_TRUE(db->Put({}, {key.data(), key.size()}, {value.data(), value.size()}).ok());
    delete db;
  }

  TemporaryFolder folder_;
  const fs::path path_ = folder_.path() / "store";
};

TEST_F(RocksDbStoreTest, KeepsRecordsOverReopening) {
  {
    RocksDbStore store(path_, kFast);
    put(store, "key", "value");
  }
  RocksDbStore store(path_, kFast);
  EXPECT_EQ(records(store).size(), 1u);
}

TEST_F(RocksDbStoreTest, SaysWhatItPromises) {
  RocksDbStore durable(path_, {.minimum_free_bytes = 0});
  EXPECT_TRUE(durable.traits().durable_acknowledgement);
  EXPECT_TRUE(durable.traits().snapshot_reads);
  EXPECT_FALSE(durable.traits().many_writing_processes);
  EXPECT_EQ(durable.traits().atomic_scope, StoreTraits::AtomicScope::kStore);
  RocksDbStore fast(folder_.path() / "other", kFast);
  EXPECT_FALSE(fast.traits().durable_acknowledgement);
}

TEST_F(RocksDbStoreTest, RefusesAStoreThatIsOpenHere) {
  RocksDbStore store(path_, kFast);
  EXPECT_THAT([&] { RocksDbStore second(path_, kFast); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("open already")));
  put(store, "key", "value");
}

TEST_F(RocksDbStoreTest, RefusesAStoreThatAnotherProcessHasOpen) {
  int opened[2], finish[2];
  ASSERT_EQ(pipe(opened), 0);
  ASSERT_EQ(pipe(finish), 0);
  char byte = 0;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    {
      RocksDbStore store(path_, kFast);
      if (write(opened[1], "x", 1) != 1 || read(finish[0], &byte, 1) != 1) _exit(1);
    }
    _exit(0);
  }
  ASSERT_EQ(read(opened[0], &byte, 1), 1);
  EXPECT_THAT([&] { RocksDbStore store(path_, kFast); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("open already")));
  ASSERT_EQ(write(finish[1], "x", 1), 1);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  RocksDbStore store(path_, kFast);
}

TEST_F(RocksDbStoreTest, RefusesAFile) {
  std::ofstream(path_) << "text";
  EXPECT_THAT([&] { RocksDbStore store(path_, kFast); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("not a folder")));
}

TEST_F(RocksDbStoreTest, RefusesAPathWithoutAParent) {
  EXPECT_THROW(RocksDbStore(folder_.path() / "none" / "store", kFast), StoreUnavailable);
  EXPECT_FALSE(fs::exists(folder_.path() / "none"));
}

TEST_F(RocksDbStoreTest, RefusesAFolderWithoutPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_THROW(RocksDbStore(path_, kFast), StoreUnavailable);
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

TEST_F(RocksDbStoreTest, RefusesANewerFormatAndLeavesItAlone) {
  std::string format;
  Encoder(format).natural(2);
  make_foreign(kFormatKey, format);
  const auto before = files(path_);
  EXPECT_THAT([&] { RocksDbStore store(path_, kFast); }, ThrowsMessage<SchemaMismatch>(HasSubstr("newer")));
  EXPECT_EQ(files(path_), before);
}

TEST_F(RocksDbStoreTest, RefusesADatabaseOfOthersAndLeavesItAlone) {
  make_foreign("key", "value");
  const auto before = files(path_);
  EXPECT_THAT([&] { RocksDbStore store(path_, kFast); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("none of AutoShard's")));
  EXPECT_EQ(files(path_), before);
}

TEST_F(RocksDbStoreTest, RefusesAFormatRecordOfOtherBytes) {
  make_foreign(kFormatKey, "\xC1");
  EXPECT_THROW(RocksDbStore(path_, kFast), CorruptRecord);
}

TEST_F(RocksDbStoreTest, TakesAnEmptyDatabase) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* db = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, path_.string(), &db).ok());
  delete db;
  RocksDbStore store(path_, kFast);
  put(store, "key", "value");
}

/// Damages done to a closed store; each must be found at opening, and nothing of it be touched.
TEST_F(RocksDbStoreTest, RefusesADamagedStoreAndLeavesItAlone) {
  const auto only = [](const fs::path& folder, std::string_view extension) {
    for (const auto& file : fs::directory_iterator(folder)) {
      const std::string name = file.path().filename().string();
      if (name.starts_with(extension) || (name.ends_with(extension) && fs::file_size(file) > 0))
        return file.path();
    }
    throw std::runtime_error("no such file");
  };
  const auto overwrite = [](const fs::path& file, std::size_t at) {
    std::fstream out(file, std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(at));
    out << "damage, damage, damage";
  };
  const std::pair<const char*, std::function<void(const fs::path&)>> damages[] = {
      {"CURRENT is gone", [](const fs::path& folder) { fs::remove(folder / "CURRENT"); }},
      {"CURRENT holds nonsense",
       [](const fs::path& folder) { std::ofstream(folder / "CURRENT") << "nonsense"; }},
      {"the manifest is gone", [&](const fs::path& folder) { fs::remove(only(folder, "MANIFEST")); }},
      {"the manifest is damaged", [&](const fs::path& folder) { overwrite(only(folder, "MANIFEST"), 20); }},
      {"a log is damaged in the middle",
       [&](const fs::path& folder) { overwrite(only(folder, ".log"), 200); }},
  };
  for (const auto& [name, damage] : damages) {
    SCOPED_TRACE(name);
    fs::remove_all(path_);
    {
      RocksDbStore store(path_, {.minimum_free_bytes = 0});
      for (int i = 0; i < 100; ++i) put(store, "key" + std::to_string(i), "value");
    }
    damage(path_);
    const auto before = files(path_);
    const auto open = [&] { RocksDbStore store(path_, {.minimum_free_bytes = 0}); };
    EXPECT_THROW(open(), Error);
    EXPECT_EQ(files(path_), before);
  }
}

TEST_F(RocksDbStoreTest, OpensWithALogThatBreaksOff) {
  {
    RocksDbStore store(path_, {.minimum_free_bytes = 0});
    for (int i = 0; i < 10; ++i) put(store, "key" + std::to_string(i), "value");
  }
  for (const auto& file : fs::directory_iterator(path_)) {
    if (file.path().extension() == ".log" && file.file_size() > 0)
      fs::resize_file(file, file.file_size() - 3);
  }
  RocksDbStore store(path_, {.minimum_free_bytes = 0});
  EXPECT_EQ(records(store).size(), 9u);
}

TEST_F(RocksDbStoreTest, RefusesAFolderWithOtherThingsInItAndLeavesItAlone) {
  for (const char* name : {"photo.jpg", "app.log", "1.jpg", "old.sst"}) {
    SCOPED_TRACE(name);
    fs::remove_all(path_);
    fs::create_directory(path_);
    std::ofstream(path_ / name) << "bytes";
    EXPECT_THAT([&] { RocksDbStore store(path_, kFast); },
                ThrowsMessage<StoreUnavailable>(HasSubstr("choose another folder")));
    EXPECT_EQ(std::distance(fs::directory_iterator(path_), fs::directory_iterator()), 1);
  }
}

TEST_F(RocksDbStoreTest, TakesAnEmptyFolderAndAStoreThatWasOnlyBegun) {
  fs::create_directory(path_);
  { RocksDbStore store(path_, kFast); }
  fs::remove_all(path_);
  fs::create_directory(path_);
  for (const char* name : {"LOCK", "LOG", "IDENTITY", "MANIFEST-000001", "000001.dbtmp"})
    std::ofstream(path_ / name) << "";
  RocksDbStore store(path_, kFast);
  put(store, "key", "value");
}

/// Stores that a loss of power, or something worse, has left.
class TornLog : public RocksDbStoreTest {
 protected:
  static constexpr std::size_t kPage = 4096;

  /// Values that compare as the bytes of their log do, so that places in it can be told by the number.
  static std::string value(int number, std::size_t size) {
    return std::string(size, static_cast<char>('a' + number % 26));
  }

  void make_store(const RocksDbOptions& options, const std::vector<std::size_t>& sizes) {
    RocksDbStore store(path_, options);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      put(store, "key" + std::to_string(1000 + i), value(static_cast<int>(i), sizes[i]));
  }

  fs::path log() const {
    for (const auto& file : fs::directory_iterator(path_)) {
      if (file.path().extension() == ".log" && file.file_size() > 0) return file.path();
    }
    throw std::runtime_error("no log");
  }

  void overwrite(std::size_t at, std::string_view bytes) {
    std::fstream out(log(), std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(at));
    out << bytes;
  }

  /// A whole page that lies within the last so many bytes of the log.
  void lose_page_within_last(std::size_t bytes) {
    const std::size_t at = (fs::file_size(log()) - bytes + kPage - 1) / kPage * kPage;
    overwrite(at, std::string(kPage, '\0'));
  }

  void expect_refused(const RocksDbOptions& options) {
    const auto before = files(path_);
    EXPECT_THAT([&] { RocksDbStore store(path_, options); },
                ThrowsMessage<CorruptRecord>(HasSubstr("backup")));
    EXPECT_EQ(files(path_), before);
  }

  const RocksDbOptions durable_{.minimum_free_bytes = 0};
};

TEST_F(TornLog, DropsALastCommitThatLacksAPage) {
  for (const std::size_t last : {std::size_t{20'000}, std::size_t{200'000}}) {
    for (const std::size_t back : {last - 5000, std::size_t{kPage * 2}}) {
      SCOPED_TRACE(std::to_string(last) + " " + std::to_string(back));
      fs::remove_all(path_);
      make_store(durable_, {100, 3000, 50'000, last});
      lose_page_within_last(back);
      for (int opening = 0; opening < 2; ++opening) {
        RocksDbStore store(path_, durable_);
        ASSERT_EQ(records(store).size(), 3u);
        EXPECT_EQ(records(store).back().second, value(2, 50'000));
      }
    }
  }
}

TEST_F(TornLog, DropsALastCommitOfWhichOnlyTheLengthIsThere) {
  make_store(durable_, {100, 3000});
  const std::size_t before = fs::file_size(log());
  fs::remove_all(path_);
  make_store(durable_, {100, 3000, 60'000});
  overwrite(before, std::string(fs::file_size(log()) - before, '\0'));
  RocksDbStore store(path_, durable_);
  EXPECT_EQ(records(store).size(), 2u);
}

// All of them were acknowledged.
TEST_F(TornLog, RefusesALostPageWithCommitsBehindIt) {
  for (const std::size_t behind : {10, 1000, 40'000, 200'000}) {
    SCOPED_TRACE(behind);
    fs::remove_all(path_);
    make_store(durable_, {100, 20'000, behind});
    lose_page_within_last(behind + 15'000);
    expect_refused(durable_);
  }
  fs::remove_all(path_);
  make_store(durable_, std::vector<std::size_t>(300, 100));
  lose_page_within_last(20'000);
  expect_refused(durable_);
}

// A page that holds the end of one commit and all of the next: neither is whole any more.
TEST_F(TornLog, RefusesALostPageThatHoldsTheEndOfACommitAndAnother) {
  make_store(durable_, {100, 9000, 10});
  const std::size_t size = fs::file_size(log());
  const std::size_t page = (size - 200) / kPage * kPage;
  overwrite(page, std::string(size - page, '\0'));
  expect_refused(durable_);
}

// The disk has lost what it had, and perhaps acknowledged.
TEST_F(TornLog, RefusesALastCommitWithOtherBytesInIt) {
  make_store(durable_, {100, 20'000});
  overwrite(fs::file_size(log()) - 10'000, "damage");
  expect_refused(durable_);
}

// Without `sync` the disk may lose any page since the last opening, and nothing was promised.
TEST_F(TornLog, DropsCommitsWithoutSyncHoweverTheStoreIsOpenedNext) {
  for (const bool sync : {false, true}) {
    fs::remove_all(path_);
    make_store(kFast, std::vector<std::size_t>(300, 100));
    lose_page_within_last(20'000);
    std::size_t left = 0;
    {
      RocksDbStore store(path_, {.sync = sync, .minimum_free_bytes = 0});
      left = records(store).size();
      EXPECT_GT(left, 10u);
      EXPECT_LT(left, 200u);
      for (std::size_t i = 0; i < left; ++i)
        EXPECT_EQ(records(store)[i].second, value(static_cast<int>(i), 100));
      for (int i = 0; i < 300; ++i) put(store, "more" + std::to_string(i), std::string(100, 'x'));
    }
    lose_page_within_last(20'000);
    if (sync) {
      expect_refused(durable_);  // from now on everything is promised
      expect_refused(kFast);
    } else {
      RocksDbStore store(path_, durable_);
      EXPECT_GT(records(store).size(), left);
    }
  }
}

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
