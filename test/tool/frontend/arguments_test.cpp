/// How the arguments of an attribute come out of the tokens.

#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Names and values of the arguments in `[[autoshard::shardable(…)]]`.
Pairs read(const std::string& arguments, const std::string& before = "") {
  const Outcome outcome =
      parse_text(before + "class C { [[autoshard::shardable(" + arguments + ")]] int x_; };\n");
  Pairs pairs;
  for (const StrayAnnotation& stray : outcome.model.strays) {
    for (const Argument& argument : stray.annotation.arguments)
      pairs.emplace_back(argument.name, argument.value);
  }
  return pairs;
}

TEST(ArgumentsTest, NamesAndValues) {
  EXPECT_EQ(read("neutral = 0, shards = 10"), (Pairs{{"neutral", "0"}, {"shards", "10"}}));
  EXPECT_EQ(read(""), Pairs{});
  EXPECT_EQ(read("a, b"), (Pairs{{"", "a"}, {"", "b"}}));
}

TEST(ArgumentsTest, CommasInsideBrackets) {
  EXPECT_EQ(read("fold = [](int x, int y) { return f(x, y); }, shards = 2"),
            (Pairs{{"fold", "[](int x, int y) { return f(x, y); }"}, {"shards", "2"}}));
  EXPECT_EQ(read("neutral = {1, 2}, shards = 2"), (Pairs{{"neutral", "{1, 2}"}, {"shards", "2"}}));
}

TEST(ArgumentsTest, CommasInsideAngleBrackets) {
  EXPECT_EQ(read("neutral = std::map<int, std::pair<int, int>>{}, shards = 2"),
            (Pairs{{"neutral", "std::map<int, std::pair<int, int>>{}"}, {"shards", "2"}}));
  EXPECT_EQ(read("neutral = a < b, shards = 2"), (Pairs{{"neutral", "a < b"}, {"shards", "2"}}));
  EXPECT_EQ(read("neutral = a == b, shards = 2"), (Pairs{{"neutral", "a == b"}, {"shards", "2"}}));
}

TEST(ArgumentsTest, CommentsLinesAndMacros) {
  EXPECT_EQ(
      read("neutral = 1 /* one */ +\n  kZero,  // zero\n shards = N", "#define N 16\n#define kZero (0)\n"),
      (Pairs{{"neutral", "1 + (0)"}, {"shards", "16"}}));
}

TEST(ArgumentsTest, StringsKeepTheirCharacters) {
  EXPECT_EQ(read(R"x(neutral = "a, b)]]", shards = 2)x"),
            (Pairs{{"neutral", "\"a, b)]]\""}, {"shards", "2"}}));
}

TEST(ArgumentsTest, KindIsTheTextOfItsLiteral) {
  const Outcome outcome =
      parse_text("class [[autoshard::entity(\"Qu\\x65st\" \"ion\")]] C { [[autoshard::id]] int id_; };");
  ASSERT_TRUE(outcome.ok) << outcome.output;
  EXPECT_EQ(outcome.model.entities[0].kind, "Question");
}

}  // namespace
}  // namespace autoshard::tool
