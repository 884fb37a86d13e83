// What a loss of power, or something worse, leaves of the log.

#include <sys/wait.h>
#include <unistd.h>

#include "disk/wal_tail.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;
using rocksdb_store::only_last_write_is_torn;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

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

  /// Leaves it as a process that dies does.
  void make_store_and_die(const std::vector<std::size_t>& sizes) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto* store = new RocksDbStore(path_, durable_);
      for (std::size_t i = 0; i < sizes.size(); ++i)
        put(*store, "key" + std::to_string(1000 + i), value(static_cast<int>(i), sizes[i]));
      _exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }

  /// Where what was written ends.
  std::size_t end_of_log() const {
    std::ifstream in(log(), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {}).find_last_not_of('\0') + 1;
  }

  const RocksDbOptions durable_{.minimum_free_bytes = 0};
};

TEST_F(TornLog, ALogThatWasNotClosedEndsInZerosAndIsWhole) {
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{100}, {100, 20'000}, {100, 3000, 50'000, 100'000, 200'000, 900'000, 10}}) {
    SCOPED_TRACE(sizes.size());
    fs::remove_all(path_);
    make_store_and_die(sizes);
    EXPECT_LT(end_of_log(), fs::file_size(log()));
    EXPECT_FALSE(only_last_write_is_torn(*rocksdb::Env::Default(), path_));
    for (int opening = 0; opening < 2; ++opening) {
      RocksDbStore store(path_, durable_);
      ASSERT_EQ(records(store).size(), sizes.size());
      EXPECT_EQ(records(store).back().second.size(), sizes.back());
    }
  }
}

TEST_F(TornLog, ALogThatIsClosedIsCutToWhatWasWritten) {
  make_store(durable_, {100, 3000});
  EXPECT_EQ(end_of_log(), fs::file_size(log()));
}

TEST_F(TornLog, DropsALastCommitThatLacksAPageInFrontOfZeros) {
  make_store_and_die({100, 3000, 50'000, 20'000});
  overwrite((end_of_log() - 15'000) / kPage * kPage, std::string(kPage, '\0'));
  EXPECT_TRUE(only_last_write_is_torn(*rocksdb::Env::Default(), path_));
  RocksDbStore store(path_, durable_);
  EXPECT_EQ(records(store).size(), 3u);
}

TEST_F(TornLog, DropsALastCommitThatLacksTheFewBytesOfItsLastPage) {
  for (const std::size_t behind : {1U, 2U, 5U, 20U, 31U, 40U}) {
    SCOPED_TRACE(behind);
    fs::remove_all(path_);
    make_store_and_die({100, 3000});
    const std::size_t end = end_of_log();
    fs::remove_all(path_);
    make_store_and_die({100, 3000 + kPage - end % kPage + behind});
    ASSERT_EQ(end_of_log() % kPage, behind);
    overwrite(end_of_log() - behind, std::string(behind, '\0'));
    EXPECT_TRUE(only_last_write_is_torn(*rocksdb::Env::Default(), path_));
    RocksDbStore store(path_, durable_);
    EXPECT_EQ(records(store).size(), 1u);
  }
}

TEST_F(TornLog, DropsALastCommitThatLacksTheFewBytesOfItsFirstPage) {
  for (const std::size_t before : {1U, 3U, 4U, 5U, 6U, 7U, 20U, 31U, 40U}) {
    SCOPED_TRACE(before);
    fs::remove_all(path_);
    make_store_and_die({3000});
    const std::size_t end = end_of_log();
    fs::remove_all(path_);
    const std::size_t first = 3000 + kPage - end % kPage - before;
    make_store_and_die({first, 300});
    overwrite(end + first - 3000, std::string(before, '\0'));
    EXPECT_TRUE(only_last_write_is_torn(*rocksdb::Env::Default(), path_));
    RocksDbStore store(path_, durable_);
    EXPECT_EQ(records(store).size(), 1u);
  }
}

TEST_F(TornLog, DropsALastCommitOfWhichOnlyTheFewBytesOfItsFirstPageAreThere) {
  for (const std::size_t there : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 20U}) {
    SCOPED_TRACE(there);
    fs::remove_all(path_);
    make_store_and_die({3000});
    const std::size_t end = end_of_log();
    fs::remove_all(path_);
    const std::size_t first = 3000 + kPage - end % kPage - there;
    make_store_and_die({first, 300});
    const std::size_t page = end + first - 3000 + there;
    ASSERT_EQ(page % kPage, 0U);
    overwrite(page, std::string(end_of_log() - page, '\0'));
    EXPECT_TRUE(only_last_write_is_torn(*rocksdb::Env::Default(), path_));
    RocksDbStore store(path_, durable_);
    EXPECT_EQ(records(store).size(), 1u);
  }
}

TEST_F(TornLog, RefusesALostPageWithACommitBehindItInFrontOfZeros) {
  make_store_and_die({100, 20'000, 5000});
  overwrite((end_of_log() - 15'000) / kPage * kPage, std::string(kPage, '\0'));
  EXPECT_FALSE(only_last_write_is_torn(*rocksdb::Env::Default(), path_));
  expect_refused(durable_);
}

// The last but one may not have been closed either, when the machine stopped.
TEST_F(TornLog, ZerosAtTheEndOfAnEarlierLogAreNoDamage) {
  make_store_and_die({100, 3000});
  const fs::path earlier = folder_.path() / "earlier";
  fs::copy_file(log(), earlier);
  fs::remove_all(path_);
  make_store_and_die({100, 20'000});
  overwrite((end_of_log() - 15'000) / kPage * kPage, std::string(kPage, '\0'));
  fs::copy_file(earlier, path_ / "000001.log");
  EXPECT_TRUE(only_last_write_is_torn(*rocksdb::Env::Default(), path_));
}

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
  for (const std::size_t behind : {10U, 1000U, 40'000U, 200'000U}) {
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

// RocksDB takes such a page for the end of a block.
TEST_F(TornLog, RefusesALostPageThatBeginsWhereACommitDoes) {
  for (const std::size_t lost : {300U, 6000U}) {
    SCOPED_TRACE(lost);
    fs::remove_all(path_);
    make_store_and_die({3000});
    const std::size_t end = end_of_log();
    fs::remove_all(path_);
    const std::size_t first = 3000 + kPage - end % kPage;
    make_store_and_die({first, lost, 6000, 300});
    overwrite(end + first - 3000, std::string(kPage, '\0'));
    expect_refused(durable_);
  }
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

TEST_F(TornLog, RefusesALastCommitWithOtherBytesInItInFrontOfZeros) {
  make_store_and_die({100, 20'000});
  overwrite(end_of_log() - 10'000, "damage");
  expect_refused(durable_);
}

TEST_F(TornLog, KeepsALastCommitOfZeros) {
  const std::string value(20'000, '\0');
  {
    RocksDbStore store(path_, durable_);
    put(store, "zeros", value);
  }
  RocksDbStore store(path_, durable_);
  EXPECT_EQ(records(store).back().second, value);
}

// Its own zeros are no pages that were lost.
TEST_F(TornLog, RefusesALastCommitOfZerosWithOtherBytesInIt) {
  for (const std::string& value :
       {std::string(20'000, '\0'), std::string(20'000, 'x') + std::string(100, '\0'),
        std::string(3000, 'x') + std::string(17'000, '\0') + 'x'}) {
    SCOPED_TRACE(value.size());
    fs::remove_all(path_);
    {
      RocksDbStore store(path_, durable_);
      put(store, "zeros", value);
    }
    overwrite(fs::file_size(log()) - 18'000, "damage");
    expect_refused(durable_);
  }
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

}  // namespace
}  // namespace autoshard::test
