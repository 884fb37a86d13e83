// Records of entities in conflict are remembered within bounds.

#include "recent_records.h"

#include <gtest/gtest.h>

#include <string>

namespace autoshard::detail {
namespace {

TEST(RecentRecords, RemembersEntitiesInConflictOnly) {
  RecentRecords recent;
  recent.note("a", 1, "before");
  recent.watch("a");
  recent.note("a", 2, "after");
  recent.note("b", 1, "another's");
  EXPECT_EQ(recent.find("a", 1), std::nullopt);
  EXPECT_EQ(recent.find("a", 2), "after");
  EXPECT_EQ(recent.find("b", 1), std::nullopt);
}

TEST(RecentRecords, ForgetsTheEntityWhoseConflictIsTheOldest) {
  RecentRecords recent;
  for (std::size_t i = 0; i < RecentRecords::kMostEntities; ++i) {
    recent.watch(std::to_string(i));
    recent.note(std::to_string(i), 1, "record");
  }
  recent.watch("0");
  recent.watch("another");
  EXPECT_EQ(recent.find("0", 1), "record") << "it was in conflict again";
  EXPECT_EQ(recent.find("1", 1), std::nullopt);
  EXPECT_EQ(recent.find("2", 1), "record");
}

TEST(RecentRecords, ForgetsTheOldestVersion) {
  RecentRecords recent;
  recent.watch("a");
  for (std::uint64_t version = 1; version <= RecentRecords::kMostVersions + 1; ++version)
    recent.note("a", version, "record");
  EXPECT_EQ(recent.find("a", 1), std::nullopt);
  EXPECT_EQ(recent.find("a", 2), "record");
}

TEST(RecentRecords, RemembersNoLongRecord) {
  RecentRecords recent;
  recent.watch("a");
  const std::string longest(RecentRecords::kLongestRecord, 'x');
  recent.note("a", 1, longest);
  recent.note("a", 2, longest + 'x');
  EXPECT_EQ(recent.find("a", 1), longest);
  EXPECT_EQ(recent.find("a", 2), std::nullopt);
}

}  // namespace
}  // namespace autoshard::detail
