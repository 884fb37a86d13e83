/// What is said of a law that does not hold: the values that differ, the place that causes it, a remedy.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A car park with a method `enter`, and with these arguments of its free places.
std::string car_park(const std::string& body, const std::string& free = "") {
  return with_headers(
      "#include <map>\n#include <string>\n"
      "class [[autoshard::entity]] CarPark {\n public:\n"
      "  [[autoshard::shard_method]] void enter(const std::string& day) {" +
      body +
      "}\n private:\n"
      "  [[autoshard::id]] int id_ = 0;\n"
      "  [[autoshard::shardable(shards = 4, neutral = 0, fold = std::plus<>{}" +
      free +
      ")]] int free_ = 0;\n"
      "  [[autoshard::shardable(shards = 4, neutral = 0, fold = std::plus<>{})]] long visits_ = 0;\n"
      "  [[autoshard::shardable(shards = 4, neutral = {}, fold = [](auto x, const auto& y) {"
      " for (const auto& [day, n] : y) x[day] += n; return x; })]] std::map<std::string, long> days_;\n"
      "};\n");
}

Diagnostic only_of(const std::string& marked, std::vector<std::uint32_t>& marks) {
  const Marked source = take_marks(marked);
  marks = source.marks;
  const Outcome outcome = parse_text(source.text);
  EXPECT_THAT(outcome.diagnostics, SizeIs(1)) << outcome.output;
  return outcome.diagnostics.empty() ? Diagnostic() : outcome.diagnostics.front();
}

TEST(Counterexample, ShowsTheMembersThatDiffer) {
  std::vector<std::uint32_t> marks;
  const Diagnostic found = only_of(car_park("if (^free_ > 0) --free_; ++visits_; ++days_[day];"), marks);
  EXPECT_THAT(found.message, HasSubstr("{free_ = "));
  EXPECT_THAT(found.message, Not(HasSubstr("visits_")));
  EXPECT_THAT(found.message, Not(HasSubstr("days_")));
  ASSERT_THAT(found.notes, SizeIs(1));
  EXPECT_EQ(found.notes.front().span.begin, marks.front());
  EXPECT_THAT(found.notes.front().message, HasSubstr("write 'min' or 'max' into shardable(…)"));
}

TEST(Counterexample, ShowsValuesWithQuotesAndBraces) {
  std::vector<std::uint32_t> marks;
  const Diagnostic found =
      only_of(car_park("days_[day + \", \\\"}\"] += days_.empty() ? 1 : 2; ++visits_;"), marks);
  EXPECT_THAT(found.message, HasSubstr("{days_ = {"));
  EXPECT_THAT(found.message, Not(HasSubstr("visits_")));
  ASSERT_THAT(found.notes, SizeIs(1));
  EXPECT_THAT(found.notes.front().message, HasSubstr("an update cannot depend on the whole value"));
}

TEST(Counterexample, OfABoundedMemberNeedsNoCheck) {
  std::vector<std::uint32_t> marks;
  const Diagnostic found =
      only_of(car_park("if (^free_ > 0) --free_; ++visits_;", ", min = 0, max = 9"), marks);
  ASSERT_THAT(found.notes, SizeIs(1));
  EXPECT_EQ(found.notes.front().span.begin, marks.front());
  EXPECT_THAT(found.notes.front().message,
              HasSubstr("leave it out: the bounds refuse what the whole value does not allow"));
}

TEST(Counterexample, WithoutAReadHasNoNote) {
  std::vector<std::uint32_t> marks;
  EXPECT_THAT(only_of(car_park("free_ *= 2; ++visits_;"), marks).notes, IsEmpty());
}

TEST(Counterexample, OfANeutralValueProposesTheRightOne) {
  const auto message = [](const std::string& type, const std::string& fold) {
    const Outcome outcome = prove_text(
        "class [[autoshard::entity]] C {\n  [[autoshard::id]] int id_ = 0;\n  [[autoshard::shardable("
        "shards = 2, neutral = 7, fold = [](" +
        type + " x, " + type + " y) { return " + fold + "; })]] " + type + " n_ = 7;\n};\n");
    EXPECT_THAT(outcome.diagnostics, SizeIs(1)) << outcome.output;
    return outcome.diagnostics.empty() ? "" : outcome.diagnostics.front().message;
  };
  EXPECT_THAT(message("int", "x < y ? y : x"),
              HasSubstr("; write 'neutral = std::numeric_limits<int>::min()'"));
  EXPECT_THAT(message("unsigned", "x * y"), HasSubstr("; write 'neutral = 1'"));
  EXPECT_THAT(message("int", "x < y + 1 ? y : x"), Not(HasSubstr("write 'neutral")));
}

TEST(Counterexample, OfAFoldIsFoundWithTwoCountsOfAKey) {
  const Outcome outcome = parse_text(with_headers(
      "#include <map>\n#include <string>\n"
      "class [[autoshard::entity]] Diary {\n public:\n"
      "  [[autoshard::shard_method]] void enter(const std::string& day) { ++days_[day]; }\n private:\n"
      "  static std::map<std::string, long> put(std::map<std::string, long> x, const std::map<std::string, "
      "long>& "
      "y) {\n    for (const auto& [day, n] : y) x[day] = n;\n    return x;\n  }\n"
      "  [[autoshard::id]] int id_ = 0;\n"
      "  [[autoshard::shardable(shards = 4, neutral = {}, fold = put)]] std::map<std::string, long> days_;\n"
      "};\n"));
  ASSERT_THAT(outcome.diagnostics, SizeIs(1)) << "nor is it said what else is not proved of it";
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-fold-not-commutative") << outcome.output;
}

/// The text is compiled once more, where the containers are others.
TEST(Counterexample, IsFoundBehindAnyIncludeGuard) {
  const std::string wrong = car_park("days_[day] += days_.empty() ? 1 : 2;");
  for (const auto& [begin, end] :
       {std::pair("#pragma once\n", ""), std::pair("#ifndef PARK_H\n#define PARK_H\n", "#endif\n"),
        std::pair("#pragma once\n#ifndef PARK_H\n#define PARK_H\n", "#endif\n"),
        std::pair("#if !defined(PARK_H)\n#define PARK_H\n", "#endif\n")}) {
    const Outcome outcome = parse_text(begin + wrong + end);
    EXPECT_THAT(outcome.diagnostics, SizeIs(1)) << begin << outcome.explanation;
  }
}

TEST(Counterexample, IsNoneInABranchThatIsNotCompiled) {
  const std::string park =
      car_park("\n#ifndef NDEBUG\ndays_[day] += days_.empty() ? 1 : 2;\n#else\n++days_[day];\n#endif\n");
  const Outcome compiled = parse_text("#pragma once\n" + park, {"-DNDEBUG"});
  EXPECT_THAT(compiled.diagnostics, IsEmpty());
  EXPECT_THAT(compiled.explanation, Not(HasSubstr("laws left to the law tests")));
  EXPECT_THAT(parse_text("#pragma once\n" + park).diagnostics, SizeIs(1));
}

TEST(Counterexample, IsFoundBesideTextThatLooksLikeADirective) {
  const Outcome outcome =
      parse_text("/*\n#include <none>\n*/ constexpr char kText[] = R\"(\n#pragma once\n)\";\n" +
                 car_park("days_[day] += kText[1] == '#' ? days_.size() : 1;"));
  EXPECT_THAT(outcome.diagnostics, SizeIs(1)) << outcome.explanation;
}

}  // namespace
}  // namespace autoshard::tool
