/// Shard methods that throw because of a part of a sharded value, and folds that throw.

#include "test/tool/diagnostics/rule_case.h"

namespace autoshard::tool {
namespace {

/// What the headers of these classes have beside them.
constexpr char kBefore[] = R"(
#include <algorithm>
#include <array>
#include <bitset>
#include <cassert>
#include <cstdlib>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>
enum class State { kOpen, kClosed };
struct Later { State operator()(State a, State b) const { return std::max(a, b); } };
struct Sums {
  template <class A>
  A operator()(A a, const A& b) const { for (unsigned i = 0; i < 3; ++i) a[i] += b[i]; return a; }
};
struct Greatest {
  template <class T>
  T operator()(const T& a, const T& b) const { return std::max(a, b); }
};
struct Merge {
  template <class M>
  M operator()(M a, const M& b) const { a.insert(b.begin(), b.end()); return a; }
};
struct Full : std::runtime_error { using std::runtime_error::runtime_error; };
inline void require(bool ok) { if (!ok) throw std::invalid_argument("no"); }
inline void require_at_most(int n, int most) { if (n > most) throw std::out_of_range("too many"); }
inline int positive(int n) { require(n > 0); return n; }
inline int added(int total, int n) { return total + n; }
[[noreturn]] inline void fail(const std::string& why) { throw std::runtime_error(why); }
class Amount {
 public:
  explicit Amount(int n) : n_(n) { if (n < 0) throw std::invalid_argument("negative"); }
  int get() const { return n_; }
 private:
  int n_;
};
)";

/// A question with a sharded set, a sharded state, and the shard method `f` of this head and body.
std::string method(const std::string& head, const std::string& body) {
  return kBefore +
         question(
             "[[autoshard::shard_method]] " + head + " { " + body + " }",
             "static void check(int total) { require_at_most(total, 400); }\n"
             "[[autoshard::shardable(neutral = {}, shards = 2, fold = Merge{})]] std::map<std::string, int> "
             "seen_;\n[[autoshard::shardable(neutral = State::kOpen, shards = 2, fold = Later{})]] State "
             "state_ = State::kOpen;\nusing Last = std::variant<std::monostate, int>;\n"
             "[[autoshard::shardable(neutral = Last(), shards = 2, fold = Greatest{})]] Last last_;\n"
             "[[autoshard::shardable(neutral = {}, shards = 2, fold = Greatest{})]] std::string text_;\n"
             "[[autoshard::shardable(neutral = {}, shards = 2, fold = Sums{})]] std::array<int, 3> sums_{};\n"
             "static constexpr std::array<int, 8> kRungs = {1, 2, 3, 5, 8, 13, 21, 34};");
}

RuleCase throwing(std::string name, const std::string& body,
                  std::string message =
                      "shard method 'f' throws because of the value of the sharded member "
                      "'votes_'") {
  return {std::move(name), "shard-method-throw", method("void f(int n)", body), std::move(message), ""};
}

const RuleCase kThrowing[] = {
    throwing("Limit", "if (votes_ + n > 400) ^throw std::runtime_error(\"not enough\"); votes_ += n;"),
    throwing(
        "Advice", "if (votes_ + n > 400) ^throw std::runtime_error(\"not enough\"); votes_ += n;",
        "but a shard holds only a part of that; bound the member with 'min' or 'max', or do not shard it "
        "and change it in 'transact'"),
    throwing("AfterTheUpdate", "votes_ += n; if (votes_ < 0) ^throw Full(\"overdrawn\");"),
    throwing("Local",
             "const int after = votes_ + n; if (after > 400) ^throw Full(\"full\"); votes_ = after;"),
    throwing(
        "LocalTruth",
        "const bool is_full = votes_ >= 400; if (is_full || n < 0) { ^throw Full(\"full\"); } votes_ += n;"),
    throwing("LocalReference", "int& sold = votes_; if (sold + n > 400) ^throw Full(\"full\"); sold += n;"),
    throwing("Else", "if (votes_ + n <= 400) { votes_ += n; } else { ^throw Full(\"full\"); }"),
    throwing("Ternary", "votes_ += votes_ < 400 ? n : ^throw Full(\"full\");"),
    throwing("ShortCircuit", "votes_ < 400 || (^throw Full(\"full\"), true); votes_ += n;"),
    throwing("AfterAnEarlyReturn", "if (votes_ + n <= 400) { votes_ += n; return; } ^throw Full(\"full\");"),
    throwing("Switch", "switch (votes_) { case 0: ^throw Full(\"closed\"); default: votes_ += n; }"),
    throwing("Loop", "for (int i = 0; i < n; ++i) { if (++votes_ > 400) ^throw Full(\"full\"); }"),
    throwing("NumberOfTurns",
             "int i = 0; while (i < votes_) { if (++i > 400) ^throw Full(\"full\"); } votes_ += n;"),
    throwing("CheckOfTheArgumentUnderACondition",
             "if (votes_ < 400) { if (n < 0) ^throw Full(\"negative\"); votes_ += n; }"),
    throwing("Helper", "^require(votes_ + n <= 400); votes_ += n;",
             "shard method 'f' calls 'require', which throws, because of the value of the sharded member "
             "'votes_'"),
    throwing("HelperWithALimit", "^require_at_most(votes_ + n, 400); votes_ += n;",
             "calls 'require_at_most', which throws,"),
    throwing("HelperOfTheClass", "^check(votes_ + n); votes_ += n;",
             "calls 'check', which calls 'require_at_most', which throws,"),
    throwing("HelperThatComputes", "^require(added(votes_, n) <= 400); votes_ += n;", "calls 'require'"),
    throwing("HelperUnderACondition", "if (votes_ > 400) ^fail(\"full\"); votes_ += n;", "calls 'fail'"),
    throwing("HelperOfTheArgumentUnderACondition", "if (votes_ < 400) votes_ += ^positive(n);",
             "calls 'positive'"),
    throwing("Constructor", "const Amount ^left(400 - votes_ - n); votes_ += n; (void)left.get();",
             "calls 'Amount', which throws,"),
    throwing(
        "Lambda",
        "const auto check = [&] { if (votes_ + n > 400) ^throw Full(\"full\"); }; check(); votes_ += n;"),
    throwing("ArgumentOfALambda",
             "const auto check = [](int t) { if (t > 400) ^throw Full(\"full\"); }; check(votes_ + n); "
             "votes_ += n;"),
    throwing("LambdaUnderACondition",
             "const auto fails = [] { ^throw Full(\"full\"); }; if (votes_ + n > 400) fails(); votes_ += n;"),
    throwing("Aborts", "if (votes_ + n > 400) ^std::abort(); votes_ += n;", "shard method 'f' calls 'abort'"),
    throwing("Terminates", "if (votes_ + n > 400) ^std::terminate(); votes_ += n;", "calls 'terminate'"),
    throwing("Exits", "if (votes_ + n > 400) ^std::exit(1); votes_ += n;", "calls 'exit'"),
    throwing("Asserts", "^assert(votes_ + n <= 400); votes_ += n;",
             "shard method 'f' has an assertion because"),
    throwing(
        "ThrowsAgain",
        "try { if (votes_ + n > 400) throw Full(\"full\"); votes_ += n; } catch (const Full&) { ^throw; }"),
    throwing(
        "CatchesAnother",
        "try { if (votes_ + n > 400) ^throw Full(\"full\"); votes_ += n; } catch (const std::bad_alloc&) {}"),
    throwing("ThroughThis", "if (this->votes_ + n > 400) ^throw Full(\"full\"); this->votes_ += n;"),
    throwing("NotInTheMap", "^seen_.at(\"x\") += n;",
             "calls 'at', which throws, because of the value of the sharded member 'seen_'"),
    throwing("NotInTheArray", "if (^kRungs.at(static_cast<unsigned>(votes_)) > 0) votes_ += n;",
             "calls 'at', which throws, because of the value of the sharded member 'votes_'"),
    throwing("NotInAVectorOfThatSize",
             "std::vector<int> kept; if (votes_ > n) kept.push_back(n); votes_ += ^kept.at(0);",
             "calls 'at', which throws,"),
    throwing("NotInWhatAPointerLeadsTo",
             "std::optional<int> slots[2] = {n, n}; std::optional<int>* p = nullptr; p = slots; "
             "if (votes_ > n) p[0].reset(); votes_ += ^p->value();",
             "calls 'value', which throws,"),
    throwing("NotInWhatWasMoved",
             "std::vector<int> kept; if (votes_ > n) std::move(kept).resize(3); votes_ += ^kept.at(0);",
             "calls 'at', which throws,"),
    throwing("NotInTheVector", "const std::vector<int> prices(9, n); votes_ += ^prices.at(votes_);",
             "calls 'at', which throws,"),
    throwing("NotInTheBits", "std::bitset<8> bits; ^bits.set(votes_); votes_ += n;",
             "calls 'set', which throws,"),
    throwing("NotTheAlternative", "last_ = std::max(last_, Last(^std::get<1>(last_) + n));",
             "calls 'get', which throws, because of the value of the sharded member 'last_'"),
    throwing("NotANumber", "votes_ += ^std::stoi(text_); text_ = std::max(text_, std::to_string(n));",
             "calls 'stoi', which throws, because of the value of the sharded member 'text_'"),
    throwing("NotThatLong", "if (^text_.substr(3) != \"x\") votes_ += n;", "calls 'substr', which throws,"),
    throwing("ThereAlready", "if (!seen_.emplace(\"x\", n).second) ^throw Full(\"twice\");",
             "because of the value of the sharded member 'seen_'"),
    throwing("Waits", "while (^votes_ > 400) {} votes_ += n;",
             "shard method 'f' never ends because of the value of the sharded member 'votes_'"),
    throwing("State", "if (state_ == State::kClosed) ^throw Full(\"closed\"); votes_ += n;",
             "because of the value of the sharded member 'state_'"),
};
INSTANTIATE_TEST_SUITE_P(Throwing, RuleTest, testing::ValuesIn(kThrowing), name_of);

struct Harmless {
  std::string name;
  std::string body;
};

void PrintTo(const Harmless& one, std::ostream* out) { *out << one.body; }

class NoThrowTest : public testing::TestWithParam<Harmless> {};

TEST_P(NoThrowTest, IsAccepted) {
  const Outcome outcome = apply_rules(method("void f(int n)", GetParam().body));
  EXPECT_EQ(outcome.model.entities.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.output.find("autoshard-shard-method-throw"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("autoshard-shard-method-effect"), std::string::npos) << outcome.output;
}

const Harmless kHarmless[] = {
    {"Argument", "if (n < 0) throw std::invalid_argument(\"negative\"); votes_ += n;"},
    {"ArgumentAfterTheUpdate", "votes_ += n; if (n > 400) throw Full(\"too many\");"},
    {"HelperOfTheArgument", "require(n > 0); require_at_most(n, 8); check(n); votes_ += positive(n);"},
    {"AssertionOnTheArgument", "assert(n > 0); votes_ += n;"},
    {"ConstructorOfTheArgument", "votes_ += Amount(n).get();"},
    {"LambdaOfTheArgument",
     "const auto check = [](int t) { if (t > 400) throw Full(\"full\"); }; check(n); votes_ += n;"},
    {"MaximumByAnIf", "if (n > votes_) votes_ = n;"},
    {"MaximumByAnEarlyReturn", "if (n <= votes_) return; votes_ = n;"},
    {"ArgumentBeforeAMaximum", "if (n < 0) throw Full(\"negative\"); if (n > votes_) votes_ = n;"},
    {"HelperThatDoesNotThrow", "if (n > votes_) votes_ = added(n, 0);"},
    {"HelperThatThrowsForAnotherArgument",
     "require_at_most(n, 400); votes_ = std::max(votes_, added(n, 1));"},
    {"AllStates",
     "switch (state_) { case State::kOpen: state_ = State::kClosed; break; case State::kClosed: break; "
     "default: "
     "throw std::logic_error(\"no such state\"); } (void)n;"},
    {"LooksUpWhatIsThere", "if (seen_.contains(\"x\")) seen_.at(\"x\") = std::max(n, seen_.at(\"x\"));"},
    {"OfALocalMap", "std::map<int, int> prices{{1, 2}}; votes_ += prices.at(n);"},
    {"OfElementsThatTakeTheValue",
     "std::vector<int> kept(2); kept.at(0) = ++votes_; auto& last = kept.at(1); last = kept.at(0); votes_ += "
     "n;"},
    {"OfElementsBesideNewOnes",
     "std::vector<int> kept; kept.push_back(n); kept.at(0) = ++votes_; kept.push_back(1); "
     "std::map<int, int> seen; seen[1] = votes_; seen[2] = n; votes_ += kept.at(1) + 0 * seen.at(1);"},
    {"OfALocalArray", "votes_ += std::array<int, 3>{1, 2, 3}.at(static_cast<unsigned>(n));"},
    {"OfAnArrayAtAPlaceThatIsThere",
     "if (votes_ < 8 && kRungs.at(static_cast<unsigned>(votes_)) > n) ++votes_;"},
    {"OfASizeThatIsKnown",
     "auto& all = sums_; all.at(static_cast<unsigned>(n) % all.size()) += 1; votes_ += n;"},
    {"OfABitOfTheArgument", "std::bitset<8> bits; bits.set(static_cast<unsigned>(n)); votes_ += n;"},
    {"OfAnAlternativeThatIsThere",
     "if (std::holds_alternative<int>(last_)) last_ = std::max(last_, Last(std::max(n, "
     "std::get<1>(last_))));"},
    {"OfTheArgumentAsANumber", "votes_ += std::stoi(std::to_string(n));"},
    {"FromTheBegin", "if (text_.substr(0, 3) < std::to_string(n)) text_ = std::to_string(n);"},
    {"MaximumByALoop", "while (votes_ < n) ++votes_;"},
    {"NotEvaluated", "votes_ += n + (noexcept(require(votes_ > 0)) ? 0 : 1);"},
};
INSTANTIATE_TEST_SUITE_P(Harmless, NoThrowTest, testing::ValuesIn(kHarmless),
                         [](const auto& one) { return one.param.name; });

TEST(ThrowTest, IsToldOnceAndShowsTheRead) {
  const Outcome outcome = parse_text(
      method("void f(int n)",
             "if (votes_ > 400) throw Full(\"full\"); if (votes_ > 300) throw Full(\"much\"); votes_ += n;"));
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  ASSERT_EQ(outcome.diagnostics.front().notes.size(), 1U);
  EXPECT_EQ(outcome.diagnostics.front().notes.front().message, "'votes_' is read here");
}

TEST(ThrowTest, IsFoundInAShardWrite) {
  const Outcome outcome = parse_text(
      kBefore +
      question("[[autoshard::shard_write]] void f(int n) { if (votes_ > n) throw Full(\"less\"); votes_ = "
               "n; }"));
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-shard-method-throw");
}

TEST(ThrowTest, IsFoundInADefinitionOutsideTheClass) {
  const std::string header = kBefore + question("[[autoshard::shard_method]] void f(int n);");
  const Outcome outcome =
      parse_source(header,
                   "#include \"entity.h\"\nvoid Question::f(int n) { if (votes_ > 400) throw "
                   "Full(\"full\"); votes_ += n; }\n");
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_NE(outcome.output.find("entity.cpp:2:45: error: shard method 'f' throws because"), std::string::npos)
      << outcome.output;
}

/// A question with another sharded member, folded by this expression.
std::string folded(const std::string& fold, const std::string& before = "") {
  return kBefore + before +
         question("[[autoshard::shard_method]] void f(int n) { sum_ += n; }",
                  "[[autoshard::shardable(neutral = 0, shards = 2, fold = " + fold + ")]] int sum_ = 0;");
}

const RuleCase kFolds[] = {
    {"Throws", "fold-throw",
     kBefore +
         question("[[autoshard::shard_fold(sum_)]] static int sum(int x, int y) { if (x > 400 - y) ^throw "
                  "Full(\"full\"); return x + y; }\n[[autoshard::shard_method]] void f(int n) { sum_ += n; }",
                  "[[autoshard::shardable(neutral = 0, shards = 2)]] int sum_ = 0;"),
     "shard fold 'sum' throws, and the entity cannot be loaded while it does; return a value for every two",
     ""},
    {"CallsWhatThrows", "fold-throw",
     kBefore +
         question("[[autoshard::shard_fold(sum_)]] static int sum(int x, int y) { ^require_at_most(x + y, "
                  "400); return x + y; }\n[[autoshard::shard_method]] void f(int n) { sum_ += n; }",
                  "[[autoshard::shardable(neutral = 0, shards = 2)]] int sum_ = 0;"),
     "shard fold 'sum' calls 'require_at_most', which throws, and", ""},
    {"Expression", "fold-throw",
     folded("^checked", "inline int checked(int x, int y) { require(x <= 400 - y); return x + y; }\n"),
     "the fold of 'sum_' calls 'checked', which calls 'require', which throws, and", ""},
    {"Aborts", "fold-throw",
     folded("^checked",
            "inline int checked(int x, int y) { if (x > 400 - y) std::abort(); return x + y; }\n"),
     "the fold of 'sum_' calls 'checked', which calls 'abort', and", ""},
};

/// A warning, for a fold may throw for values that no update leaves.
class FoldThrowTest : public testing::TestWithParam<RuleCase> {};

TEST_P(FoldThrowTest, IsWarnedOf) {
  const Marked marked = take_marks(GetParam().source);
  const Outcome outcome = parse_text(marked.text);
  EXPECT_TRUE(outcome.ok) << outcome.output;
  ASSERT_FALSE(outcome.diagnostics.empty());
  const Diagnostic& found = outcome.diagnostics.front();
  EXPECT_EQ(found.rule, "autoshard-fold-throw") << outcome.output;
  EXPECT_EQ(found.severity, Diagnostic::Severity::kWarning);
  EXPECT_EQ(found.span.begin, marked.marks.front()) << outcome.output;
  EXPECT_NE(found.message.find(GetParam().message), std::string::npos) << outcome.output;
}
INSTANTIATE_TEST_SUITE_P(Folds, FoldThrowTest, testing::ValuesIn(kFolds), name_of);

TEST(ThrowTest, OfAFoldThatCatchesOrAssertsIsNone) {
  for (const char* body :
       {"assert(x + y >= x || y < 0); return x + y;",
        "try { require(x <= 400 - y); } catch (const std::exception&) { return x + y; } return "
        "x + y;"}) {
    const Outcome outcome =
        parse_text(folded("checked", std::string("inline int checked(int x, int y) { ") + body + " }\n"));
    EXPECT_EQ(outcome.output.find("autoshard-fold-throw"), std::string::npos) << outcome.output;
  }
}

}  // namespace
}  // namespace autoshard::tool
