/// Dynamic, adaptive and bounded sharding, and methods that replace a value: what is understood, what is
/// refused, and the laws.

#include <algorithm>
#include <utility>

#include "test/tool/diagnostics/rule_case.h"
#include "tool/laws/laws.h"
#include "tool/output/model_dump.h"

namespace autoshard::tool {
namespace {

/// A question with one more sharded member, `x_`, annotated with these arguments.
std::string sharded(const std::string& arguments, const std::string& type = "int ") {
  return "#include <cstdint>\n#include <functional>\n" +
         question("static constexpr int kFew = 2;\n  static constexpr long kMany = 32;",
                  "[[autoshard::shardable(neutral = 0, fold = std::plus<>{}, " + arguments + ")]] " + type +
                      "x_ = 0;");
}

Sharding sharding_of(const std::string& arguments) {
  const Outcome outcome = parse_text(sharded(arguments));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  const Property* x = outcome.model.entities.empty() ? nullptr : outcome.model.entities[0].property("x_");
  return x ? x->sharding.value_or(Sharding{}) : Sharding{};
}

TEST(Strategies, AreUnderstood) {
  const Sharding fixed = sharding_of("shards = kFew");
  EXPECT_EQ(fixed.kind, Sharding::Kind::kStatic);
  EXPECT_EQ(fixed.shards, 2U);
  EXPECT_FALSE(fixed.is_bounded());
}

struct Range {
  std::uint32_t least;
  std::uint32_t most;
  friend bool operator==(const Range&, const Range&) = default;
};

Range adaptive(const std::string& value) {
  const Sharding sharding = sharding_of("shards = " + value);
  EXPECT_EQ(sharding.kind, Sharding::Kind::kAdaptive) << value;
  return {sharding.least, sharding.shards};
}

TEST(Strategies, AdaptiveHasLimits) {
  EXPECT_EQ(adaptive("adaptive"), (Range{1, 64}));
  EXPECT_EQ(adaptive("adaptive(2, 32)"), (Range{2, 32}));
  EXPECT_EQ(adaptive("adaptive (kFew, kMany)"), (Range{2, 32}));
  EXPECT_EQ(adaptive("adaptive(1, 4'096)"), (Range{1, 4096}));
}

TEST(Strategies, WithoutShardsUpdatesAreRecords) {
  const Outcome outcome = parse_text(question("", "[[autoshard::shardable(neutral = 0)]] int x_ = 0;"));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_EQ(outcome.model.entities.at(0).property("x_")->sharding->kind, Sharding::Kind::kDynamic);
}

TEST(Strategies, BoundsAreExpressions) {
  const Sharding sharding = sharding_of("shards = 4, min = -kFew, max = kFew * 8");
  EXPECT_EQ(sharding.minimum, "-kFew");
  EXPECT_EQ(sharding.maximum, "kFew * 8");
  EXPECT_TRUE(sharding.is_bounded());
  EXPECT_EQ(sharding_of("shards = adaptive, max = 10").minimum, "");
}

TEST(Strategies, ShowInTheDumpedModel) {
  const std::string dumped = dump(parse_text(sharded("shards = adaptive(2, 8), min = 0")).model);
  for (const char* part : {"\"kind\": \"adaptive\"", "\"least\": 2", "\"shards\": 8", "\"minimum\": \"0\""})
    EXPECT_NE(dumped.find(part), std::string::npos) << part << dumped;
}

const RuleCase kShards[] = {
    {"AdaptiveWithOneLimit", "adaptive-range", sharded("shards = ^adaptive(4)"),
     "'adaptive' takes the least and the greatest number of shards", ""},
    {"AdaptiveWithoutAny", "adaptive-range", sharded("shards = ^adaptive()"), "or 'adaptive' alone", ""},
    {"AdaptiveWithThree", "adaptive-range", sharded("shards = ^adaptive(1, 2, 3)"), "as in 'adaptive(1, 64)'",
     ""},
    {"AdaptiveAndMore", "adaptive-range", sharded("shards = ^adaptive(1, 2) + (3)"), "write both", ""},
    {"AdaptiveFromZero", "adaptive-range", sharded("shards = ^adaptive(0, 4)"),
     "is to be from 0 to 4; the first must be at least 1", ""},
    {"AdaptiveFromMany", "adaptive-range", sharded("shards = ^adaptive(8, 4)"), "less than the second", ""},
    {"AdaptiveOfOne", "adaptive-range", sharded("shards = ^adaptive(8, 8)"), "less than the second", ""},
    {"AdaptiveToTooMany", "adaptive-range", sharded("shards = ^adaptive(1, 4097)"), "at most 4096", ""},
    {"AdaptiveExpression", "shards-not-constant", sharded("shards = adaptive(1, ^2 * kUnknown)"),
     "the number of shards is not a constant that is known here: use of undeclared identifier 'kUnknown'",
     ""},
    {"NearlyAdaptive", "shards-not-constant", sharded("shards = ^adpative(1, 64)"),
     "did you mean 'adaptive'?", "shards = adaptive(1, 64)"},
    {"DynamicByName", "shards-not-constant", sharded("shards = ^dynamic"),
     "for dynamic sharding, leave 'shards' out", ""},
    {"BoundedDynamic", "bounded-dynamic",
     question("", "[[^autoshard::shardable(neutral = 0, max = 4)]] int x_ = 0;"),
     "bounded member 'x_' needs shards that hold what is left", ""},
    {"BoundedDouble", "bounded-type", sharded("shards = 4, min = 0", "double ^"),
     "'min' and 'max' are for signed integers", ""},
    {"BoundedUnsigned32", "bounded-type", sharded("shards = 4, min = 0, max = 9", "unsigned ^"),
     "has type 'unsigned int'", ""},
    {"BoundedUnsigned64", "bounded-type", sharded("shards = 4, min = 0", "std::uint64_t ^"),
     "has type 'uint64_t'", ""},
    {"BoundedFlag", "bounded-type", sharded("shards = 4, max = 1", "bool ^"), "has type 'bool'", ""},
    {"BoundsExchanged", "bounds-order", sharded("shards = 4, min = 10, max = ^kFew"),
     "'x_' is to be at least 10 and at most 2, which no value is", ""},
    {"BeginsAboveTheMaximum", "bounds-initial",
     question("",
              "[[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = 0, max = 2 * 5)]] "
              "int seats_ = ^11;")
         .insert(0, "#include <functional>\n"),
     "'seats_' begins with 11, but is to be at most 10, so it could never be saved", ""},
    {"BeginsBelowTheMinimumByAConstructor", "bounds-initial",
     question("explicit Question(int n) : seats_(^kNone), lots_(n) {} Question() : seats_{2} {}",
              "static constexpr int kNone = -1;\n"
              "[[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = 0)]] int seats_, "
              "lots_ = 1;")
         .insert(0, "#include <functional>\n"),
     "'seats_' begins with -1, but is to be at least 0", ""},
    {"NearlyAMinimum", "unknown-argument", sharded("shards = 4, ^mni = 10"), "did you mean 'min'?",
     "shards = 4, min = 10"},
};
INSTANTIATE_TEST_SUITE_P(Strategies, RuleTest, testing::ValuesIn(kShards), name_of);

/// What is reported of a sharded member `x_` of this type, with one shard method of this body.
Diagnostics of_member(const std::string& type, const std::string& arguments, const std::string& body) {
  const Outcome outcome =
      parse_text("#include <cstdint>\n#include <functional>\n" +
                 question("[[autoshard::shard_method]] void f() { " + body + " }",
                          "[[autoshard::shardable(shards = 2, " + arguments + ")]] " + type + " x_ = 0;"));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  return outcome.diagnostics;
}

TEST(NarrowShardable, IsReportedWhereUpdatesAdd) {
  const std::string sum = "neutral = 0, fold = std::plus<>{}";
  for (const auto& [type, most] :
       {std::pair("std::uint16_t", "65535"), std::pair("short", "32767"), std::pair("std::uint8_t", "255"),
        std::pair("signed char", "127"), std::pair("char16_t", "65535")}) {
    const Diagnostics found = of_member(type, sum, "++x_;");
    ASSERT_EQ(found.size(), 1U) << type;
    EXPECT_EQ(found.front().rule, "autoshard-narrow-shardable");
    EXPECT_EQ(found.front().severity, Diagnostic::Severity::kWarning);
    EXPECT_NE(found.front().message.find(most), std::string::npos) << found.front().message;
    EXPECT_EQ(found.front().notes.size(), 1U);
  }
}

TEST(NarrowShardable, IsSilentWhereNothingSoonOverflows) {
  const std::string sum = "neutral = 0, fold = std::plus<>{}";
  EXPECT_TRUE(of_member("int", sum, "++x_;").empty());
  EXPECT_TRUE(of_member("wchar_t", sum, "++x_;").empty());
  EXPECT_TRUE(of_member("char32_t", sum, "++x_;").empty());
  EXPECT_TRUE(of_member("short", sum + ", min = 0, max = 100", "++x_;").empty());
  EXPECT_TRUE(of_member("std::uint8_t", "neutral = 0, fold = std::bit_or<>{}", "x_ |= 4;").empty());
}

/// A question with one more method that replaces the votes.
std::string writing(const std::string& method) { return question("[[autoshard::shard_write]] " + method); }

const RuleCase kWrites[] = {
    {"MethodAndWrite", "contradiction",
     question("[[autoshard::shard_method, ^autoshard::shard_write]] void f() { votes_ = 0; }"),
     "'f' cannot be both '[[autoshard::shard_method]]' and '[[autoshard::shard_write]]'", ""},
    {"WriteAndFold", "contradiction",
     "class [[autoshard::entity]] Q {\n  [[autoshard::id]] int id_;\n"
     "  [[autoshard::shard_write]] [[^autoshard::shard_fold]] static int f(int x, int y) { return x + y; }\n"
     "  [[autoshard::shardable(neutral = 0)]] int votes_ = 0;\n};",
     "cannot be both '[[autoshard::shard_write]]' and '[[autoshard::shard_fold]]'", ""},
    {"WriteOnProperty", "misplaced", question("", "[[^autoshard::shard_write]] int x_ = 0;"),
     "it belongs on a method of an entity", ""},
    {"NearlyAWrite", "unknown-attribute", question("[[autoshard::^shard_wirte]] void f() { }"),
     "did you mean 'shard_write'?", "[[autoshard::shard_write]] void f()"},
    {"StaticWrite", "shard-method-static", writing("static void ^f() {}"), "is static", ""},
    {"ConstWrite", "shard-method-const", writing("void ^f() const {}"), "is const", ""},
    {"TemplateWrite", "shard-method-template",
     question("template <class T> [[autoshard::shard_write]] void ^f(T n) { votes_ = n; }"), "is a template",
     ""},
    {"WriteOfNothing", "shard-method-no-update", writing("void ^f() {}"), "changes no sharded member", ""},
    {"WriteUsesPlainMember", "shard-method-members", writing("void f() { votes_ = ^plain_; }"),
     "uses 'plain_'", ""},
    {"WritePassesThis", "shard-method-escape",
     "class Question; int log(const Question*);\n" + writing("void f() { votes_ = 0; log(^this); }"),
     "passes 'this' on", ""},
    {"WriteThrowsDice", "shard-method-effect",
     "#include <cstdlib>\n" + writing("void f() { votes_ = ^std::rand(); }"), "it runs more than once", ""},
    {"WriteElsewhere", "shard-method-body", writing("void ^f();"), "is missing", ""},
    {"FlagCollides", "collision",
     question("[[autoshard::shard_write]] void f() { votes_ = 0; }", "int ^replaced_votes_ = 0;"),
     "'replaced_votes_' is the name of something that the companion class adds for 'votes_'", ""},
    {"FlagHidesAConstant", "collision",
     "inline constexpr int replaced_votes_ = 500;\n" +
         question("[[autoshard::shard_write]] void refill() { votes_ = ^replaced_votes_; }"),
     "'replaced_votes_' is the name of something that the companion class adds", ""},
    {"BoundHidesAConstant", "collision",
     "inline constexpr int max_seats = 1000;\n" +
         question("",
                  "[[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{}, max = ^max_seats)]] "
                  "int seats = 0;"),
     "'max_seats' is the name of something that the companion class adds", ""},
    {"FoldHidesAFunction", "collision",
     "inline int fold_n_(int x, int y) { return x + y; }\n" +
         question("", "[[autoshard::shardable(neutral = 0, shards = 2, fold = ^fold_n_)]] int n_ = 0;"),
     "'fold_n_' is the name of the generated fold of 'n_'", ""},
    {"FlagParameterCollides", "collision",
     writing("void ^f(int replaced_votes_) { votes_ = replaced_votes_; }"), "rename this", ""},
    {"BoundCollides", "collision",
     question("static constexpr int ^max_x_ = 4;",
              "[[autoshard::shardable(neutral = 0, shards = 4, max = max_x_)]] int x_ = 0;"),
     "'max_x_' is the name of something", ""},
};
INSTANTIATE_TEST_SUITE_P(Writes, RuleTest, testing::ValuesIn(kWrites), name_of);

TEST(Writes, ReplaceWhatTheyAssignTo) {
  const Outcome outcome =
      parse_text(question("[[autoshard::shard_write]] void reset() { votes_ = 0; }\n"
                          "[[autoshard::shard_write]] void all(int n) { reset(); likes_ = n; }\n"
                          "[[autoshard::shard_method]] void up() { ++views_; }",
                          "[[autoshard::shardable(neutral = 0)]] int likes_ = "
                          "0;\n[[autoshard::shardable(neutral = 0)]] int views_ = 0;"));
  ASSERT_TRUE(outcome.ok) << outcome.output;
  const Entity& entity = outcome.model.entities.at(0);
  const auto names = [&](const char* method) {
    std::vector<std::string> found;
    const auto at = std::ranges::find(entity.methods, method, &Method::name);
    for (const Property* property : replaced_by(entity, *at)) found.push_back(property->name);
    return found;
  };
  EXPECT_EQ(names("reset"), std::vector<std::string>{"votes_"});
  EXPECT_EQ(names("all"), std::vector<std::string>{"likes_"}) << "reset() itself says of the votes";
  EXPECT_TRUE(is_replaceable(entity, *entity.property("votes_")));
  EXPECT_TRUE(is_replaceable(entity, *entity.property("likes_")));
  EXPECT_FALSE(is_replaceable(entity, *entity.property("views_")));
}

/// Who includes the class alone must come to the same as who has the body as well.
TEST(Writes, OutsideTheClassMayReplaceAnything) {
  const std::string header = question("[[autoshard::shard_write]] void reset();",
                                      "[[autoshard::shardable(neutral = 0)]] int likes_ = 0;");
  const Outcome outcome =
      parse_source(header, "#include \"entity.h\"\nvoid Question::reset() { votes_ = 0; }\n");
  ASSERT_TRUE(outcome.ok) << outcome.output;
  const Entity& entity = outcome.model.entities.at(0);
  EXPECT_TRUE(is_replaceable(entity, *entity.property("likes_")));
}

struct LawCase {
  std::string name;
  std::string source;  ///< `^` where a diagnostic is expected
  std::string rule;    ///< empty if none is expected
  std::string text;    ///< a part of the message, or of the explanation
};

void PrintTo(const LawCase& one, std::ostream* out) { *out << one.source; }

class StrategyLawTest : public testing::TestWithParam<LawCase> {};

TEST_P(StrategyLawTest, IsJudged) {
  const LawCase& one = GetParam();
  const Marked marked = take_marks(one.source);
  const Outcome outcome = parse_text(marked.text);
  EXPECT_EQ(outcome.ok, one.rule.empty()) << outcome.output;
  ASSERT_EQ(outcome.diagnostics.size(), marked.marks.size()) << outcome.output << outcome.explanation;
  if (one.rule.empty()) {
    EXPECT_NE(outcome.explanation.find(one.text), std::string::npos) << outcome.explanation;
    return;
  }
  EXPECT_EQ(outcome.diagnostics.front().span.begin, marked.marks.front()) << outcome.output;
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-" + one.rule) << outcome.output;
  EXPECT_NE(outcome.diagnostics.front().message.find(one.text), std::string::npos) << outcome.output;
}

std::string law_name(const testing::TestParamInfo<LawCase>& info) { return info.param.name; }

/// A question whose second sharded member is `likes_`.
std::string two(const std::string& method) {
  return question("[[autoshard::shard_write]] " + method,
                  "[[autoshard::shardable(neutral = 0)]] int likes_ = 0;");
}

std::string bounded(const std::string& fold, const std::string& type = "int ") {
  return "#include <functional>\n" +
         question("", "[[autoshard::shardable(neutral = 0, shards = 4, min = 0, fold = " + fold + ")]] " +
                          type + " x_ = 0;");
}

const LawCase kLaws[] = {
    {"Reset", writing("void reset() { votes_ = 0; }"), "",
     "reset replaces the value, whatever it was: by the solver"},
    {"Set", writing("void set(int n) { votes_ = n; }"), "",
     "set replaces the value, whatever it was: by the solver"},
    {"SetInSteps", writing("void set(int n) { votes_ = 0; for (int i = 0; i < n; ++i) ++votes_; }"), "",
     "set replaces the value, whatever it was: by the solver"},
    {"SetThatThrowsForSome",
     "#include <stdexcept>\n" +
         writing("void set(int n) { if (n < 0) throw std::invalid_argument(\"n\"); votes_ = n; }"),
     "", "set replaces the value, whatever it was: by the solver"},
    {"Increments", writing("void ^f() { ++votes_; }"), "write-not-replacing",
     "f() on 1 leaves 2, but on 2 leaves 3; a shard write replaces the value, whatever that was before"},
    {"SetsSometimes", writing("void ^f(int n) { if (n > 0) votes_ = n; }"), "write-not-replacing", "f("},
    {"KeepsTheGreater", writing("void ^f(int n) { votes_ = votes_ < n ? n : votes_; }"),
     "write-not-replacing", "f("},
    {"SetsFromAnother", two("void ^f() { votes_ = likes_; }"), "write-not-replacing",
     "f() on {votes_ = 1, likes_ = 2} leaves 2, but on {votes_ = 2, likes_ = 0} leaves 0"},
    {"ReplacesOneAndUpdatesTheOther", two("void ^f() { votes_ = 0; ++likes_; }"), "write-not-replacing",
     "leaves {likes_ = 3}"},
    {"ReplacesBoth", two("void f(int n) { votes_ = n; likes_ = 2; }"), "",
     "f replaces the value, whatever it was: by the solver"},
    {"UpdateThatReplaces",
     question("[[autoshard::shard_write]] void reset() { votes_ = 0; }\n"
              "[[autoshard::shard_method]] void ^again() { reset(); ++votes_; }"),
     "method-does-not-commute", "again() after folding"},
    {"SumBelowABound", bounded("std::plus<>{}"), "", "x_: fold adds, as its bounds require: by the solver"},
    {"SumOfSmallNumbers", bounded("[](short a, short b) { return static_cast<short>(a + b); }", "short"), "",
     "x_: fold adds, as its bounds require: by the solver"},
};
INSTANTIATE_TEST_SUITE_P(Strategies, StrategyLawTest, testing::ValuesIn(kLaws), law_name);

TEST(StrategyLaws, WhatIsBoundedIsASum) {
  const Outcome outcome = parse_text(
      "#include <climits>\n" +
      question(
          "",
          "[[autoshard::shardable(neutral = INT_MIN, shards = 4, max = 9, fold = [](int a, int b) { return a "
          "< b ? b : a; })]] int x_ = 0;"));
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics[0].rule, "autoshard-bounded-fold");
  EXPECT_NE(outcome.diagnostics[0].message.find("fold(1, 1) is 1, but 1 + 1 is 2"), std::string::npos)
      << outcome.output;
}

}  // namespace
}  // namespace autoshard::tool
