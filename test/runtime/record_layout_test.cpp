// What small functions of keys and records write, read back by their counterparts.

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "keys.h"
#include "record.h"

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

}  // namespace
}  // namespace autoshard::test
