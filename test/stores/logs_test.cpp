// The logs of RocksDB in a folder, and their order without `sync`.

#include "disk/logs.h"

#include <memory>
#include <string>
#include <vector>

#include "failing_calls.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;
using rocksdb::IOStatus;
using rocksdb_store::log_number;
using rocksdb_store::with_logs_in_order;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Call = FailingCalls::Call;

TEST(RocksDbLogs, HaveNumbersAsNames) {
  EXPECT_EQ(log_number("000012.log"), 12U);
  EXPECT_EQ(log_number("/folder/7.log"), 7U);
  EXPECT_EQ(log_number("999999999999999999.log"), 999'999'999'999'999'999U);
  for (const char* name :
       {"1234567890123456789.log", "12a.log", "app.log", ".log", "12", "12.sst", "LOG", ""})
    EXPECT_EQ(log_number(name), std::nullopt) << name;
}

/// Two logs, before a third one is begun.
class LogsInOrder : public RocksDbStoreTest {
 protected:
  void SetUp() override {
    fs::create_directory(path_);
    for (const char* name : {"000001.log", "000002.log"}) std::ofstream(path_ / name) << "records";
    fail_for("none", IOStatus::OK());
  }
  /// The log of this name cannot be opened for its sync. Notes the logs that are to be synced.
  void fail_for(const std::string& failing, const IOStatus& status) {
    files_->before([=, this](Call call, const fs::path& path) {
      if (call != Call::kOpenToSync) return IOStatus::OK();
      synced_.push_back(path.filename().string());
      return path.filename() == failing ? status : IOStatus::OK();
    });
  }
  IOStatus begin(const std::string& name) {
    std::unique_ptr<rocksdb::FSWritableFile> file;
    synced_.clear();
    return in_order_->NewWritableFile((path_ / name).string(), rocksdb::FileOptions(), &file, nullptr);
  }

  std::vector<std::string> synced_;
  const std::shared_ptr<FailingCalls> files_ = std::make_shared<FailingCalls>();
  const std::shared_ptr<rocksdb::FileSystem> in_order_ = with_logs_in_order(files_);
};

TEST_F(LogsInOrder, EarlierLogsAreSyncedFirst) {
  EXPECT_TRUE(begin("000003.sst").ok());
  EXPECT_THAT(synced_, IsEmpty());
  EXPECT_TRUE(begin("000002.log").ok());
  EXPECT_THAT(synced_, ElementsAre("000001.log"));
  EXPECT_TRUE(begin("000003.log").ok());
  EXPECT_THAT(synced_, ElementsAre("000002.log", "000001.log"));
}

TEST_F(LogsInOrder, ALogThatRocksDbHasRemovedIsLeftOut) {
  for (const IOStatus& status : {IOStatus::NotFound(""), IOStatus::PathNotFound("")}) {
    fail_for("000002.log", status);
    EXPECT_TRUE(begin("000003.log").ok());
    EXPECT_THAT(synced_, ElementsAre("000002.log", "000001.log"));
    EXPECT_TRUE(fs::remove(path_ / "000003.log"));
  }
}

TEST_F(LogsInOrder, NoLogIsBegunIfAnEarlierOneCannotBeSynced) {
  fail_for("000002.log", IOStatus::IOError("injected"));
  EXPECT_TRUE(begin("000003.log").IsIOError());
  EXPECT_FALSE(fs::exists(path_ / "000003.log"));
  files_->fail(Call::kChildren);
  EXPECT_TRUE(begin("000003.log").IsIOError());
  EXPECT_FALSE(fs::exists(path_ / "000003.log"));
}

}  // namespace
}  // namespace autoshard::test
