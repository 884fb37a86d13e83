/// Sharded bitsets: their laws are tried like those of integers.

#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

struct Case {
  std::string name;
  std::string neutral;
  std::string fold;
  std::string body;     ///< of a shard method
  std::string rule;     ///< empty: the class is accepted
  std::string message;  ///< a part of the message, or of the explanation
  std::string type = "std::bitset<8>";
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.fold << ": " << one.body; }

class BitsetLawTest : public testing::TestWithParam<Case> {};

TEST_P(BitsetLawTest, IsTried) {
  const Case& one = GetParam();
  const std::string text =
      "#include <bitset>\n#include <cstddef>\n#include <functional>\nclass [[autoshard::entity]] Panel {\n "
      "public:\n  [[autoshard::shard_method]] void change(std::size_t bit, bool on, const " +
      one.type + "& more) { static_cast<void>(bit); static_cast<void>(on); static_cast<void>(more); " +
      one.body +
      " }\n\n private:\n  [[autoshard::id]] int id_ = 0;\n  [[autoshard::shardable(neutral = " + one.neutral +
      ", shards = 4, fold = " + one.fold + ")]] " + one.type + " x_;\n};\n";
  const Outcome outcome = parse_text(text);
  if (one.rule.empty()) {
    EXPECT_TRUE(outcome.ok) << outcome.output;
    EXPECT_NE(outcome.explanation.find(one.message), std::string::npos) << outcome.explanation;
    return;
  }
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output << outcome.explanation;
  EXPECT_EQ(outcome.diagnostics[0].rule, "autoshard-" + one.rule);
  EXPECT_NE(outcome.diagnostics[0].message.find(one.message), std::string::npos) << outcome.output;
}

const std::string kOr = "std::bit_or<>{}";
const std::string kAnd = "std::bit_and<>{}";
const std::string kXor = "std::bit_xor<>{}";
const std::string kAll = "~std::bitset<8>()";
const std::string kBroken = "method-does-not-commute";

const Case kCases[] = {
    {"Or", "0", kOr, "x_ |= more; x_.set(3);", "", "change commutes with the fold: by the solver"},
    {"OrOfManyBits", "0", kOr, "x_ |= more; x_.set(69);", "", "change commutes with the fold: by the solver",
     "std::bitset<70>"},
    {"And", kAll, kAnd, "x_ &= more; x_.reset(3);", "", "change commutes with the fold: by the solver"},
    {"AndOfAMask", "0xFF", kAnd, "x_.set(1, false);", "", "change commutes with the fold: by the solver"},
    {"Xor", "{}", kXor, "x_ ^= more; x_.flip(3);", "", "change commutes with the fold: by the solver"},
    {"OneOfBoth", "0", kOr, "if (on) x_.set(0); else x_.set(1);", "",
     "change commutes with the fold: by the solver"},
    {"XorOnOr", "0", kOr, "x_ ^= more;", kBroken, "gives 0b"},
    {"FlipOnOr", "0", kOr, "x_.set(0); x_.flip(1);", kBroken, "change("},
    {"FlipOnOrOfManyBits", "0", kOr, "x_.flip(1);", kBroken, "change(", "std::bitset<70>"},
    {"FlipOfAHighBitOnOr", "0", kOr, "x_.flip(69);", kBroken, "change(", "std::bitset<70>"},
    {"ResetOfAHighBitOnOr", "0", kOr, "x_.reset(69);", kBroken, "change(", "std::bitset<70>"},
    {"ResetOnOr", "0", kOr, "x_.reset(0);", kBroken, "change("},
    {"SetOnAnd", kAll, kAnd, "x_.set(0);", kBroken, "change("},
    {"SetOnXor", "0", kXor, "x_.set(0);", kBroken, "change("},
    {"SetToAny", "0", kOr, "x_.set(0, on);", kBroken, "change("},
    {"Shift", "0", kOr, "x_ <<= 1; x_.set(0);", kBroken, "change("},
    {"ZeroOfAnd", "0", kAnd, "x_.reset(0);", "neutral-not-identity", "fold(0b1, 0b0) is 0b0"},
    {"LowBitsOfAnd", "~0ULL", kAnd, "x_.reset(0);", "neutral-not-identity", "is not neutral",
     "std::bitset<70>"},
    {"OneOfOr", "1", kOr, "x_.set(0);", "neutral-not-identity", "is 0b11, so 0b1 is not neutral"},
};
INSTANTIATE_TEST_SUITE_P(Bitsets, BitsetLawTest, testing::ValuesIn(kCases),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace autoshard::tool
