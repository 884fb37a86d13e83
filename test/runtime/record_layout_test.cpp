// What small functions of keys and records write, read back by their counterparts.

#include <autoshard/errors.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "keys.h"
#include "shard_record.h"

namespace autoshard::test {
namespace {

using detail::Share;

TEST(RecordLayout, ABoundedShardHasItsShareBehindTheValue) {
  std::string record;
  detail::encode_bounded_shard(record, -7, 5, Share{-20, 300});
  const detail::ShardTail tail = detail::read_tail("key", record);
  EXPECT_EQ(tail.epoch, 5U);
  ASSERT_TRUE(tail.share);
  EXPECT_EQ(tail.share->least, -20);
  EXPECT_EQ(tail.share->most, 300);
}

TEST(RecordLayout, ABoundedShardThatIsOutOfItsBoundsHasNoShare) {
  std::string record;
  detail::encode_bounded_shard(record, 1'000, 5, std::nullopt);
  const detail::ShardTail tail = detail::read_tail("key", record);
  EXPECT_EQ(tail.epoch, 5U);
  EXPECT_FALSE(tail.share);
}

TEST(RecordLayout, LeasesOfDifferentNamesHaveDifferentKeys) {
  EXPECT_NE(detail::lease_key("compaction"), detail::lease_key("clock"));
  EXPECT_NE(detail::lease_key("compaction"), detail::lease_key(""));
}

TEST(RecordLayout, AnIndexKeyThatIsCutShortIsNone) {
  const std::string kind = detail::indexes_key("Kind"),
                    key = detail::index_key("Kind", "by_name", 0x01020304);
  EXPECT_EQ(detail::index_of(key + "entry", kind.size()), key);
  EXPECT_EQ(detail::index_of(key, kind.size()), key);
  for (std::size_t size = kind.size(); size < key.size(); ++size)
    EXPECT_EQ(detail::index_of(key.substr(0, size), kind.size()), "") << size;
}

TEST(RecordLayout, ANumberOfNineBytesIsNoId) {
  for (const std::string key : {"\x1D"
                                "123456789",
                                "\x0B"
                                "123456789"}) {
    std::string_view rest = key;
    EXPECT_THROW(detail::skip_part(rest), CorruptRecord);
  }
  std::string_view longest =
      "\x1C"
      "12345678";
  detail::skip_part(longest);
  EXPECT_EQ(longest, "");
}

}  // namespace
}  // namespace autoshard::test
