// Opening a folder that is, or is not, as it should be.

#include <autoshard/codec.h>
#include <rocksdb/db.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <thread>

#include "database.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::string_view kFormatKey("\0\0autoshard", 11);

/// A database that AutoShard has not made, with one record in it.
void make_foreign(const fs::path& path, std::string_view key, std::string_view value) {
  rocksdb::Options options;
  options.create_if_missing = true;
  rocksdb::DB* db = nullptr;
  ASSERT_TRUE(rocksdb::DB::Open(options, path.string(), &db).ok());
  ASSERT_TRUE(db->Put({}, {key.data(), key.size()}, {value.data(), value.size()}).ok());
  delete db;
}

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
  make_foreign(path_, kFormatKey, format);
  const auto before = files(path_);
  EXPECT_THAT([&] { RocksDbStore store(path_, kFast); }, ThrowsMessage<SchemaMismatch>(HasSubstr("newer")));
  EXPECT_EQ(files(path_), before);
}

TEST_F(RocksDbStoreTest, RefusesADatabaseOfOthersAndLeavesItAlone) {
  make_foreign(path_, "key", "value");
  const auto before = files(path_);
  EXPECT_THAT([&] { RocksDbStore store(path_, kFast); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("none of AutoShard's")));
  EXPECT_EQ(files(path_), before);
}

TEST_F(RocksDbStoreTest, RefusesAFormatRecordOfOtherBytes) {
  make_foreign(path_, kFormatKey, "\xC1");
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

/// How many records that were removed a walk goes past.
std::uint64_t removed_on_the_way(Store& store, std::string_view begin, std::string_view end) {
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
  rocksdb::get_perf_context()->Reset();
  for (const auto cursor = store.scan(begin, end); cursor->valid(); cursor->next()) {
  }
  rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
  return rocksdb::get_perf_context()->internal_delete_skipped_count;
}

constexpr int kRecords = 1000;

/// Between "b" and "c", in one commit.
void put_all(Store& store) {
  const auto transaction = store.begin();
  for (int i = 0; i < kRecords; ++i) transaction->put("b" + std::to_string(i), "");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}
void erase_all(Store& store) {
  const auto transaction = store.begin();
  for (int i = 0; i < kRecords; ++i) transaction->erase("b" + std::to_string(i));
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

/// The first walk past them has them written to a file, which RocksDB then compacts by itself.
TEST_F(RocksDbStoreTest, WhereManyWereRemovedWalksDoNotGoPastThemForEver) {
  RocksDbStore store(path_, kFast);
  for (const char* key : {"a", "b", "c"}) put(store, key, "stays");
  put_all(store);
  erase_all(store);
  ASSERT_EQ(removed_on_the_way(store, "b", "c"), kRecords);
  while (removed_on_the_way(store, "b", "c") > 0) {
    put(store, "c", "stays");
    store.snapshot();  // letting it go has RocksDB look at files that hold nothing newer
  }
  EXPECT_EQ(records(store, "a", "d").size(), 3u);
}

/// In memory as well as in files.
TEST_F(RocksDbStoreTest, WalksDoNotGoPastWhatWasReclaimed) {
  for (const bool in_files : {false, true}) {
    SCOPED_TRACE(in_files);
    auto store = std::make_unique<RocksDbStore>(path_, kFast);
    const auto reopen = [&] {
      store = nullptr;
      store = std::make_unique<RocksDbStore>(path_, kFast);
    };
    for (const char* key : {"a", "b", "c"}) put(*store, key, "stays");
    for (int round = 0; round < 3; ++round) {
      put_all(*store);
      if (in_files) reopen();
      erase_all(*store);
      if (in_files) {
        reopen();  // and RocksDB may have begun to do the same
      } else {
        ASSERT_GE(removed_on_the_way(*store, "b", "c"), kRecords) << "else there is nothing to reclaim";
      }
      do {  // again where RocksDB moves the file at the same time, as the walk may have made it do
        store->reclaim("b", "c");
      } while (removed_on_the_way(*store, "b", "c") > 0);
      EXPECT_EQ(records(*store, "a", "d").size(), 3u);
    }
  }
}

/// A store, and what RocksDB says of the writes that it holds in memory.
class WrittenInMemoryTest : public RocksDbStoreTest {
 protected:
  WrittenInMemoryTest() {
    auto database = std::make_unique<RocksDbDatabase>(path_, kFast);
    db_ = &database->db();
    store_ = std::make_unique<RocksDbStore>(std::move(database));
  }
  std::uint64_t property(const std::string& name) {
    std::uint64_t value = 0;
    EXPECT_TRUE(db_->GetIntProperty(name, &value));
    return value;
  }
  std::uint64_t removals() { return property(rocksdb::DB::Properties::kNumDeletesActiveMemTable); }

  rocksdb::DB* db_ = nullptr;
  std::unique_ptr<RocksDbStore> store_;
};

TEST_F(WrittenInMemoryTest, StaysThereWhereTheRemovalsAreInFilesAlready) {
  put_all(*store_);
  const auto holding_them = store_->snapshot();
  erase_all(*store_);
  ASSERT_TRUE(db_->Flush({}).ok());
  put(*store_, "a", "stays");
  ASSERT_GE(removed_on_the_way(*store_, "b", "c"), kRecords);
  EXPECT_EQ(property(rocksdb::DB::Properties::kNumEntriesActiveMemTable), 1U);
}

/// The counts of what a thread has gone past are its own.
TEST_F(WrittenInMemoryTest, StaysThereWhereAnotherThreadHasGonePastRemovals) {
  put_all(*store_);
  erase_all(*store_);
  std::unique_ptr<Cursor> cursor;
  std::thread([&] { cursor = store_->scan("b", "c"); }).join();
  EXPECT_FALSE(cursor->valid());
  cursor = nullptr;
  EXPECT_EQ(removals(), kRecords);
  ASSERT_GE(removed_on_the_way(*store_, "b", "c"), kRecords);
  EXPECT_EQ(removals(), 0U);
}

TEST_F(RocksDbStoreTest, SaysWhatToDoAboutADamagedFile) {
  std::mt19937_64 generator(1);
  {
    RocksDbStore store(path_, {.minimum_free_bytes = 0});
    for (int i = 0; i < 100; ++i) {
      std::string bytes(1000, '\0');  // that cannot be compressed
      for (char& byte : bytes) byte = static_cast<char>(generator());
      put(store, "key" + std::to_string(i), bytes);
    }
  }
  { RocksDbStore store(path_, kFast); }  // writes what is in the log to a file
  for (const auto& file : fs::directory_iterator(path_)) {
    if (file.path().extension() != ".sst" || file.file_size() < 50'000) continue;
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(static_cast<std::streamoff>(file.file_size() / 2));
    bytes << "damage, damage, damage";
  }
  RocksDbStore store(path_, kFast);
  EXPECT_THAT([&] { records(store); }, ThrowsMessage<CorruptRecord>(HasSubstr("restore it from a backup")));
}

TEST_F(RocksDbStoreTest, AValueThatCannotBeCopiedLeavesTheTransactionAsItWas) {
  RocksDbStore store(path_, kFast);
  const std::string value;
  const auto transaction = store.begin();
  EXPECT_THROW(transaction->put("key", std::string_view(value.data(), value.max_size() + 1)),
               std::length_error);
  transaction->put("other", "value");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(records(store).size(), 1U);
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

}  // namespace
}  // namespace autoshard::test
