// Removals beside files that have other records: what a compaction of the place costs, and needs.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "removals_fixture.h"

namespace autoshard::test {
namespace {

/// There are files that are expensive to compact.
class RemovalsBesideLargeFilesTest : public RemovalsTest {
 protected:
  static constexpr std::uint64_t kLarge = 16 << 20;
  static constexpr std::uint64_t kWorth = kLarge / Removals::kBytesPerDeleteMarker;
  static constexpr std::uint64_t kMore = 4 << 20;  // enough for all small files, and for what is in memory

  /// The file has these two records and no other: not that of the format, whose key is below all others.
  void put_in_large_file(std::string_view first, std::string_view last, int level) {
    settle_in_level(level);
    std::mt19937_64 generator(1);
    std::string value(kLarge / 2, ' ');
    for (char& byte : value) byte = static_cast<char>(generator());
    put(*store_, first, value);
    put(*store_, last, value);
    move_newest_to_level(level);
  }
  /// Moves what is in memory or in level 0.
  void move_newest_to_level(int level) {
    ASSERT_TRUE(database_->db().Flush({}).ok());
    rocksdb::ColumnFamilyMetaData files;
    database_->db().GetColumnFamilyMetaData(&files);
    std::vector<std::string> newest;
    for (const auto& file : files.levels.front().files) newest.push_back(file.name);
    ASSERT_TRUE(database_->db().CompactFiles({}, newest, level).ok());
  }

  void note(std::string_view begin, std::string_view end, std::uint64_t passed) {
    database_->removals().note(begin, end, passed);
    database_->removals().wait();
  }
  /// How many tombstones are left of a place that is worth a compaction, with so much space.
  std::uint64_t left_with(std::uint64_t free_space) {
    files_->set_free_space(free_space);
    note("b", "c", 2 * kWorth);
    return tombstones("b", "c");
  }
};

TEST_F(RemovalsBesideLargeFilesTest, StayWhereTheFilesHaveNoRoom) {
  put_in_large_file("a", "d", 2);
  add_and_remove_in_file("b");
  for (const std::uint64_t free_space : {kLarge / 2, kLarge - 1}) EXPECT_EQ(left_with(free_space), kMany);
  EXPECT_EQ(left_with(kLarge + kMore), 0U);
}

/// RocksDB merges all that is in memory or in level 0 with all files of level 1 that it overlaps.
TEST_F(RemovalsBesideLargeFilesTest, StayWhereTheFilesBesideThePlaceHaveNoRoom) {
  for (const bool is_in_file : {false, true}) {
    SCOPED_TRACE(is_in_file);
    store_ = nullptr;
    std::filesystem::remove_all(path_);
    files_->set_free_space(kAllFree);
    open(kFast);
    put_in_large_file("d", "e", 1);
    for (const char* key : {"a", "f"}) put(*store_, key, "");
    add_and_remove_many("b");
    if (is_in_file) {
      ASSERT_TRUE(database_->db().Flush({}).ok());
    }
    EXPECT_EQ(left_with(kLarge - 1), kMany);
    EXPECT_EQ(left_with(kLarge + kMore), 0U);
  }
}

/// A compaction of the place rewrites the file of level 1, and with it each file of level 2 that this one
/// overlaps, wherever that lies.
TEST_F(RemovalsBesideLargeFilesTest, StayWhereTheFilesBelowThoseOfThePlaceHaveNoRoom) {
  put_in_large_file("x", "y", 2);
  for (const char* key : {"a", "z"}) put(*store_, key, "");
  move_newest_to_level(1);
  add_and_remove_in_file("b");
  EXPECT_EQ(left_with(kLarge - 1), kMany);
  EXPECT_EQ(left_with(kLarge + kMore), 0U);
}

/// The file of the last level has no record in the place. RocksDB keeps the tombstones as long as the file
/// may have one.
TEST_F(RemovalsTest, AreTidiedUpAboveAFileThatSpansThem) {
  for (const char* key : {"a", "d"}) put(*store_, key, "");
  settle_in_level(3);
  for (const bool is_in_file : {false, true}) {
    if (is_in_file) {
      add_and_remove_in_file("b");
    } else {
      add_and_remove_many("b");
    }
    EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U) << is_in_file;
  }
}

TEST_F(RemovalsBesideLargeFilesTest, AreTidiedUpOnceTheyAreWorthIt) {
  put_in_large_file("a", "d", 2);
  add_and_remove_in_file("b");
  add_and_remove_in_file("f");
  for (int quarter = 1; quarter < 4; ++quarter) {
    note("b", "c", kWorth / 4);
    EXPECT_EQ(tombstones("b", "c"), kMany) << quarter;
  }
  note("f", "g", Removals::kWorthCompacting);
  EXPECT_EQ(tombstones("f", "g"), 0U) << "no large file overlaps this place";
  note("b", "c", kWorth / 2);
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

}  // namespace
}  // namespace autoshard::test
