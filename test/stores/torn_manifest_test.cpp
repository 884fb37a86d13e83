// What a loss of power leaves of RocksDB's MANIFEST.

#include "disk/torn_manifest.h"

#include "database.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;
using rocksdb_store::with_whole_manifest;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class TornManifest : public RocksDbStoreTest {
 protected:
  static constexpr std::size_t kSector = 512, kHeader = 7;

  void SetUp() override {
    RocksDbStore store(path_, durable_);
    for (int i = 0; i < kRecords; ++i) put(store, "key" + std::to_string(i), std::string(100, 'v'));
  }

  fs::path manifest() const {
    std::string name;
    std::ifstream(path_ / "CURRENT") >> name;
    return path_ / name;
  }

  std::string read_manifest() const {
    std::ifstream in(manifest(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  void append(std::string_view bytes) const {
    std::ofstream(manifest(), std::ios::binary | std::ios::app) << bytes;
  }

  /// A record that lies behind the others, with these bytes in the place of one of its sectors.
  std::string damaged_record(char in_sector) const {
    constexpr std::size_t kBytes = 3 * kSector;
    std::string record = "crc.";
    record += static_cast<char>(kBytes & 0xFF);
    record += static_cast<char>(kBytes >> 8);
    record += '\1';
    record.append(kBytes, 'e');
    const std::size_t begin = fs::file_size(manifest());
    const std::size_t sector = (begin + kHeader + kSector - 1) / kSector * kSector;
    record.replace(sector - begin, kSector, std::string(kSector, in_sector));
    return record;
  }

  std::string first_record() const {
    const std::string bytes = read_manifest();
    const auto at = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
    };
    const std::size_t size = at(4) | at(5) << 8;
    return bytes.substr(0, kHeader + size);
  }

  void expect_refused() {
    const auto before = files(path_);
    EXPECT_THAT([&] { RocksDbStore store(path_, durable_); },
                ThrowsMessage<CorruptRecord>(HasSubstr("backup")));
    EXPECT_EQ(files(path_), before);
  }

  void expect_all_there() {
    for (int opening = 0; opening < 2; ++opening) {
      RocksDbStore store(path_, durable_);
      EXPECT_EQ(records(store).size(), static_cast<std::size_t>(kRecords));
    }
    EXPECT_EQ(with_whole_manifest(*rocksdb::Env::Default(), path_), nullptr);
  }

  /// Writes records, each of which RocksDB moves to a sorted file, and one more. Returns the sizes that the
  /// MANIFEST had before each of the files.
  std::vector<std::size_t> add_sorted_files(int number) {
    std::vector<std::size_t> sizes;
    rocksdb_store::Database database(path_, durable_);
    EXPECT_TRUE(database.db().SetOptions({{"disable_auto_compactions", "true"}}).ok());
    for (int file = 0; file <= number; ++file) {
      rocksdb::WriteBatch batch;
      EXPECT_TRUE(batch.Put("record" + std::to_string(file), "value").ok());
      EXPECT_EQ(database.write(batch), CommitOutcome::kCommitted);
      if (file == number) break;
      sizes.push_back(fs::file_size(manifest()));
      EXPECT_TRUE(database.db().Flush({}).ok());
    }
    return sizes;
  }

  /// Replaces the bytes from there to the end of their sector.
  void lose_sector(std::size_t from) const {
    std::fstream out(manifest(), std::ios::in | std::ios::out | std::ios::binary);
    out.seekp(static_cast<std::streamoff>(from));
    out << std::string(std::min<std::size_t>(fs::file_size(manifest()) - from, kSector - from % kSector),
                       '\0');
  }

  static constexpr int kRecords = 20;
  const RocksDbOptions durable_{.minimum_free_bytes = 0};
};

/// A loss of power while the database was made.
TEST_F(TornManifest, OfADatabaseThatWasNeverOpenedIsMadeAnew) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{13}}) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
    std::ofstream(path_ / "CURRENT") << "MANIFEST-000001\n";
    std::ofstream(path_ / "MANIFEST-000001") << std::string(size, '\0');
    {
      RocksDbStore store(path_);
      put(store, "a", "b");
    }
    RocksDbStore again(path_);
    std::string value;
    EXPECT_TRUE(again.begin()->get("a", value));
  }
}

TEST_F(TornManifest, IsWholeAfterACleanEnd) {
  EXPECT_EQ(with_whole_manifest(*rocksdb::Env::Default(), path_), nullptr);
  expect_all_there();
}

TEST_F(TornManifest, EditsThatLackASectorAreLeftOut) {
  append(damaged_record('\0'));
  EXPECT_NE(with_whole_manifest(*rocksdb::Env::Default(), path_), nullptr);
  expect_all_there();
}

TEST_F(TornManifest, EditsThatLackASectorAreLeftOutWithThoseBehindThem) {
  append(damaged_record('\0') + first_record());
  expect_all_there();
}

TEST_F(TornManifest, EditsThatLackASectorAreLeftOutOfAStoreWithSortedFiles) {
  for (int opening = 0; opening < 3; ++opening) {
    { RocksDbStore reopened(path_, durable_); }
    append(damaged_record('\0'));
    expect_all_there();
  }
}

TEST_F(TornManifest, RefusesOtherBytesInARecord) {
  append(damaged_record('x'));
  EXPECT_EQ(with_whole_manifest(*rocksdb::Env::Default(), path_), nullptr);
  expect_refused();
}

TEST_F(TornManifest, RefusesEditsThatLackASectorWhereAllLogsAreGone) {
  for (const auto& file : fs::directory_iterator(path_)) {
    if (file.path().extension() == ".log") fs::remove(file.path());
  }
  append(damaged_record('\0'));
  expect_refused();
}

TEST_F(TornManifest, EditsThatLackASectorAreLeftOutBehindEditsThatMadeLogsObsolete) {
  add_sorted_files(2);
  append(damaged_record('\0'));
  RocksDbStore store(path_, durable_);
  EXPECT_EQ(records(store).size(), kRecords + 3U);
}

/// Edits that were synced: RocksDB has removed a log that the remaining edits need. Later logs are there.
TEST_F(TornManifest, RefusesEditsThatLackASectorWhereTheFirstLogIsGone) {
  for (const std::size_t lost : {0U, 1U, 3U}) {
    SCOPED_TRACE(lost);
    fs::remove_all(path_);
    SetUp();
    const std::vector<std::size_t> sizes = add_sorted_files(4);
    lose_sector(sizes[lost]);
    ASSERT_NE(with_whole_manifest(*rocksdb::Env::Default(), path_), nullptr);
    expect_refused();
  }
}

TEST_F(TornManifest, RefusesEditsThatLackASectorWhereASortedFileBeforeThemIsGone) {
  { RocksDbStore reopened(path_, durable_); }  // by which RocksDB moves what is in the log to a sorted file
  bool any_removed = false;
  for (const auto& file : fs::directory_iterator(path_)) {
    if (file.path().extension() == ".sst") any_removed = fs::remove(file.path());
  }
  ASSERT_TRUE(any_removed);
  append(damaged_record('\0'));
  expect_refused();
}

}  // namespace
}  // namespace autoshard::test
