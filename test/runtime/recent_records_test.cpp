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

TEST(RecentRecords, ForgetsEntitiesWithoutConflictsForALongTime) {
  platform::Clock::time_point now{};
  RecentRecords recent([&] { return now; });
  recent.watch("a");
  recent.note("a", 1, "record");
  now += RecentRecords::kRemembered / 2;
  recent.watch("b");
  recent.note("b", 1, "record");
  recent.note("a", 2, "record");
  EXPECT_EQ(recent.find("a", 1), "record");
  now += RecentRecords::kRemembered / 2;
  recent.note("another", 1, "record");
  EXPECT_EQ(recent.find("a", 1), std::nullopt);
  EXPECT_EQ(recent.find("b", 1), "record");
  recent.note("a", 3, "record");
  EXPECT_EQ(recent.find("a", 3), std::nullopt);
  now += RecentRecords::kRemembered;
  recent.note("another", 1, "record");
  EXPECT_EQ(recent.find("b", 1), std::nullopt);
  recent.watch("b");
  recent.note("b", 2, "record");
  EXPECT_EQ(recent.find("b", 2), "record");
}

// Whatever happens to however many entities.
TEST(RecentRecords, RemembersSoManyAndNoMore) {
  RecentRecords recent;
  const std::string record(RecentRecords::kLongestRecord, 'x');
  constexpr std::uint64_t kVersions = 2 * RecentRecords::kMostVersions;
  std::size_t remembered = 0;
  for (int entity = 0; entity < 1'000; ++entity) {
    recent.watch(std::to_string(entity));
    for (std::uint64_t version = 0; version < kVersions; ++version)
      recent.note(std::to_string(entity), version, record);
  }
  for (int entity = 0; entity < 1'000; ++entity) {
    for (std::uint64_t version = 0; version < kVersions; ++version)
      remembered += recent.find(std::to_string(entity), version).has_value() ? 1 : 0;
  }
  EXPECT_EQ(remembered, RecentRecords::kMostEntities * RecentRecords::kMostVersions);
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
