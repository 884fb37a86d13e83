/// Shard methods that hand to their caller what depends on a part of a sharded value.

#include "test/tool/diagnostics/rule_case.h"

namespace autoshard::tool {
namespace {

/// A question with a sharded set, and these methods.
std::string counting(const std::string& methods) {
  return with_headers(
      "struct Merge { template <class M> M operator()(M a, const M& b) const { a.insert(b.begin(), "
      "b.end()); return a; } };\nstruct Pair { int first; int second; };\n" +
      question(methods,
               "[[autoshard::shardable(neutral = {}, shards = 2, fold = Merge{})]] std::map<std::string, "
               "int> seen_;"));
}

/// The shard method `f` of this head and body.
std::string method(const std::string& head, const std::string& body) {
  return counting("[[autoshard::shard_method]] " + head + " { " + body + " }");
}

RuleCase disclosing(std::string name, const std::string& head, const std::string& body,
                    std::string message =
                        "shard method 'f' returns a value that depends on the sharded "
                        "member 'votes_'") {
  return {std::move(name), "shard-method-disclosure", method(head, body), std::move(message), ""};
}

constexpr char kInOut[] = "stores a value in 'out' that depends on the sharded member 'votes_'";
constexpr char kSeen[] = "depends on the sharded member 'seen_'";

const RuleCase kReturns[] = {
    disclosing("NextNumber", "int f()", "^return ++votes_;"),
    disclosing(
        "Advice", "int f()", "^return votes_++;",
        "but a shard holds only a part of that; return nothing, and read 'votes_' in a const method of a "
        "loaded entity"),
    disclosing("CompoundAssignment", "int f(int n)", "^return votes_ += n;"),
    disclosing("ThroughThis", "int f()", "++votes_; ^return (*this).votes_;"),
    disclosing("ComputedWith", "long f(int n)", "votes_ += n; ^return 2L * (votes_ - n);"),
    disclosing("Local", "int f()", "const int now = ++votes_; ^return now;"),
    disclosing("LocalAssignedLater", "int f()",
               "int now = 0; now = ++votes_; const int then = now; ^return then;"),
    disclosing("LocalReference", "int f()", "int& slot = votes_; ^return ++slot;"),
    disclosing("LocalPointer", "int f()", "int* const slot = &votes_; ++*slot; ^return *slot;"),
    disclosing("MemberOfALocal", "int f()", "Pair pair{}; pair.second = ++votes_; ^return pair.second;"),
    disclosing("ListInBraces", "Pair f()", "++votes_; ^return {1, votes_};"),
    disclosing("ElementOfALocal", "int f()", "int all[2] = {}; all[1] = ++votes_; ^return all[0] + all[1];"),
    disclosing("Ternary", "bool f(int n)", "votes_ += n; ^return votes_ > 10 ? true : false;"),
    disclosing("TernaryOfAnything", "int f(int n)", "++votes_; ^return n > 1 ? n : votes_;"),
    disclosing("Condition", "bool f()", "++votes_; if (votes_ > 10) ^return true; return false;"),
    disclosing("ConditionOfAnAssignment", "bool f()",
               "bool many = false; if (++votes_ > 10) many = true; ^return many;"),
    disclosing("ShortCircuit", "bool f()",
               "bool many = false; ++votes_ > 10 && (many = true); ^return many;"),
    disclosing("EarlyReturn", "bool f()", "++votes_; if (votes_ < 10) { ^return false; } return true;"),
    disclosing("Switch", "int f()", "switch (++votes_) { case 1: ^return 1; default: return 2; }"),
    disclosing("NumberOfTurns", "int f()", "++votes_; int n = 0; while (n < votes_) ++n; ^return n;"),
    disclosing("BreakOutOfALoop", "int f()",
               "++votes_; int n = 0; for (; n < 9; ++n) { if (n > votes_) break; } ^return n;"),
    disclosing("CarriedByALoop", "int f()",
               "int a = 0; int b = 0; for (int i = 0; i < 3; ++i) { b = a; a = ++votes_; } ^return b;"),
    disclosing(
        "CaughtException", "bool f()",
        "bool many = false; try { if (++votes_ > 3) throw 1; } catch (int) { many = true; } ^return many;"),
    disclosing("Lambda", "int f()", "const auto next = [this] { return ++votes_; }; ^return next();"),
    disclosing("LambdaThatAssigns", "int f()", "int n = 0; [&] { n = ++votes_; }(); ^return n;"),
    disclosing("LambdaThatCaptured", "int f()",
               "const auto next = [n = ++votes_] { return n; }; ^return next();"),
    disclosing("ArgumentOfALambda", "int f()",
               "int r = 0; auto g = [&r](int v) { r = v; }; g(++votes_); ^return r;"),
    disclosing("ArgumentOfALambdaThatIsCalledAtOnce", "int f()",
               "int r = 0; [&r](int, int v) { r = v; }(1, ++votes_); ^return r;"),
    disclosing("ArgumentOfAGenericLambda", "int f()",
               "int r = 0; auto g = [&r](auto... v) { r = (v + ...); }; g(1, ++votes_); ^return r;"),
    disclosing("ArgumentOfAStdFunction", "int f()",
               "int r = 0; std::function<void(int)> g = [&r](int v) { r = v; }; g(++votes_); ^return r;"),
    disclosing(
        "ArgumentOfAStdFunctionOfANamedLambda", "int f()",
        "int r = 0; auto g = [&r](int v) { r = v; }; std::function<void(int)> h(g); h(++votes_); ^return "
        "r;"),
    disclosing("ArgumentThatAFunctionPassesToALambda", "int f()",
               "int r = 0; std::invoke([&r](int v) { r = v; }, ++votes_); ^return r;"),
    disclosing(
        "ElementThatAnAlgorithmPassesToALambda", "int f(const std::string& name)",
        "int r = 0; ++seen_[name]; std::for_each(seen_.begin(), seen_.end(), [&r](const auto& v) { r += "
        "v.second; }); ^return r;",
        kSeen),
    disclosing("ConditionOfALambdasCall", "bool f()",
               "bool many = false; auto g = [&many] { many = true; }; if (++votes_ > 10) g(); ^return many;"),
    disclosing(
        "ConditionOfAStdFunctionsCall", "bool f()",
        "bool many = false; std::function<void()> g = [&many] { many = true; }; if (++votes_ > 10) g(); "
        "^return many;"),
    disclosing("ArgumentOfACall", "int f()", "^return std::max(++votes_, 3);"),
    disclosing("FilledArgument", "int f()", "int n = 0; std::swap(n, votes_); ^return n;"),
    disclosing("Text", "std::string f()",
               "std::string text = \"n\"; text += std::to_string(++votes_); ^return text;"),
    disclosing("TextFilledByAMethod", "std::string f()",
               "std::string text; text.append(std::to_string(++votes_)); ^return text;"),
    disclosing("Comma", "int f(int n)", "^return votes_ += n, votes_;"),
    disclosing("AnotherShardMethod", "int f(int n)",
               "votes_ += n; ^return same(votes_); }\n"
               "[[autoshard::shard_method]] int same(int n) { ++votes_; return n;"),
    disclosing("WhetherItWasThere", "bool f(const std::string& name)",
               "^return seen_.emplace(name, 1).second;", kSeen),
    disclosing("StructuredBinding", "bool f(const std::string& name)",
               "const auto [at, is_new] = seen_.try_emplace(name, 1); ^return is_new;", kSeen),
    disclosing("LookedUp", "int f(const std::string& name)", "auto& n = seen_[name]; ++n; ^return n;", kSeen),
    disclosing("Iterated", "int f(const std::string& name)",
               "int sum = 0; ++seen_[name]; for (const auto& [key, n] : seen_) sum += n; ^return sum;",
               kSeen),
    disclosing("HowManyItHas", "std::size_t f(const std::string& name)",
               "++seen_[name]; ^return seen_.size();", kSeen),
};
INSTANTIATE_TEST_SUITE_P(Returns, RuleTest, testing::ValuesIn(kReturns), name_of);

const RuleCase kOutputs[] = {
    disclosing("Reference", "void f(int& out)", "^out = ++votes_;", kInOut),
    disclosing("CompoundOnReference", "void f(int& out)", "++votes_; ^out += votes_;", kInOut),
    disclosing("UnderACondition", "void f(bool& out)", "if (++votes_ > 10) ^out = true;", kInOut),
    disclosing("AfterAReturn", "void f(bool& out)", "if (++votes_ > 10) return; ^out = true;", kInOut),
    disclosing("ThroughALocalReference", "void f(Pair& out)", "int& slot = out.second; ^slot = ++votes_;",
               kInOut),
    disclosing("EitherOfTwo", "void f(int& out)", "int n = 0; ^(n > 0 ? n : out) = ++votes_;", kInOut),
    disclosing("Container", "void f(std::vector<int>& out)", "^out.push_back(++votes_);", kInOut),
    disclosing("ElementOfAContainer", "void f(std::vector<int>& out)", "^out.at(0) = ++votes_;", kInOut),
    disclosing("FilledByACall", "void f(int& out)", "++votes_; ^std::swap(out, votes_);", kInOut),
    disclosing("InALambda", "void f(int& out)", "[&] { ^out = ++votes_; }();", kInOut),
    disclosing("RvalueReference", "void f(std::string&& out)", "^out += std::to_string(++votes_);", kInOut),
};
INSTANTIATE_TEST_SUITE_P(Outputs, RuleTest, testing::ValuesIn(kOutputs), name_of);

/// What it hands out, it would hand out on any shard.
struct Independent {
  std::string name;
  std::string head;
  std::string body;
};

void PrintTo(const Independent& one, std::ostream* out) { *out << one.head << " { " << one.body << " }"; }

class IndependentTest : public testing::TestWithParam<Independent> {};

TEST_P(IndependentTest, IsAccepted) {
  const Outcome outcome = apply_rules(method(GetParam().head, GetParam().body));
  EXPECT_EQ(outcome.model.entities.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.output.find("autoshard-shard-method-disclosure"), std::string::npos) << outcome.output;
}

const Independent kIndependent[] = {
    {"ItsArgument", "int f(int n)", "votes_ += n; return n;"},
    {"Itself", "Question& f(int n)", "votes_ += n; return *this;"},
    {"ItselfUnderACondition", "Question& f(int n)", "if (votes_ < n) votes_ = n; return *this;"},
    {"ConditionOfAnArgument", "bool f(int n)", "if (n < 0) return false; votes_ += n; return true;"},
    {"ConditionOfAnUpdate", "void f(int n)", "if (n > votes_) votes_ = n;"},
    {"Comma", "int f(int n)", "return votes_ += n, n;"},
    {"LocalForTheUpdate", "int f(int n)", "int now = votes_; now += n; votes_ = now; return n;"},
    {"LocalThatHasNothingToDoWithIt", "int f(int n)",
     "int twice = n; twice *= 2; votes_ += twice; return twice;"},
    {"PassedOn", "std::string f(std::string name)", "seen_.emplace(name, 1); return name;"},
    {"PassedOnByReference", "void f(std::string& name)", "seen_.try_emplace(name, 1); name += '!';"},
    {"UsedAsAKey", "std::string f(std::string& name)", "++seen_[name]; name += '!'; return name;"},
    {"OutputOfAnArgument", "void f(int n, int& out)", "votes_ += n; out = 2 * n;"},
    {"OutputBeforeAReturn", "void f(int n, int& out)", "out = n; if (votes_ > n) return; votes_ = n;"},
    {"ReturnOfALambda", "int f(int n)",
     "const auto sum = [this](int by) { return votes_ + by; }; votes_ = sum(n); return n;"},
    {"OtherParameterOfALambda", "int f(int n)",
     "int r = 0; const auto g = [&](int by, int seen) { votes_ += by + seen - seen; r = by; }; g(n, votes_); "
     "return r;"},
    {"LambdaThatIsCalledWithAnArgument", "int f(int n)",
     "int r = 0; const auto g = [&](int by) { votes_ += by; r = by; }; g(n); return r;"},
    {"StdFunctionThatIsCalledWithAnArgument", "int f(int n)",
     "int r = 0; const std::function<void(int)> g = [&](int by) { votes_ += by; r = by; }; g(n); return r;"},
    {"NotEvaluated", "std::size_t f(int n)", "votes_ += n; return sizeof(votes_);"},
    {"WhatItAssigns", "int f(int n)", "votes_ += n; return votes_ = 2 * n;"},
    {"OfAnotherObject", "int f(const Question& other)", "++votes_; return other.votes_;"},
    {"AnotherShardMethod", "int f(int n)",
     "return same(n); }\n"
     "[[autoshard::shard_method]] int same(int n) { votes_ += n; return n;"},
};
INSTANTIATE_TEST_SUITE_P(Disclosures, IndependentTest, testing::ValuesIn(kIndependent),
                         [](const auto& one) { return one.param.name; });

/// One message for each way out, however many places there are.
TEST(DisclosureTest, IsToldOnceForAReturnAndOnceForEachParameter) {
  const Outcome outcome = parse_text(method("int f(int& out, int& other)",
                                            "out = ++votes_; other = out; out += 1; if (out > 2) "
                                            "return votes_; return 0;"));
  ASSERT_EQ(outcome.diagnostics.size(), 3U) << outcome.output;
  for (const Diagnostic& one : outcome.diagnostics) {
    EXPECT_EQ(one.rule, "autoshard-shard-method-disclosure");
    ASSERT_EQ(one.notes.size(), 1U);
    EXPECT_EQ(one.notes.front().message, "'votes_' is read here");
  }
}

TEST(DisclosureTest, IsFoundInADefinitionOutsideTheClass) {
  const Outcome outcome = parse_source(counting("[[autoshard::shard_method]] int f();"),
                                       "#include \"entity.h\"\nint Question::f() { return ++votes_; }\n");
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_NE(outcome.output.find("entity.cpp:2:21: error: shard method 'f' returns"), std::string::npos)
      << outcome.output;
}

TEST(DisclosureTest, OfAShardWriteIsFound) {
  const Outcome outcome = parse_text(
      counting("[[autoshard::shard_write]] int f() { const int old = votes_; votes_ = 0; return old; }"));
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-shard-method-disclosure");
}

}  // namespace
}  // namespace autoshard::tool
