// Opening a folder that is, or is not, as it should be.

#include <autoshard/codec.h>
#include <rocksdb/db.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

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

TEST_F(RocksDbStoreTest, AnotherOpeningWithoutSyncWritesNothing) {
  const auto last_write = [&] {
    RocksDbStore(path_, kFast);
    rocksdb::DB* opened = nullptr;
    EXPECT_TRUE(rocksdb::DB::OpenForReadOnly(rocksdb::Options(), path_.string(), &opened).ok());
    return std::unique_ptr<rocksdb::DB>(opened)->GetLatestSequenceNumber();
  };
  const rocksdb::SequenceNumber first = last_write();
  EXPECT_EQ(last_write(), first);
}

TEST_F(RocksDbStoreTest, KeepsRecordsOverReopening) {
  {
    RocksDbStore store(path_, kFast);
    put(store, "key", "value");
  }
  RocksDbStore store(path_, kFast);
  EXPECT_EQ(records(store).size(), 1u);
}

/// Commits when its thread ends.
class CommitsAtTheEnd {
 public:
  explicit CommitsAtTheEnd(Store& store) : store_(store) {}
  ~CommitsAtTheEnd() {
    const auto transaction = store_.begin();
    transaction->put("at the end", "");
    transaction->commit();
  }
  CommitsAtTheEnd(const CommitsAtTheEnd&) = delete;
  CommitsAtTheEnd& operator=(const CommitsAtTheEnd&) = delete;

 private:
  Store& store_;
};

TEST_F(RocksDbStoreTest, CommitsAfterTheMemoryOfItsThreadIsGone) {
  RocksDbStore store(path_, kFast);
  std::thread([&] {
    thread_local const CommitsAtTheEnd last(store);
    put(store, "before", "");  // takes memory, which the thread destroys before `last`
  }).join();
  EXPECT_EQ(records(store).size(), 2U);
}

TEST_F(RocksDbStoreTest, ValuesThatAreWrittenCountAsBytesOfACommit) {
  RocksDbOptions options = kFast;
  options.largest_commit = 1000;
  RocksDbStore store(path_, options);
  const auto transaction = store.begin();
  transaction->put("key", std::string(1000, 'v'));
  EXPECT_THROW(transaction->commit(), CommitTooLarge);
  EXPECT_EQ(records(store).size(), 0U);
}

TEST_F(RocksDbStoreTest, ACommitMayHaveSomeBytes) {
  RocksDbOptions options = kFast;
  options.largest_commit = 0;
  EXPECT_THROW(RocksDbStore(path_, options), InvalidUse);
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

TEST_F(RocksDbStoreTest, HasTheMemoryThatItsOptionsSay) {
  RocksDbOptions options = kFast;
  options.write_buffer_bytes = std::size_t{3} << 20;
  options.block_cache_bytes = std::size_t{5} << 20;
  rocksdb_store::Database database(path_, options);
  EXPECT_EQ(database.db().GetOptions().write_buffer_size, options.write_buffer_bytes);
  std::uint64_t capacity = 0;
  ASSERT_TRUE(database.db().GetIntProperty(rocksdb::DB::Properties::kBlockCacheCapacity, &capacity));
  EXPECT_EQ(capacity, options.block_cache_bytes);
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
              ThrowsMessage<StoreUnavailable>(HasSubstr("not made by AutoShard")));
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
  EXPECT_THAT([&] { records(store); },
              ThrowsMessage<CorruptRecord>(HasSubstr("restore the store from a backup")));
}

/// Two commits that lock the same keys in another order would wait for each other for ever.
TEST_F(RocksDbStoreTest, ACommitThatWaitsForAKeyHoldsNoLaterKey) {
  using rocksdb_store::KeyLocks;
  rocksdb_store::Database database(path_, kFast);
  KeyLocks& locks = database.locks();
  KeyLocks::Watch early = locks.watch("one"), late = locks.watch("other");
  if (std::less<>()(late.key, early.key)) std::swap(early, late);  // the order is that of addresses
  ASSERT_TRUE(locks.lock(early.key, std::nullopt));
  std::thread committing([&] {
    const auto transaction = rocksdb_store::begin_transaction(database);
    for (const KeyLocks::Watch& watch : {late, early}) transaction->put(watch.key->name(), "value");
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  });
  while (locks.waiting(early.key) == 0) std::this_thread::yield();
  std::atomic<bool> is_locked{false};
  std::thread locking([&] { is_locked = locks.lock(late.key, std::nullopt); });
  while (!is_locked && locks.waiting(late.key) == 0) std::this_thread::yield();
  EXPECT_TRUE(is_locked);
  locks.unlock(early.key, false);
  locking.join();
  locks.unlock(late.key, false);
  committing.join();
  for (const KeyLocks::Watch& watch : {early, late}) locks.unwatch(watch.key);
}

TEST(RocksDbStatus, OfAReadTellsADamagedFileFromAnotherFailure) {
  using rocksdb::Status;
  EXPECT_TRUE(rocksdb_store::found(Status::OK()));
  EXPECT_FALSE(rocksdb_store::found(Status::NotFound()));
  EXPECT_THAT([] { rocksdb_store::found(Status::Corruption("a block")); },
              ThrowsMessage<CorruptRecord>(HasSubstr("restore the store from a backup")));
  EXPECT_THAT([] { rocksdb_store::found(Status::IOError("a disk")); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("RocksDB cannot read: IO error: a disk")));
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
  for (const char* name : {"IDENTITY", "LOG", "photo.jpg", "zebra.jpg"}) std::ofstream(path_ / name) << "";
  EXPECT_THAT([&] { RocksDbStore store(path_, kFast); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("choose another folder")));
}

TEST_F(RocksDbStoreTest, TakesAnEmptyFolderAndAStoreThatWasOnlyBegun) {
  fs::create_directory(path_);
  { RocksDbStore store(path_, kFast); }
  fs::remove_all(path_);
  fs::create_directory(path_);
  for (const char* name :
       {"LOCK", "LOG", "LOG.old.1", "IDENTITY", "MANIFEST-000001", "OPTIONS-000005", "000001.dbtmp"})
    std::ofstream(path_ / name) << "";
  RocksDbStore store(path_, kFast);
  put(store, "key", "value");
}

}  // namespace
}  // namespace autoshard::test
