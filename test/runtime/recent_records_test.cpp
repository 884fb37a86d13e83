// Records of entities in conflict are remembered within bounds.

#include "recent_records.h"

#include <gtest/gtest.h>

#include <string>

#include "entity_literal.h"

namespace autoshard::detail {
namespace {

using test::operator""_entity;

TEST(RecentRecords, RemembersEntitiesInConflictOnly) {
  RecentRecords recent;
  recent.note("a"_entity, 1, "before");
  recent.watch("a"_entity);
  recent.note("a"_entity, 2, "after");
  recent.note("b"_entity, 1, "another's");
  EXPECT_EQ(recent.find("a"_entity, 1), std::nullopt);
  EXPECT_EQ(recent.find("a"_entity, 2), "after");
  EXPECT_EQ(recent.find("b"_entity, 1), std::nullopt);
}

TEST(RecentRecords, ForgetsTheEntityWhoseConflictIsTheOldest) {
  RecentRecords recent;
  for (std::size_t i = 0; i < RecentRecords::kMostEntities; ++i) {
    recent.watch(EntityKey(std::to_string(i)));
    recent.note(EntityKey(std::to_string(i)), 1, "record");
  }
  recent.watch("0"_entity);
  recent.watch("another"_entity);
  EXPECT_EQ(recent.find("0"_entity, 1), "record") << "it was in conflict again";
  EXPECT_EQ(recent.find("1"_entity, 1), std::nullopt);
  EXPECT_EQ(recent.find("2"_entity, 1), "record");
}

TEST(RecentRecords, ForgetsTheOldestVersion) {
  RecentRecords recent;
  recent.watch("a"_entity);
  for (std::uint64_t version = 1; version <= RecentRecords::kMostVersions + 1; ++version)
    recent.note("a"_entity, version, "record");
  EXPECT_EQ(recent.find("a"_entity, 1), std::nullopt);
  EXPECT_EQ(recent.find("a"_entity, 2), "record");
}

TEST(RecentRecords, ForgetsEntitiesWithoutConflictsForALongTime) {
  platform::Clock::time_point now{};
  RecentRecords recent([&] { return now; });
  recent.watch("a"_entity);
  recent.note("a"_entity, 1, "record");
  now += RecentRecords::kRemembered / 2;
  recent.watch("b"_entity);
  recent.note("b"_entity, 1, "record");
  recent.note("a"_entity, 2, "record");
  EXPECT_EQ(recent.find("a"_entity, 1), "record");
  now += RecentRecords::kRemembered / 2;
  recent.note("another"_entity, 1, "record");
  EXPECT_EQ(recent.find("a"_entity, 1), std::nullopt);
  EXPECT_EQ(recent.find("b"_entity, 1), "record");
  recent.note("a"_entity, 3, "record");
  EXPECT_EQ(recent.find("a"_entity, 3), std::nullopt);
  now += RecentRecords::kRemembered;
  recent.note("another"_entity, 1, "record");
  EXPECT_EQ(recent.find("b"_entity, 1), std::nullopt);
  recent.watch("b"_entity);
  recent.note("b"_entity, 2, "record");
  EXPECT_EQ(recent.find("b"_entity, 2), "record");
}

// Whatever happens to however many entities.
TEST(RecentRecords, RemembersSoManyAndNoMore) {
  RecentRecords recent;
  const std::string record(RecentRecords::kLongestRecord, 'x');
  constexpr std::uint64_t kVersions = 2 * RecentRecords::kMostVersions;
  std::size_t remembered = 0;
  for (int entity = 0; entity < 1'000; ++entity) {
    recent.watch(EntityKey(std::to_string(entity)));
    for (std::uint64_t version = 0; version < kVersions; ++version)
      recent.note(EntityKey(std::to_string(entity)), version, record);
  }
  for (int entity = 0; entity < 1'000; ++entity) {
    for (std::uint64_t version = 0; version < kVersions; ++version)
      remembered += recent.find(EntityKey(std::to_string(entity)), version).has_value() ? 1 : 0;
  }
  EXPECT_EQ(remembered, RecentRecords::kMostEntities * RecentRecords::kMostVersions);
}

TEST(RecentRecords, RemembersNoLongRecord) {
  RecentRecords recent;
  recent.watch("a"_entity);
  const std::string longest(RecentRecords::kLongestRecord, 'x');
  recent.note("a"_entity, 1, longest);
  recent.note("a"_entity, 2, longest + 'x');
  EXPECT_EQ(recent.find("a"_entity, 1), longest);
  EXPECT_EQ(recent.find("a"_entity, 2), std::nullopt);
}

}  // namespace
}  // namespace autoshard::detail
