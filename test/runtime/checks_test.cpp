/// Each kind of check can fail. What mappers do is checked by all other tests of builds with checks.

#include <autoshard/memory_store.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "checked_keys.h"
#include "checked_store.h"
#include "checked_values.h"
#include "entities/versions/bookmark/bookmark.autoshard.h"
#include "entities/versions/listing/listing.autoshard.h"
#include "entity_index.h"
#include "expiring_record.h"
#include "folding_store.h"
#include "keys.h"
#include "main_record.h"
#include "room.h"
#include "shard_record.h"

namespace autoshard::detail {
namespace {

using namespace std::string_literals;

const EntityKey kEntity("\2Film\0\1\x15\7"s);
const std::string kGeneration = "\0\2Film\0\1"s;

/// With one property, of this number of shards and this epoch.
std::string main_record(std::uint32_t saves, char shards, char epoch) {
  const std::string version = "\xCF\0\0\0\1\0\0\0"s + static_cast<char>(saves);
  return "\x82\xA8@version" + version + "\xA9@sharding\x81\xA5votes\x92" + shards + epoch;
}

class ChecksTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!kChecks) GTEST_SKIP() << "the runtime is built without checks";
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    put(main_key(kEntity), main_record(1, 4, 2));
  }

  /// Past the checks.
  void put(std::string_view key, std::string_view value) {
    const std::unique_ptr<Transaction> transaction = below_.begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  /// One commit that has read the records with these keys.
  void commit(std::initializer_list<std::string_view> read, std::string_view key,
              const std::optional<std::string>& value) {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    std::string stored;
    for (const std::string_view each : read) transaction->get(each, stored);
    value ? transaction->put(key, *value) : transaction->erase(key);
    transaction->commit();
  }

  MemoryStore below_;
  CheckedStore store_{below_};
  static RecordKey bucket(std::uint16_t shard, std::int64_t begin = 1'700'000'000'000) {
    RecordKey key;
    key.set_bucket(kEntity, "votes", shard, begin);
    return key;
  }

  const RecordKey main_ = main_key(kEntity), shard_ = shard_key(kEntity, "votes", 3), bucket_ = bucket(3);
};
using ChecksDeathTest = ChecksTest;

TEST_F(ChecksTest, LetsWritesPassThatKeepTheRules) {
  commit({main_, shard_}, shard_, "\x92\5\2"s);
  commit({main_, bucket_}, bucket_, "\x92\5\2"s);
  commit({main_, bucket(0, 0)}, bucket(0, 0), "\x92\5\2"s);
  commit({main_}, bucket_, std::nullopt);
  commit({main_, kGeneration}, main_, main_record(2, 4, 2));
  commit({main_, kGeneration}, main_, tombstone());
  commit({main_}, shard_, std::nullopt);
  commit({main_}, main_, std::nullopt);
}

TEST_F(ChecksDeathTest, AKeyOrValueThatNoMapperWrites) {
  EXPECT_DEATH(commit({}, "\5somewhere", "\xC0"), "parsed.kind != CheckedKey::kOther");
  EXPECT_DEATH(commit({main_, shard_}, shard_, "\x90"), "is_record");
  EXPECT_DEATH(commit({main_, shard_}, shard_, "\x94\5\2\6\7"s), "is_record");  // outside of its share
  EXPECT_DEATH(commit({main_}, main_, "\x81\xA8@version\1"s), "is_record");     // of no entity
}

TEST_F(ChecksDeathTest, AShardThatDoesNotFollowFromWhatWasRead) {
  EXPECT_DEATH(commit({shard_}, shard_, "\x92\5\2"s), "is_seen");
  EXPECT_DEATH(commit({main_}, shard_, "\x92\5\2"s), "layouts != ");
  EXPECT_DEATH(commit({main_, shard_}, shard_, "\x92\5\1"s), "counts.*value = .x92.x05.x01");
  const RecordKey beyond = shard_key(kEntity, "votes", 4);
  EXPECT_DEATH(commit({main_, beyond}, beyond, "\x92\5\2"s), "counts.*value = .x92.x05.x02");
  put(main_, tombstone());
  EXPECT_DEATH(commit({main_, shard_}, shard_, "\x92\5\2"s), "is_alive_after");
}

TEST_F(ChecksDeathTest, ABucketThatDoesNotFollowFromWhatWasRead) {
  EXPECT_DEATH(commit({bucket_}, bucket_, "\x92\5\2"s), "is_seen");
  EXPECT_DEATH(commit({main_}, bucket_, "\x92\5\2"s), "layouts != ");
  EXPECT_DEATH(commit({main_, bucket_}, bucket_, "\x94\5\2\1\7"s), "is_record");  // a share is a shard's
  EXPECT_DEATH(commit({main_, bucket_}, bucket_, "\x93\5\2\1"s), "clock");
  EXPECT_DEATH(commit({main_, bucket_, store_clock_key()}, bucket_, "\x93\5\2\1"s), "end = 1");
  EXPECT_DEATH(commit({main_, bucket_}, bucket_, "\x92\5\1"s), "counts.*value = .x92.x05.x01");
  const RecordKey beyond = bucket(4);
  EXPECT_DEATH(commit({main_, beyond}, beyond, "\x92\5\2"s), "counts.*value = .x92.x05.x02");
  put(main_, tombstone());
  EXPECT_DEATH(commit({main_, bucket_}, bucket_, "\x92\5\2"s), "is_alive_after");
}

/// The updates of one commit may belong to several buckets, and each may replace the value.
TEST_F(ChecksDeathTest, ABucketThatIsReplacedInTheSameCommit) {
  const auto replace_twice = [&](char epoch) {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    std::string stored;
    transaction->get(main_, stored);
    transaction->put(main_, main_record(2, 4, 4));
    transaction->get(bucket_, stored);
    transaction->put(bucket_, "\x92\5"s + epoch);
    transaction->commit();
  };
  EXPECT_DEATH(replace_twice(1), "counts.*value = .x92.x05.x01");
  EXPECT_DEATH(replace_twice(5), "counts.*value = .x92.x05.x05");
  replace_twice(3);
}

/// An element of eight bytes is none: its first byte is the head of its text.
TEST_F(ChecksTest, ABucketIsToldFromAnElement) {
  EXPECT_EQ(parse_checked_key(bucket_).kind, CheckedKey::kBucket);
  EXPECT_EQ(parse_checked_key(bucket_).number, 3U);
  RecordKey element;
  element.set_equal_element(kEntity, "votes", "\xA7sevenly");
  EXPECT_EQ(parse_checked_key(element).kind, CheckedKey::kElement);
  commit({main_}, element, "\x93\5\2\1"s);
}

TEST_F(ChecksDeathTest, AMainRecordThatDoesNotFollowFromTheOneBefore) {
  EXPECT_DEATH(commit({}, main_, main_record(2, 4, 2)), "is_seen");
  EXPECT_DEATH(commit({main_}, main_, main_record(1, 4, 1)), "keeps_epoch");
  EXPECT_DEATH(commit({main_}, main_, tombstone()), "checked_generation_key");
  EXPECT_DEATH(commit({main_}, main_, std::nullopt), "before.is_tombstone");
}

TEST_F(ChecksDeathTest, MarksTokensLeasesAndClocks) {
  const RecordKey mark = writer_key(7), clock = store_clock_key(), lease = lease_key("compaction");
  const RecordKey token = token_key(kEntity, "once");
  std::string record;
  encode_expiring(record, 1000, 5);
  EXPECT_DEATH(commit({mark}, mark, record), "now == 0");
  put(mark, record);
  EXPECT_DEATH(commit({mark}, mark, record), "now > ");
  EXPECT_DEATH(commit({main_, token}, token, record), "check failed: clock");
  EXPECT_DEATH(commit({main_, token, clock}, token, record), "kLongestStep");
  put(clock, "\5");
  EXPECT_DEATH(commit({clock}, clock, "\4"), "now >= ");
  EXPECT_DEATH(commit({}, lease, "\x92\1\2"s), "check failed: before");
}

TEST_F(ChecksDeathTest, IndexRecordsAndExpiries) {
  const std::string index = index_key("Film", "title", 9), entry = index + "\2A\0\1"s + "\x15\7";
  EXPECT_DEATH(commit({}, entry, "\xC0"), "belongs_to_entity_that_was_read");
  EXPECT_DEATH(commit({index}, index, "\xC2"), "puts\\(key.indexes\\)");
  EXPECT_DEATH(commit({index}, index, "\xC3"), "before && ");
  EXPECT_DEATH(commit({main_}, expiry_key("Film", 5, kEntity), "\xC0"), "is_said");
}

TEST_F(ChecksDeathTest, AKeyThatIsWrittenTwiceAndATransactionThatHasEnded) {
  const auto write_twice = [&] {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    transaction->put(shard_, "\x92\5\2"s);
    transaction->erase(shard_);
  };
  EXPECT_DEATH(write_twice(), "may_follow");
  enum class Then : std::uint8_t { kPut, kReadAndPut, kFold, kErase };
  const auto put_then = [&](const RecordKey& key, Then then, bool folds_first = false) {
    test::FoldingStore folding(below_);
    CheckedStore store(folding);
    const std::unique_ptr<Transaction> transaction = store.begin();
    const NumberFold fold{.fold = Fold::kSum, .number = 1, .most = 9, .others = "\2"};
    folds_first ? transaction->fold(key, fold) : transaction->put(key, "\x92\5\2"s);
    std::string stored;
    if (then == Then::kReadAndPut) transaction->get(key, stored);
    if (then == Then::kFold) transaction->fold(key, fold);
    if (then == Then::kErase) transaction->erase(key);
    if (then == Then::kPut || then == Then::kReadAndPut) transaction->put(key, "\x92\6\2"s);
  };
  for (const RecordKey& key : {shard_, bucket_}) {
    put_then(key, Then::kReadAndPut);
    put_then(key, Then::kFold);
    put_then(key, Then::kFold, true);
    EXPECT_DEATH(put_then(key, Then::kPut), "may_follow");
    EXPECT_DEATH(put_then(key, Then::kErase), "may_follow");
    EXPECT_DEATH(put_then(key, Then::kPut, true), "may_follow");
    EXPECT_DEATH(put_then(key, Then::kErase, true), "may_follow");
  }
  const auto go_on = [&] {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    transaction->commit();
    transaction->erase(shard_);
  };
  EXPECT_DEATH(go_on(), "!is_ended_");
}

TEST_F(ChecksDeathTest, AReadThatWasNotAnnounced) {
  const auto read_all = [&](bool announces_all) {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    transaction->prefetch(std::vector<std::string>{main_.bytes()});
    CheckedStore::expect_prefetched(*transaction, true);
    std::string stored;
    transaction->get(main_, stored);
    if (announces_all) transaction->prefetch(std::vector<std::string>{shard_.bytes()});
    transaction->get(shard_, stored);
  };
  read_all(true);
  EXPECT_DEATH(read_all(false), "prefetched_.contains");
}

TEST_F(ChecksDeathTest, PreconditionsAndPairsOfEncoders) {
  EXPECT_DEATH(Room(StoreTraits{}, 0).take(1), "is_left");
  std::string record;
  EXPECT_DEATH(encode_bounded_shard(record, 9, 0, Share{0, 8}), "value <= share->most");
  EXPECT_DEATH(RecordKey().set_equal_element(kEntity, "names", {}), "!bytes.empty");
}

TEST_F(ChecksDeathTest, AnIndexOfAnotherClass) {
  using reading::Bookmark;
  const IndexType& tags = kEntityType<Bookmark>.indexes[0];
  EXPECT_EQ(&find_index(kEntityType<Bookmark>, tags).declared(), &tags);
  EXPECT_DEATH(find_index(kEntityType<market::Listing>, tags), "found != all.end");
}

}  // namespace
}  // namespace autoshard::detail
