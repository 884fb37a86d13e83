// How what is read or written is divided among statements.

#include "statement_limits.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <vector>

namespace autoshard::mysql_store {
namespace {

using Parts = std::vector<std::vector<std::size_t>>;

/// Items of these sizes, in statements of 10 bytes.
Parts parts_of(const std::vector<std::size_t>& items) {
  Parts parts;
  in_parts(
      std::span(items), 10, [](std::size_t size) { return size; },
      [&](std::span<const std::size_t> some) { parts.emplace_back(some.begin(), some.end()); });
  return parts;
}

TEST(StatementLimits, AreThoseOfBytes) {
  EXPECT_EQ(parts_of({}), Parts());
  EXPECT_EQ(parts_of({10}), (Parts{{10}}));
  EXPECT_EQ(parts_of({4, 6, 1, 9, 1}), (Parts{{4, 6}, {1, 9}, {1}}));
}

TEST(StatementLimits, AnItemThatIsLargerIsAlone) {
  EXPECT_EQ(parts_of({1, 11, 1, 2}), (Parts{{1}, {11}, {1, 2}}));
  EXPECT_EQ(parts_of({static_cast<std::size_t>(-1), 0, 1}), (Parts{{static_cast<std::size_t>(-1)}, {0, 1}}));
}

TEST(StatementLimits, AreThoseOfKeys) {
  const Parts parts = parts_of(std::vector<std::size_t>(kMostKeys + 1, 0));
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].size(), kMostKeys);
  EXPECT_EQ(parts[1].size(), 1U);
}

}  // namespace
}  // namespace autoshard::mysql_store
