// What evaluated laws compare and show values with.
#include "tool/laws/trial/probe_support.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

enum class Colour { kRed = 1, kGreen = 2 };

template <>
struct autoshard_laws::Enumerators<Colour> {
  static constexpr const char* name(Colour colour) { return colour == Colour::kRed ? "kRed" : nullptr; }
};

namespace autoshard_laws {
namespace {

static_assert(kMost<std::int8_t> == 127 && kLeast<std::int8_t> == -128);
static_assert(kMost<std::uint64_t> == std::numeric_limits<std::uint64_t>::max());
static_assert(kLeast<std::uint16_t> == 0);

template <class T>
std::string text_of(const T& value) {
  const Text text = shown(value);
  return {text.bytes, static_cast<std::size_t>(text.size)};
}

TEST(ProbeSupport, ShowsValuesAsTheyAreWritten) {
  EXPECT_EQ(text_of(true), "true");
  EXPECT_EQ(text_of(-5), "-5");
  EXPECT_EQ(text_of(kLeast<std::int64_t>), "-9223372036854775808");
  EXPECT_EQ(text_of(0.25), "0.25");
  EXPECT_EQ(text_of(-1e300), "-more than 10^15");
  EXPECT_EQ(text_of(std::string("a")), "\"a\"");
  EXPECT_EQ(text_of(std::string("a\"\\")), "\"a\\\"\\\\\"");
  EXPECT_EQ(text_of(std::optional<int>()), "nothing");
  EXPECT_EQ(text_of(std::pair(1, false)), "{1, false}");
  EXPECT_EQ(text_of(std::vector{1, 2}), "{1, 2}");
  EXPECT_EQ(text_of(Colour::kRed), "kRed");
  EXPECT_EQ(text_of(Colour::kGreen), "2");
}

TEST(ProbeSupport, CutsLongText) { EXPECT_EQ(text_of(std::string(500, 'x')).size(), 199U); }

TEST(ProbeSupport, ComparesFloatingPointApproximately) {
  // While the program runs, only a prover compares them.
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr bool kIsSum = same(0.1 + 0.2, 0.3), kIsOther = same(0.3, 0.31), kIsNan = same(kNan, kNan);
  EXPECT_TRUE(kIsSum);
  EXPECT_FALSE(kIsOther);
  EXPECT_TRUE(kIsNan);
}

TEST(ProbeSupport, ComparesSequencesWithAndWithoutTheirOrder) {
  const std::vector<int> one = {1, 2, 2}, other = {2, 1, 2}, shorter = {1, 2}, different = {1, 1, 2};
  EXPECT_FALSE(same(one, other));
  EXPECT_TRUE(same_elements(one, other));
  EXPECT_FALSE(same_elements(one, shorter));
  EXPECT_FALSE(same_elements(one, different));
}

}  // namespace
}  // namespace autoshard_laws
