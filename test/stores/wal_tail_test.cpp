// Logs of RocksDB that are made by hand, fragment by fragment.

#include "disk/wal_tail.h"

#include <rocksdb/write_batch.h>

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "failing_calls.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;
using rocksdb_store::end_before_torn_record;
using rocksdb_store::only_last_write_is_torn;
using rocksdb_store::WholeCommits;
using Option = rocksdb::WalFilter::WalProcessingOption;
using Call = FailingCalls::Call;

constexpr char kFull = 1, kFirst = 2, kMiddle = 3, kLast = 4, kUnknown = 5;

std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(number >> 8 * i & 0xFF);
  return text;
}

/// The checksum is right, whatever the type is.
std::string fragment(char type, const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : type + bytes) {
    crc ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82F63B78 : 0);
  }
  crc = ~crc;
  return little_endian((crc >> 15 | crc << 17) + 0xA282EAD8, 4) + little_endian(bytes.size(), 2) + type +
         bytes;
}

/// A batch with so many changes, whose bytes are these.
std::string batch(std::uint32_t changes, const std::string& bytes) {
  return little_endian(1, 8) + little_endian(changes, 4) + bytes;
}

const std::string kWhole = fragment(kFull, batch(1, "whole"));
/// Its own bytes look like a sector that did not reach the disk.
const std::string kZeros = std::string(2000, '\0') + 'x';
const std::string kTorn = kWhole + std::string("crc.\xD0\7\1", 7) + kZeros.substr(0, 2000);

class WalTail : public RocksDbStoreTest {
 protected:
  void SetUp() override { fs::create_directory(path_); }
  void write(const std::string& name, std::string_view bytes) {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  bool is_torn(std::uint64_t first_log = 0) { return only_last_write_is_torn(*env_, path_, first_log); }
  /// How many records of the log are read.
  int whole_records(std::string_view log) {
    write("000001.log", log);
    WholeCommits commits;
    EXPECT_TRUE(commits.read(*env_, path_).ok());
    for (int records = 0; records < 10; ++records) {
      if (commits.LogRecordFound(1, "", rocksdb::WriteBatch(), nullptr, nullptr) == Option::kStopReplay)
        return records;
    }
    return 10;
  }

  const std::shared_ptr<FailingCalls> files_ = std::make_shared<FailingCalls>();
  const std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(files_);
};

TEST_F(WalTail, AWholeLogHasNoEndBefore) {
  for (const std::string& log : {kWhole, kWhole + fragment(kFull, kZeros),
                                 fragment(kFirst, "a") + fragment(kMiddle, "b") + fragment(kLast, "c")}) {
    EXPECT_EQ(end_before_torn_record(log), log.size());
    EXPECT_EQ(whole_records(log), 10) << "no record is refused";
  }
  EXPECT_EQ(end_before_torn_record(kTorn), kWhole.size());
  EXPECT_EQ(whole_records(kTorn), 1);
}

TEST_F(WalTail, AFragmentOfAnUnknownTypeIsDamage) {
  for (const char type : {'\0', kUnknown}) {
    const std::string log = kWhole + fragment(type, kZeros);
    EXPECT_EQ(end_before_torn_record(log), kWhole.size());
    EXPECT_EQ(whole_records(log), 1);
  }
}

TEST_F(WalTail, AFragmentOutOfItsPlaceIsDamage) {
  for (const char type : {kMiddle, kLast}) {
    const std::string log = kWhole + fragment(type, kZeros);
    EXPECT_EQ(end_before_torn_record(log), kWhole.size());
    EXPECT_EQ(whole_records(log), 1);
  }
  const std::string begun = kWhole + fragment(kFirst, "begun");
  for (const char type : {kFull, kFirst}) {
    const std::string log = begun + fragment(type, kZeros);
    EXPECT_EQ(end_before_torn_record(log), begun.size());
    EXPECT_EQ(whole_records(log), 1);
    EXPECT_TRUE(is_torn()) << "no other record follows";
  }
}

/// A block is filled up to so many bytes, which are too few for a header.
TEST_F(WalTail, FewBytesAtTheEndOfABlockAreZeros) {
  constexpr std::size_t kBlock = 32 << 10, kHeader = 7;
  for (const std::size_t left : {0U, 1U, 6U}) {
    const std::string filled = fragment(kFull, std::string(kBlock - kHeader - left, 'x'));
    const std::string log = filled + std::string(left, '\0') + kWhole;
    EXPECT_EQ(end_before_torn_record(log), log.size());
    EXPECT_EQ(whole_records(log), 10);
    if (left == 0) continue;
    EXPECT_EQ(whole_records(filled + std::string(left, 'x') + kWhole), 1);
    EXPECT_FALSE(is_torn()) << "a record follows";
  }
}

/// The header of a fragment without bytes just fits there.
TEST_F(WalTail, SevenBytesAtTheEndOfABlockAreAFragment) {
  constexpr std::size_t kBlock = 32 << 10, kHeader = 7;
  const std::string filled = fragment(kFull, std::string(kBlock - 2 * kHeader, 'x'));
  const std::string log = filled + fragment(kFirst, "") + fragment(kLast, "x");
  EXPECT_EQ(end_before_torn_record(log), log.size());
  EXPECT_EQ(whole_records(log), 10);
}

/// The log ends in zeros, for it was not closed. The fragments behind the first one did not reach the disk.
TEST_F(WalTail, ARecordThatEndsInZerosIsTorn) {
  constexpr std::size_t kBlock = 32 << 10, kHeader = 7;
  const std::string begun = kWhole + fragment(kFirst, std::string(kBlock - kHeader - kWhole.size(), 'x'));
  const std::string log = begun + std::string(kBlock, '\0');
  EXPECT_EQ(end_before_torn_record(log), begun.size());
  EXPECT_EQ(whole_records(log), 1);
  EXPECT_TRUE(is_torn());
}

/// A log behind the torn one was begun once the torn one was synced, unless it is the empty one that RocksDB
/// begins when it opens a database.
TEST_F(WalTail, BehindATornLogIsNoLogThatMayHoldACommit) {
  write("000001.log", kTorn);
  EXPECT_TRUE(is_torn());
  for (const std::string& log : {std::string(), std::string(100, '\0'), fragment(kFull, batch(0, "")),
                                 fragment(kFull, batch(0, "")) + fragment(kFull, batch(0, ""))}) {
    write("000002.log", log);
    EXPECT_TRUE(is_torn());
  }
  for (const std::string& log :
       {kWhole, fragment(kFull, batch(1, "")), fragment(kFull, batch(0, "x")), fragment(kFirst, batch(0, "")),
        std::string("neither a record nor zeros"), fragment(kFull, batch(0, "")) + kWhole}) {
    write("000002.log", log);
    EXPECT_FALSE(is_torn());
  }
  write("000002.log", kTorn);
  EXPECT_FALSE(is_torn()) << "both";
  EXPECT_TRUE(is_torn(2)) << "RocksDB does not need the first one";
}

TEST_F(WalTail, ALogThatCannotBeReadIsNotTakenForATornOne) {
  write("000001.log", kTorn);
  for (const Call call : {Call::kChildren, Call::kOpenToRead}) {
    files_->fail(call);
    EXPECT_FALSE(is_torn());
    EXPECT_TRUE(WholeCommits().read(*env_, path_).IsIOError());
  }
  files_->before({});
  EXPECT_TRUE(is_torn());
}

TEST_F(WalTail, WithoutLogsThereIsNoFirstOne) {
  WholeCommits commits;
  commits.ColumnFamilyLogNumberMap({}, {});
  EXPECT_EQ(commits.first_log(), 0U);
  EXPECT_FALSE(commits.lacks_commits());
  commits.ColumnFamilyLogNumberMap({{0, 7}}, {{"default", 0}});
  EXPECT_EQ(commits.first_log(), 7U);
}

}  // namespace
}  // namespace autoshard::test
