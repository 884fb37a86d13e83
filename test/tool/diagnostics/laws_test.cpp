/// The laws: which folds and shard methods are refused, and with which values.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"
#include "tool/check/control.h"

namespace autoshard::tool {
namespace {

/// An entity with `members` and one sharded member of these arguments and type, `x_`.
std::string counter(const std::string& members, const std::string& arguments,
                    const std::string& type = "int") {
  return with_headers("class [[autoshard::entity]] Counter {\n public:\n" + members +
                      "\n private:\n  [[autoshard::id]] int id_ = 0;\n  [[autoshard::shardable(shards = 4, " +
                      arguments + ")]] " + type + " x_{};\n};\n");
}

std::string folded(const std::string& fold, const std::string& neutral, const std::string& type = "int") {
  return counter("", "neutral = " + neutral + ", fold = " + fold, type);
}

std::string bounded(const std::string& bounds) {
  return counter("static constexpr int kTen = 10;\nstatic int most();\nint least() const;\nint limit_ = 5;",
                 "neutral = 0, fold = std::plus<>{}, " + bounds);
}

std::string updated(const std::string& method, const std::string& fold = "std::plus<>{}") {
  return counter("[[autoshard::shard_method]] " + method, "neutral = 0, fold = " + fold);
}

struct Case {
  std::string name;
  std::string source;  ///< `^` where a diagnostic is expected
  std::string rule;    ///< of the first; empty if none is expected
  std::string message;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.source; }

class LawTest : public testing::TestWithParam<Case> {};

TEST_P(LawTest, IsJudged) {
  const Case& one = GetParam();
  const Marked marked = take_marks(one.source);
  const Outcome outcome = parse_text(marked.text);
  ASSERT_EQ(outcome.diagnostics.size(), marked.marks.size()) << outcome.output << outcome.explanation;
  EXPECT_EQ(outcome.ok, one.rule.empty()) << outcome.output;
  for (std::size_t at = 0; at < marked.marks.size(); ++at)
    EXPECT_EQ(outcome.diagnostics[at].span.begin, marked.marks[at]) << outcome.output;
  if (one.rule.empty()) {
    EXPECT_NE(outcome.explanation.find(one.message), std::string::npos) << outcome.explanation;
    return;
  }
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-" + one.rule) << outcome.output;
  EXPECT_NE(outcome.diagnostics.front().message.find(one.message), std::string::npos) << outcome.output;
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

const Case kFolds[] = {
    {"Sum", folded("std::plus<>{}", "0"), "", "laws that are proved"},
    {"Product", folded("[](long a, long b) { return a * b; }", "1", "long"), "", "laws that are proved"},
    {"BitOr", folded("std::bit_or<>{}", "0", "unsigned char"), "", "laws that are proved"},
    {"SumOfDoubles", folded("std::plus<>{}", "0", "double"), "",
     "x_: fold is associative: by the solver: up to"},
    {"Maximum", folded("[](int a, int b) { return std::max(a, b); }", "-2147483647 - 1"), "",
     "x_: fold is commutative: by the solver"},
    {"SubtractionMethod",
     counter("[[autoshard::shard_fold]] static int ^^subtract(int a, int b) { return a - b; }",
             "neutral = 0"),
     "fold-not-commutative", "subtract(1, 2) is -1 but subtract(2, 1) is 1"},
    {"First", folded("^[](int a, int) { return a; }", "0"), "fold-not-commutative",
     "fold(1, 2) is 1 but fold(2, 1) is 2; shards are folded in no particular order; where it chooses one of "
     "two, let the values decide, not their places"},
    {"Average",
     counter("[[autoshard::shard_fold]] static double ^average(double a, double b) { return (a + b) / 2; }",
             "neutral = ^0", "double"),
     "fold-not-associative", "average(average(1, 1), 2.5) is 1.75 but average(1, average(1, 2.5)) is 1.375"},
    {"MaximumWithWrongNeutral",
     counter("[[autoshard::shard_fold]] static int most(int a, int b) { return std::max(a, b); }",
             "neutral = ^0"),
     "neutral-not-identity", "most(-1, 0) is 0, so 0 is not neutral"},
    {"ProductWithWrongNeutral", folded("[](long a, long b) { return a * b; }", "^0", "long"),
     "neutral-not-identity", "fold(1, 0) is 0"},
    {"EnumSaysItsNames",
     "enum class Level { kLow, kHigh };\n" +
         folded("[](Level a, Level b) { return a < b ? b : a; }", "^Level::kHigh", "Level"),
     "neutral-not-identity", "fold(Level::kLow, Level::kHigh) is Level::kHigh"},
    {"StructOfSums",
     "struct Sums { int count; double total; };\n" +
         folded("[](Sums a, Sums b) { return Sums{a.count + b.count, a.total + b.total}; }", "{}", "Sums"),
     "", "x_: fold is commutative: by the solver"},
    {"WrongStruct",
     "struct Sums { int count; double total; };\n" +
         folded("^[](Sums a, Sums b) { return Sums{a.count + b.count, a.total}; }", "{}", "Sums"),
     "fold-not-commutative",
     "fold({.count = 1, .total = 2.5}, {.count = 2, .total = 0}) is {.count = 3, .total = 2.5} but"},
    {"ElementsOfAnArrayThatDiffer",
     "#include <array>\nusing Hours = std::array<int, 20>;\n" +
         counter("[[autoshard::shard_fold]] static Hours ^^sum(Hours a, const Hours& b) {\n"
                 "  for (int at = 0; at < 20; ++at) a[at] = at == 17 ? a[at] - b[at] : a[at] + b[at];\n"
                 "  return a;\n}",
                 "neutral = {}", "Hours"),
     "fold-not-commutative",
     "but sum({all 0} of 20, {[0] = 1, others 2} of 20) is {[0] = 1, [17] = -2, others 2} of 20"},
    {"NothingButAnAlternative",
     "#include <variant>\nusing Mark = std::variant<std::monostate, int>;\n" +
         folded("^[](Mark a, Mark b) { return a.index() == 0 ? b : a; }", "{}", "Mark"),
     "fold-not-commutative", "fold(1, 2) is 1 but fold(2, 1) is 2"},
    {"SetUnionIsProved",
     counter(
         "[[autoshard::shard_fold]] static std::set<int> unite(std::set<int> a, const std::set<int>& b) { "
         "a.insert(b.begin(), b.end()); return a; }\n[[autoshard::shard_method]] void add(int n) { "
         "x_.insert(n); }",
         "neutral = {}", "std::set<int>"),
     "", "laws that are proved\n    x_: unite is commutative: by the solver, for each key"},
};

constexpr char kAppend[] =
    "fold = [](auto x, const auto& y) { x.insert(x.end(), y.begin(), y.end()); return x; }";

std::string list(const std::string& method, const std::string& arguments) {
  return "#include <vector>\n" +
         counter("[[autoshard::shard_method]] " + method, "neutral = {}, " + arguments, "std::vector<int>");
}

const Case kLists[] = {
    {"HoldsForWhatUpdatesReach",
     counter("[[autoshard::shard_method]] void play(int n) { if (n > x_) x_ = n; }",
             "neutral = 0, fold = [](int a, int b) { return a > b ? a : b; }"),
     "", "for all values that updates can reach: as\n      updates keep x_ >= 0"},
    {"FailsAtAComputedIndex",
     "#include <array>\nusing Years = std::array<int, 4>;\n" +
         counter("[[autoshard::shard_fold]] static Years sum(const Years& a, const Years& b) {\n"
                 "  Years all{};\n  for (unsigned at = 0; at < 4; ++at) all[at] = a[at] + b[at];\n"
                 "  return all;\n}\n"
                 "[[autoshard::shard_method]] void ^note(int year) {\n"
                 "  if (year < 2020 || year > 2023) return;\n"
                 "  int& one = x_[static_cast<unsigned long>(year - 2020)];\n"
                 "  one = one > 0 ? 0 : one + 1;\n}",
                 "neutral = {}", "Years"),
     "method-does-not-commute", "note(2020)"},
    {"FailsInTheThirdOfThree",
     "struct Triple { using first_type = int; using second_type = int; int first, second, third; };\n" +
         folded("^[](Triple a, Triple b) { return Triple{a.first + b.first, a.second + b.second, a.third}; }",
                "{}", "Triple"),
     "fold-not-commutative", "third"},
    {"HoldsForNamesOfOneEnumerator",
     "enum class Level { kNone = 0, kLow = 1, kDefault = kLow, kHigh = 2 };\n" +
         counter("[[autoshard::shard_method]] void note(Level n) { if (n > x_) x_ = n; }",
                 "neutral = Level::kNone, fold = [](Level a, Level b) { return a < b ? b : a; }", "Level"),
     "", "x_: Level::kNone is neutral: by the solver"},
    {"FailsForWhatAConstructorGives",
     counter("explicit Counter(int x) : x_(x) {}\n"
             "[[autoshard::shard_method]] void play(int n) { if (n > x_) x_ = n; }",
             "neutral = ^0, fold = [](int a, int b) { return a > b ? a : b; }"),
     "neutral-not-identity", "fold(-1, 0) is 0, so 0 is not neutral"},
    {"FailsForWhatUpdatesReach",
     counter("[[autoshard::shard_method]] void play(int n) { if (n > x_) x_ = n; }\n"
             "[[autoshard::shard_write]] void set(int n) { x_ = n; }",
             "neutral = ^0, fold = [](int a, int b) { return a > b ? a : b; }"),
     "neutral-not-identity", "fold(-1, 0) is 0, so 0 is not neutral"},
    {"FailsForValuesThatNobodyTries",
     counter("[[autoshard::shard_fold]] static int ^odd(int a, int b) { return a + b + (a > 40000 && b > "
             "40000); }\n"
             "[[autoshard::shard_method]] void add(int n) { x_ += n; }",
             "neutral = 0"),
     "fold-not-associative", "odd(odd("},
    {"FailsBeyondAComputedCap",
     "constexpr unsigned cap() { return 70000u * 3; }\n" +
         counter("[[autoshard::shard_fold]] static unsigned ^sum(unsigned a, unsigned b) "
                 "{ return a > cap() && b > cap() ? a + b + 1 : a + b; }\n"
                 "[[autoshard::shard_method]] void add(unsigned n) { x_ += n; }",
                 "neutral = 0", "unsigned"),
     "fold-not-associative", "sum(sum("},
    {"AppendedList", list("void add(int n) { x_.push_back(n); }", std::string(kAppend) + ", order = any"), "",
     "add commutes with the fold ("},
    {"AppendedListIsInOrder",
     list("void add(int n) { x_.push_back(n); }", "fold = ^" + std::string(kAppend).substr(7)),
     "fold-not-commutative",
     "fold({1}, {2}) is {1, 2} but fold({2}, {1}) is {2, 1}; shards are folded in no particular order, which "
     "'order = "
     "any' allows where"},
    {"ShorterListInAnyOrder",
     list("void ^drop() { if (!x_.empty()) x_.pop_back(); }", std::string(kAppend) + ", order = any"),
     "method-does-not-commute", "drop() after folding"},
    {"ListThatLosesElements",
     list("void add(int n) { x_.push_back(n); }",
          "order = any, fold = ^[](auto x, auto y) { return x.size() < y.size() ? y : x; }"),
     "fold-not-commutative", "is {1} but"},
};

const Case kMethods[] = {
    {"Increment", updated("void up() { ++x_; }"), "", "up commutes with the fold: by the solver"},
    {"Add", updated("void add(int n = 1) { x_ += n; }"), "", "add commutes with the fold: by the solver"},
    {"Observe",
     counter("[[autoshard::shard_method]] void observe(int n) { x_ = std::max(x_, n); }",
             "neutral = -2147483647 - 1, fold = [](int a, int b) { return std::max(a, b); }"),
     "", "observe commutes with the fold: by the solver"},
    {"Doubles", updated("void ^twice() { x_ *= 2; }"), "method-does-not-commute",
     "twice() after folding 1 and 1 gives 4, but twice() on 1, folded with 1, gives 3"},
    {"SetsAConstant", updated("void ^reset() { x_ = 0; }"), "method-does-not-commute",
     "on every shard, unless it is marked [[autoshard::shard_write]] to replace the value"},
    {"SetsAParameter", updated("void ^set(int n) { x_ = n; }"), "method-does-not-commute",
     "set(1) after folding 1 and 1"},
    {"Conditional", updated("void ^up() { if (x_ > 4711) ++x_; }"), "method-does-not-commute",
     "up() after folding"},
    {"SaturatingCounter", updated("void ^up() { if (x_ < 500) ++x_; }"), "method-does-not-commute",
     "up() after folding"},
    {"CapOfADouble",
     counter("static constexpr double kBudget = 1000.0;\n[[autoshard::shard_method]] void ^spend(double "
             "cost) { if "
             "(x_ + cost <= kBudget) x_ += cost; }",
             "neutral = 0, fold = std::plus<>{}", "double"),
     "method-does-not-commute", "spend("},
    {"CapOfADuration",
     "#include <chrono>\n" +
         counter("[[autoshard::shard_method]] void ^listen(std::chrono::seconds s) { x_ = std::min(x_ + s, "
                 "std::chrono::seconds(3600)); }",
                 "neutral = {}, fold = std::plus<>{}", "std::chrono::seconds"),
     "method-does-not-commute", "listen("},
    {"NamedConstant",
     "constexpr int kMagic{404};\n" + updated("void ^at(int n) { if (n == kMagic) x_ = 0; else x_ += n; }"),
     "method-does-not-commute", "at(404)"},
    {"ConstantOfAnotherHeader",
     "#include <climits>\n" + updated("void ^at(int n) { if (n == CHAR_BIT * 100) x_ = 0; else x_ += n; }"),
     "method-does-not-commute", "at(800)"},
    {"CapInAnotherUnit",
     "#include <chrono>\n" +
         counter(
             "[[autoshard::shard_method]] void ^listen(std::chrono::milliseconds s) { x_ = std::min(x_ + s, "
             "std::chrono::milliseconds(std::chrono::minutes(7))); }",
             "neutral = {}, fold = std::plus<>{}", "std::chrono::milliseconds"),
     "method-does-not-commute", "listen("},
    {"ThrowsForSome", updated("void add(int n) { if (n < 0) throw std::invalid_argument(\"n\"); x_ += n; }"),
     "", "add commutes with the fold: by the solver"},
    {"ThrowsAlways", updated("void add(int n) { x_ += n; throw std::runtime_error(\"n\"); }"), "",
     "laws left to the law tests\n    add commutes with the fold: the compiler cannot evaluate it"},
    {"LoopsForLong", updated("void add(int n) { for (int i = 0; i < n; ++i) ++x_; }"), "",
     "add commutes with the fold: by the solver"},
    {"CallsAnother",
     updated("void add(int n) { x_ += n; }\n[[autoshard::shard_method]] void ^f() { add(x_); }"),
     "method-does-not-commute", "f() after folding"},
    {"PrivateHelper", updated("void add() { x_ += two(); }\n private: static int two() { return 2; }"), "",
     "add commutes with the fold: by the solver"},
    {"UnknownParameter", updated("void add(const int* n) { x_ += *n; }"), "",
     "laws that could not be judged\n    add commutes with the fold: the law needs a value of type"},
};

/// What Clang refuses is refused where the user wrote it, and not in the generated header.
const Case kArguments[] = {
    {"UnknownNeutral", folded("std::plus<>{}", "^kUnknown"), "argument-value",
     "'neutral = kUnknown' does not fit 'x_', of type 'int': use of undeclared identifier 'kUnknown'"},
    {"NeutralOfAnotherType", folded("std::plus<>{}", "^\"zero\""), "argument-value",
     "type 'int': cannot initialize"},
    {"NeutralIsCut", folded("std::plus<>{}", "^0.5"), "argument-value", "it is not a whole number"},
    {"BoundOfEachEntity", bounded("max = ^limit_"), "argument-value",
     "'max = limit_' does not fit 'x_', of type 'int': invalid use of member 'limit_' in static member "
     "function"},
    {"BoundOfAMethod", bounded("min = ^least()"), "argument-value",
     "'min = least()' does not fit 'x_', of type 'int': call to non-static member function without an "
     "object"},
    {"UnknownBound", bounded("max = ^kUnknown"), "argument-value", "use of undeclared identifier 'kUnknown'"},
    {"BoundOfAnotherType", bounded("max = ^\"ten\""), "argument-value", "type 'int': cannot initialize"},
    {"BoundBeyondTheType", bounded("min = 0, max = ^5'000'000'000"), "argument-value",
     "'max = 5'000'000'000' does not fit 'x_', of type 'int': the type does not hold it"},
    {"BoundBelowTheType", bounded("min = ^-3'000'000'000 - kTen"), "argument-value",
     "the type does not hold it"},
    {"UnsignedBoundBeyondTheType", bounded("max = ^0xFFFFFFFF"), "argument-value",
     "the type does not hold it"},
    {"UnsignedBoundBeyondAll", bounded("max = ^18'446'744'073'709'551'615u"), "argument-value",
     "the type does not hold it"},
    {"BoundWithAFraction", bounded("max = ^99.5"), "argument-value", "the type does not hold it"},
    {"HugeBound", bounded("max = ^1e10"), "argument-value", "the type does not hold it"},
    {"WholeBound", bounded("max = 1e6"), "", "laws that are proved"},
    {"BoundByAConstant", bounded("min = -kTen, max = 2 * kTen"), "", "laws that are proved"},
    {"BoundByAStaticFunction", bounded("max = most()"), "", "laws that are proved"},
    {"NeutralIsWhole", folded("std::multiplies<>{}", "1.0"), "", "laws that are proved"},
    {"NeutralIsConverted", folded("[](auto a, auto b) { return a & b; }", "-1", "unsigned"), "",
     "laws that are proved"},
    {"PrivateConstant",
     "#include <algorithm>\nclass [[autoshard::entity]] Counter {\n static constexpr int kMost = "
     "2147483647;\n "
     "[[autoshard::id]] int id_ = 0;\n [[autoshard::shardable(shards = 4, neutral = kMost, fold = [](int a, "
     "int b) { "
     "return std::min(a, b) + 0; })]] int x_{};\n};\n",
     "", "laws that are proved"},
    {"UnknownFold", folded("^summ", "0"), "argument-value", "use of undeclared identifier 'summ'"},
    {"FoldIsATemplate", folded("^std::plus", "0"), "argument-value", "'fold = std::plus' does not fit"},
    {"FoldOfAnotherType", folded("^[](std::set<int> a, std::set<int>) { return a; }", "0"), "argument-value",
     "no matching function for call to object of type '(lambda)'"},
    {"IncludesOfGeneratedCode",
     "class [[autoshard::entity]] Counter {\n [[autoshard::id]] int id_ = 0;\n [[autoshard::shardable(shards "
     "= 4, "
     "neutral = ^std::numeric_limits<long>::max() - 1, fold = std::plus<long>{})]] long x_{};\n};\n",
     "neutral-not-identity", ""},
};

INSTANTIATE_TEST_SUITE_P(Arguments, LawTest, testing::ValuesIn(kArguments), name_of);
INSTANTIATE_TEST_SUITE_P(Lists, LawTest, testing::ValuesIn(kLists), name_of);
INSTANTIATE_TEST_SUITE_P(Folds, LawTest, testing::ValuesIn(kFolds), name_of);
INSTANTIATE_TEST_SUITE_P(Methods, LawTest, testing::ValuesIn(kMethods), name_of);

// Of two players above 40 with equal scores, the left one stays: no value that is tried shows that.
TEST(LawTest, ValuesThatTheSolverFindsAreSmall) {
  const Outcome outcome =
      prove_text("struct Best { long score, player; };\n" +
                 folded("[](Best a, Best b) { if (a.score != b.score) return a.score > b.score ? a : b;\n"
                        "  return a.player > b.player || (a.player > 40 && b.player > 40) ? a : b; }",
                        "(Best{-9223372036854775807L - 1, -9223372036854775807L - 1})", "Best"));
  ASSERT_FALSE(outcome.diagnostics.empty()) << outcome.output;
  EXPECT_THAT(outcome.diagnostics.front().message,
              testing::ContainsRegex("fold\\(..score = [0-3], .player = [4-9][0-9]., ..score = [0-3], "
                                     ".player = [4-9][0-9].. is"))
      << outcome.output;
}

TEST(LawTest, ContainersLeaveTheOtherMembersAlone) {
  const Outcome outcome =
      parse_text(question("[[autoshard::shard_method]] void up() { ++votes_; }\n"
                          "[[autoshard::shard_method]] void both() { ++votes_; tags_.insert(1); }",
                          "[[autoshard::shardable(neutral = {}, shards = 2, fold = [](Tags a, Tags b) { "
                          "a.merge(b); return a; })]] "
                          "Tags tags_;")
                     .insert(0, "#include <set>\nusing Tags = std::set<int>;\n"));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_NE(outcome.explanation.find("up commutes with the fold: by the solver"), std::string::npos)
      << outcome.explanation;
  EXPECT_NE(outcome.explanation.find("both commutes with the fold ("), std::string::npos);
}

TEST(LawTest, AnnotationsMayUseWhatGeneratedCodeIncludes) {
  const Outcome outcome = parse_text(
      "class [[autoshard::entity]] Counter {\n public:\n  [[autoshard::shard_method]] void up() { ++x_; }\n"
      "  int best() const { return best_; }\n\n private:\n  [[autoshard::id]] int id_ = 0;\n"
      "  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int x_ = 0;\n"
      "  [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = 4,\n"
      "                         fold = [](int x, int y) { return x < y ? y : x; })]] int best_ = 0;\n};\n");
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_NE(outcome.explanation.find("up commutes with the fold: by the solver"), std::string::npos)
      << outcome.explanation;
  EXPECT_EQ(outcome.explanation.find("left to the law tests"), std::string::npos) << outcome.explanation;
}

TEST(ControlTest, RulesAreDisabledByName) {
  EXPECT_EQ(problem_with({.disabled = {"autoshard-fold-not-commutative", "method-does-not-commute"}}), "");
  EXPECT_EQ(problem_with({.disabled = {"plain-method-body"}}), "");
  EXPECT_NE(problem_with({.disabled = {"fold-not-comutative"}})
                .find("did you mean 'autoshard-fold-not-commutative'?"),
            std::string::npos);
  EXPECT_NE(problem_with({.disabled = {"nonsense"}})
                .find("there is no rule 'autoshard-nonsense'; those that can be disabled are 'autoshard-"),
            std::string::npos)
      << problem_with({.disabled = {"nonsense"}});
  EXPECT_EQ(problem_with({.disabled = {"shard-method-unseen-call"}}), "");
  EXPECT_NE(problem_with({.disabled = {"no-id"}}).find("cannot be disabled"), std::string::npos);
}

TEST(ControlTest, WarningsBecomeErrors) {
  Diagnostic warning;
  warning.rule = "autoshard-fold-not-commutative";
  warning.severity = Diagnostic::Severity::kWarning;
  EXPECT_FALSE(has_errors(controlled({warning}, {})));
  EXPECT_TRUE(has_errors(controlled({warning}, {.warnings_are_errors = true})));
  EXPECT_TRUE(controlled({warning}, {.disabled = {"fold-not-commutative"}}).empty());
}

}  // namespace
}  // namespace autoshard::tool
