/// Arguments that are constants of a header that the annotated one includes.

#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

constexpr const char* kConfig = R"(#pragma once
namespace config {
inline constexpr int kShards = 12, kNone = 0;
inline constexpr long kMost = 5'000;
inline constexpr unsigned long long kAll = ~0ull;
inline constexpr double kShare = 4.0;
inline int variable = 4;
int computed();
const long& configured();
enum { kFew = 3 };
enum class Size : char { kSmall = 2 };
}
namespace other { inline constexpr int kShards = 5, kSame = 6; }
inline constexpr int kSame = 7;
)";

/// Reads a question with a sharded member `x_`, whose arguments may use `config.h`.
Outcome with(const std::string& arguments, const std::string& before = "") {
  return parse_texts({{"entity.h", "#include <functional>\n#include \"config.h\"\n" + before +
                                       question("",
                                                "[[autoshard::shardable(neutral = 0, fold = "
                                                "std::plus<>{}, " +
                                                    arguments + ")]] long x_ = 0;")}},
                     {{"config.h", kConfig}});
}

std::uint32_t shards_of(const std::string& value, const std::string& before = "") {
  const Outcome outcome = with("shards = " + value, before);
  EXPECT_TRUE(outcome.ok) << outcome.output;
  return outcome.ok ? outcome.model.entities.at(0).property("x_")->sharding->shards : 0;
}

TEST(Constants, OfAnotherHeaderAreEvaluated) {
  EXPECT_EQ(shards_of("config::kShards"), 12U);
  EXPECT_EQ(shards_of("::config::kShards * 2"), 24U);
  EXPECT_EQ(shards_of("config::kFew"), 3U);
  EXPECT_EQ(shards_of("config::Size::kSmall"), 2U);
  EXPECT_EQ(shards_of("kShards", "using config::kShards;\n"), 12U);
  EXPECT_EQ(shards_of("kFew", "using namespace config;\n"), 3U);
  EXPECT_EQ(shards_of("value", "inline constexpr int value = 8;\n"), 8U);
  EXPECT_EQ(shards_of("Type", "inline constexpr int Type = 9;\n"), 9U);
  EXPECT_EQ(shards_of("c::kFew + 1", "namespace c = config;\n"), 4U);
  EXPECT_EQ(shards_of("adaptive(config::Size::kSmall, config::kShards)"), 12U);
}

struct Refused {
  std::string name;
  std::string arguments;
  std::string rule;
  std::string message;  ///< a part of what is printed
  std::string before;
};

class RefusedConstantTest : public testing::TestWithParam<Refused> {};

TEST_P(RefusedConstantTest, SaysWhy) {
  const Outcome outcome = with(GetParam().arguments, GetParam().before);
  EXPECT_FALSE(outcome.ok);
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics[0].rule, "autoshard-" + GetParam().rule);
  EXPECT_NE(outcome.output.find(GetParam().message), std::string::npos) << outcome.output;
}

const Refused kRefused[] = {
    {"Variable", "shards = config::variable", "shards-not-constant", "write a constant expression", ""},
    {"Function", "shards = config::computed()", "shards-not-constant", "write a constant expression", ""},
    {"Fraction", "shards = config::kShare", "shards-not-constant", "write a constant expression", ""},
    {"Zero", "shards = config::kNone", "shards-range", "the number of shards is 0", ""},
    {"FarTooSmall", "shards = -(__int128{1} << 100)", "shards-range",
     "the number of shards is -9223372036854775808", ""},
    {"Negative", "shards = -config::kShards", "shards-range", "the number of shards is -12", ""},
    {"TooLarge", "shards = config::kMost", "shards-range", "is 5000; it must be from 1 to 4096", ""},
    {"Huge", "shards = config::kAll", "shards-range", "it must be from 1 to 4096", ""},
    {"NoMember", "shards = config::kMissing", "shards-not-constant",
     "known here: no member named 'kMissing' in namespace 'config'", ""},
    {"NotFound", "shards = kMissing", "shards-not-constant",
     "known here: use of undeclared identifier 'kMissing'", ""},
    {"Ambiguous", "shards = kShards", "shards-not-constant",
     "known here: reference to 'kShards' is ambiguous", "using namespace config;\nusing namespace other;\n"},
    {"AmbiguousWithAGlobalName", "shards = kSame", "shards-not-constant",
     "known here: reference to 'kSame' is ambiguous", "using namespace other;\n"},
    {"AdaptiveNotFound", "shards = adaptive(1, config::kMissing)", "shards-not-constant",
     "no member named 'kMissing' in namespace 'config'", ""},
    {"AdaptiveExchanged", "shards = adaptive(config::kShards, config::kFew)", "adaptive-range",
     "from 12 to 3", ""},
    {"BoundNotFound", "shards = 4, max = config::kMissing", "argument-value",
     "no member named 'kMissing' in namespace 'config'", ""},
    {"BoundTooLarge", "shards = 4, max = config::kAll", "argument-value", "the type does not hold it", ""},
    {"BoundsExchanged", "shards = 4, min = config::kMost, max = config::kFew", "bounds-order",
     "at least 5000 and at most 3", ""},
    {"BoundIsAVariable", "shards = 4, max = config::variable", "argument-value",
     "it must be a constant expression", ""},
};
INSTANTIATE_TEST_SUITE_P(Constants, RefusedConstantTest, testing::ValuesIn(kRefused),
                         [](const auto& one) { return one.param.name; });

TEST(Constants, ABoundMayCallAFunctionThatReturnsAReference) {
  const Outcome outcome = with("shards = 4, max = config::configured()");
  EXPECT_TRUE(outcome.ok) << outcome.output;
}

TEST(Constants, OfTheStalenessOfAnIndex) {
  const auto parse = [](const std::string& staleness) {
    return parse_texts({{"entity.h", "#include <functional>\n#include \"config.h\"\n" +
                                         question("", "[[autoshard::index(staleness = " + staleness +
                                                          "), autoshard::shardable(neutral = 0, shards = 2, "
                                                          "fold = std::plus<>{})]] long x_ = 0;")}},
                       {{"config.h", kConfig}});
  };
  EXPECT_TRUE(parse("config::kShards").ok);
  const Outcome missing = parse("config::kMissing");
  ASSERT_EQ(missing.diagnostics.size(), 1U) << missing.output;
  EXPECT_NE(missing.output.find("86400: no member named 'kMissing'"), std::string::npos) << missing.output;
}

}  // namespace
}  // namespace autoshard::tool
