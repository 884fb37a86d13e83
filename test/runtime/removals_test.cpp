// Removed records are counted for each entity, and the counts are bounded.

#include "removals.h"

#include <gtest/gtest.h>

#include <string>

namespace autoshard::detail {
namespace {

constexpr std::uint64_t kMany = Removals::kWorthReclaiming;

TEST(Removals, AreWorthReclaimingOnceThereAreMany) {
  Removals removals;
  EXPECT_FALSE(removals.add("a", kMany - 1));
  EXPECT_FALSE(removals.add("a", 0));
  EXPECT_FALSE(removals.add("b", 1)) << "of another entity";
  EXPECT_TRUE(removals.add("a", 1));
  EXPECT_FALSE(removals.add("a", kMany - 1)) << "the count began anew";
}

TEST(Removals, AreForgottenWhereTheEntitiesAreTooMany) {
  Removals removals;
  for (std::size_t i = 0; i < Removals::kMost; ++i) removals.add(std::to_string(i), 1);
  removals.add("1", 1);
  EXPECT_TRUE(removals.add("2", kMany - 1)) << "an entity that has a count needs no room";
  removals.add("2", 1);
  removals.add("another", 1);
  EXPECT_FALSE(removals.add("3", kMany - 1));
  EXPECT_TRUE(removals.add("another", kMany - 1));
}

}  // namespace
}  // namespace autoshard::detail
