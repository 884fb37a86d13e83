// A store is opened while calls of the file system fail, or while another process changes the folder.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "database.h"
#include "disk/torn_manifest.h"
#include "failing_calls.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;
using rocksdb::IOStatus;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;
using Call = FailingCalls::Call;

class OpenFailures : public RocksDbStoreTest {
 protected:
  static constexpr std::size_t kRecords = 3;

  std::unique_ptr<RocksDbStore> open() {
    return rocksdb_store::make_store(std::make_unique<rocksdb_store::Database>(path_, durable_, *env_));
  }
  void make_store() {
    fs::remove_all(path_);
    RocksDbStore store(path_, durable_);
    for (std::size_t i = 0; i < kRecords; ++i) put(store, "key" + std::to_string(i), "value");
  }
  fs::path manifest() const {
    std::string name;
    std::ifstream(path_ / "CURRENT") >> name;
    return path_ / name;
  }
  /// The last edits of the MANIFEST lack a sector.
  void make_store_with_torn_manifest() {
    make_store();
    std::ofstream(manifest(), std::ios::binary | std::ios::app)
        << std::string("crc.\0\x08\1", 7) << std::string(0x800, '\0');
    ASSERT_NE(rocksdb_store::with_whole_manifest(*rocksdb::Env::Default(), path_), nullptr);
  }
  /// The machine has stopped while RocksDB made the database.
  void make_unfinished() {
    fs::remove_all(path_);
    fs::create_directory(path_);
    std::ofstream(path_ / "CURRENT") << "MANIFEST-000001\n";
    std::ofstream(path_ / "MANIFEST-000001") << "";
  }
  void make_empty_folder() {
    fs::remove_all(path_);
    fs::create_directory(path_);
  }

  /// What a folder may be when it is opened.
  struct State {
    const char* name;
    std::function<void()> make;
    std::size_t records;
  };
  std::vector<State> states() {
    return {{"a store", [this] { make_store(); }, kRecords},
            {"a torn MANIFEST", [this] { make_store_with_torn_manifest(); }, kRecords},
            {"an unfinished database", [this] { make_unfinished(); }, 0},
            {"an empty folder", [this] { make_empty_folder(); }, 0}};
  }

  /// Opening fails with an error of the disk, and changes nothing.
  void expect_refused() {
    const auto before = files(path_);
    EXPECT_THAT([&] { open(); },
                ThrowsMessage<StoreUnavailable>(AllOf(HasSubstr("cannot be opened"), HasSubstr("injected"))));
    EXPECT_EQ(files(path_), before);
    files_->before({});
    EXPECT_NO_THROW(open()) << "afterwards";
  }

  const RocksDbOptions durable_{.minimum_free_bytes = 0};
  const std::shared_ptr<FailingCalls> files_ = std::make_shared<FailingCalls>();
  const std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(files_);
};

TEST_F(OpenFailures, AnErrorOfTheDiskIsNoDamage) {
  make_store();
  for (const Call call : {Call::kExists, Call::kIsDirectory, Call::kLock}) {
    files_->fail(call);
    expect_refused();
  }
}

TEST_F(OpenFailures, ALogThatCannotBeReadIsNoDamage) {
  make_store();
  files_->before([](Call call, const fs::path& path) {
    return call == Call::kOpenToRead && path.extension() == ".log" ? IOStatus::IOError("injected")
                                                                   : IOStatus::OK();
  });
  expect_refused();
}

TEST_F(OpenFailures, AFolderThatCannotBeListedIsRefused) {
  for (const State& state : states()) {
    SCOPED_TRACE(state.name);
    state.make();
    files_->fail(Call::kChildren);
    expect_refused();
  }
}

TEST_F(OpenFailures, AnUnfinishedDatabaseThatCannotBeRemovedIsRefused) {
  make_unfinished();
  files_->fail(Call::kDelete);
  expect_refused();
}

/// Each call fails once. Afterwards the store has all its records.
TEST_F(OpenFailures, ACallThatFailsLosesNothing) {
  const fs::path copy = folder_.path() / "copy";
  for (const auto& [name, make, number] : states()) {
    make();
    fs::remove_all(copy);
    fs::copy(path_, copy);
    int refused = 0;
    for (int nth = 1;; ++nth) {
      SCOPED_TRACE(name + std::string(", call ") + std::to_string(nth));
      fs::remove_all(path_);
      fs::copy(copy, path_);
      int calls = 0;
      files_->before([&](Call, const fs::path&) {
        return ++calls == nth ? IOStatus::IOError("injected") : IOStatus::OK();
      });
      try {
        EXPECT_EQ(records(*open()).size(), number);
      } catch (const Error&) {
        ++refused;
      }
      files_->before({});
      EXPECT_EQ(records(*open()).size(), number);
      if (calls < nth) break;
    }
    EXPECT_GT(refused, 5) << name;
  }
}

TEST_F(OpenFailures, ALockThatCannotBeMadeIsNotTakenForAnOpenStore) {
  make_store();
  fs::remove(path_ / "LOCK");
  fs::create_directory(path_ / "LOCK");
  EXPECT_THAT([&] { open(); }, ThrowsMessage<StoreUnavailable>(
                                   AllOf(HasSubstr("cannot be opened"), Not(HasSubstr("open already")))));
}

TEST_F(OpenFailures, AnUnfinishedDatabaseThatAnotherProcessFinishesStays) {
  make_unfinished();
  bool is_finished = false;
  files_->before([&](Call call, const fs::path&) {
    if (call == Call::kLock && !is_finished) {
      is_finished = true;
      make_store();
    }
    return IOStatus::OK();
  });
  EXPECT_EQ(records(*open()).size(), kRecords);
  EXPECT_TRUE(is_finished);
}

TEST_F(OpenFailures, AnEmptyPathIsRefused) { EXPECT_THROW(RocksDbStore(""), StoreUnavailable); }

TEST_F(OpenFailures, ARelativePathStaysTheSameIfTheWorkingFolderChanges) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  std::unique_ptr<RocksDbStore> store;
  EXPECT_NO_THROW(store = std::make_unique<RocksDbStore>("store", durable_));
  fs::current_path(before);
  ASSERT_TRUE(store);
  put(*store, "key", "value");
  store.reset();
  EXPECT_EQ(records(*open()).size(), 1U);
}

}  // namespace
}  // namespace autoshard::test
