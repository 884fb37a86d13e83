/// Headers in which nothing is wrong.

#include <gtest/gtest.h>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

struct Case {
  std::string name;
  std::string source;
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.source; }

class AcceptedTest : public testing::TestWithParam<Case> {};

TEST_P(AcceptedTest, HasNoDiagnostic) {
  const Outcome outcome = parse_text(GetParam().source);
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_EQ(outcome.output, "");
}

std::string updating(const std::string& method) { return question("[[autoshard::shard_method]] " + method); }

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (; times > 0; --times) all += text;
  return all;
}

std::string name_of(const testing::TestParamInfo<Case>& info) { return info.param.name; }

const Case kCases[] = {
    {"Simple", question("")},
    {"GlobalNamespace", question("[[autoshard::shard_method]] void up() { ++votes_; }")},
    {"NestedNamespaces", "namespace a::b { inline namespace c {\n" + question("") + "}}"},
    {"Overloads", question("[[autoshard::shard_method]] void up() { ++votes_; }\n"
                           "[[autoshard::shard_method]] void up(int n) { votes_ += n; }")},
    {"Macros",
     "#define HOT(n) [[autoshard::shardable(neutral = 0, shards = n)]]\n#define UPDATE "
     "[[autoshard::shard_method]]\n" +
         question("UPDATE void f() { ++likes_; }", "HOT(4) int likes_ = 0;")},
    {"MacroWithTheType",
     "#define COUNTER(name) [[autoshard::shardable(neutral = 0, shards = 4)]] int name = 0\n" +
         question("[[autoshard::shard_method]] void f() { ++likes_; }", "COUNTER(likes_);")},
    {"Conditionals",
     question("#if 1\n[[autoshard::shard_method]] void f() { ++votes_; }\n#else\nnonsense\n#endif")},
    {"UsingForm", question("", "[[using autoshard: shardable(neutral = 0, shards = 2)]] int x_ = 0;")},
    {"TemporariesInBraces",
     "#include <algorithm>\n#include <array>\n#include <functional>\n#include <string>\n#include "
     "<type_traits>\n#include <vector>\nstruct Step { std::string name; int by = 1; };\n" +
         question(
             "[[autoshard::shard_method]] void a(const std::string& x) { votes_ += "
             "static_cast<int>(std::hash<std::string>{}(x) % 3); }\n"
             "[[autoshard::shard_method]] void b(int n) { votes_ += std::plus<int>{}(n, std::negate<>{}(n)); "
             "}\n"
             "[[autoshard::shard_method]] void c(std::vector<int> n) { std::sort(n.begin(), n.end(), "
             "std::greater<int>{}); votes_ += n.front(); }\n"
             "static int kind(std::true_type) { return 1; }\nstatic int kind(std::false_type) { return 2; }\n"
             "[[autoshard::shard_method]] void d() { votes_ += kind(std::is_integral<int>{}); }\n"
             "[[autoshard::shard_method]] void e(const std::string& x) { const auto all = std::array<Step, "
             "2>{Step{x, 2}, Step{x}}; votes_ += all[1].by; }\n"
             "[[autoshard::shard_method]] void f(int n) { const Step one{.name = {}, .by = n}, "
             "all[]{{}, {\"x\", 3}, one}; votes_ += all[2].by; }\n"
             "[[autoshard::shard_method]] void g(int n) { const auto add = []<class T>(T x) { return "
             "std::plus<T>{}(x, T{}); }; votes_ += add(n); }")},
    {"ListInParenthesesInATemplate",
     "#include <utility>\n" +
         question(
             "int a(int n) const { return [this]<class T>(T x) { std::pair<T, T> two(votes_, x); return "
             "two.first; }(n); }\n[[autoshard::shard_method]] void f(int n) { votes_ += [this]<class T>(T "
             "x) { std::pair<T, T> two(votes_, x); return two.second; }(n); }")},
    {"ReadsInALongConstant",
     "constexpr int sum(int n) { int s = 0; for (int i = 0; i < n; ++i) s += i % 7; return s; }\n" +
         question("[[autoshard::shard_method]] void f(int n) { votes_ += n" +
                  repeated(" + sum(300'000)", 40) + "; }")},
    {"ReadsIntoAListInBraces",
     "#include <set>\n#include <string>\nstruct Both { std::set<int> all; int sum; };\nstruct Merge { "
     "template "
     "<class M> M operator()(M a, const M& b) const { a.insert(b.begin(), b.end()); return a; } "
     "};\n" +
         question("int a() { Both both{all_, votes_}; return both.sum; }",
                  "[[autoshard::shardable(neutral = {}, shards = 2, fold = Merge{})]] std::set<int> all_;")},
    {"MixedList", question("[[nodiscard, autoshard::shard_method]] int f() { ++votes_; return 1; }")},
    {"NoDefaultConstructor", question("explicit Question(int id) : id_(id), votes_(3) { votes_ = 4; }\n"
                                      "Question& operator=(const Question& other) = default;")},
    {"ConstructorsThatTakeFromAnother",
     "#include <utility>\n" + question("Question() = default;\nQuestion(int id, Question&& from) : id_(id), "
                                       "votes_(std::exchange(from.votes_, 0)) "
                                       "{ from.votes_ = 0; }\n"
                                       "explicit Question(int id) : id_(id) { Question other; other.votes_ = "
                                       "2; votes_ = other.votes_; }")},
    {"Struct", "struct [[autoshard::entity]] S { [[autoshard::id]] int id; int x = 3; };"},
    {"Transient",
     question("", "[[autoshard::transient]] int* x_ = nullptr; [[autoshard::transient]] const int y_ = 1;")},
    {"Reads",
     question("int a() { return votes_; }\nint b() { const int& v = votes_; return v + votes_ * 2; }\n"
              "bool c() { return votes_ > 1 || static_cast<long>(votes_) < 3 || sizeof(votes_) > 2; }\n"
              "static void d(Question& q) { q.plain_ = q.votes_; }\nvoid e() { plain_ = votes_; }")},
    {"ReadsOfContainer",
     "#include <map>\n#include <string>\n#include <utility>\nstruct Merge { template <class M> M "
     "operator()(M a, const M& b) const { for (const auto& [k, v] : b) a[k] += v; return a; } };\n" +
         question(
             "int a() const { return m_.at(\"x\"); }\nint b() { int s = 0; for (const auto& [k, v] : m_) s "
             "+= v; "
             "return s + static_cast<int>(std::as_const(m_).size()); }",
             "[[autoshard::shardable(neutral = std::map<std::string, int>{}, shards = 2, fold = Merge{})]] "
             "std::map<std::string, int> m_;")},
    {"ReturnsSelf", updating("Question& f() & noexcept { ++votes_; return *this; }")},
    {"ReturnsSelfPointer", updating("Question* f() { ++votes_; return this; }")},
    {"ReturnsCopy", updating("Question f() { ++votes_; return *this; }")},
    {"ReturnsValue", updating("[[nodiscard]] auto f(int n = 2) -> int { this->votes_ += n; return n; }")},
    {"FunctionTry", updating("void f() try { ++votes_; } catch (...) { throw; }")},
    {"CallsShardMethod", question("[[autoshard::shard_method]] void up() { ++votes_; }\n"
                                  "[[autoshard::shard_method]] void twice() { up(); this->up(); }\n"
                                  "void plain() { up(); }")},
    {"CallsStaticHelper", question("static int two() { return kTwo; }\nstatic constexpr int kTwo = 2;\n"
                                   "[[autoshard::shard_method]] void f() { votes_ += two() + kTwo; }")},
    {"LambdaOnSharded", updating("void f() { auto add = [&](int n) { votes_ += n; }; add(1); add(2); }")},
    {"ReadsAnother", updating("void f(const Question& other) { votes_ += other.votes_; }")},
    {"ShardsByName",
     "namespace limits { constexpr unsigned kMany = 64; enum Sizes { kFew = 2 }; }\n" +
         question("static constexpr int kShards = 8;",
                  "[[autoshard::shardable(neutral = 0, shards = kShards)]] int a_ = 0;\n"
                  "[[autoshard::shardable(neutral = 0, shards = limits::kMany)]] int b_ = 0;\n"
                  "[[autoshard::shardable(neutral = 0, shards = ::limits::kFew)]] int c_ = 0;\n"
                  "[[autoshard::shardable(neutral = 0, shards = 0x1'0u)]] int d_ = 0;")},
    {"ShardsByExpression",
     question(
         "static constexpr int twice(int n) { return 2 * n; }",
         "static constexpr int kN = 3;\n"
         "[[autoshard::shardable(neutral = 0, shards = 1 << 4)]] int a_ = 0;\n"
         "[[autoshard::shardable(neutral = 0, shards = twice(kN) + (sizeof(int) > 1 ? 1 : 0))]] int b_ = "
         "0;\n[[autoshard::shardable(neutral = 0, shards = static_cast<unsigned>(kN))]] int c_ = 0;")},
    {"ReadsInTemplates",
     question("template <class A> void save(A& a) const { a & plain_ & votes_; }\n"
              "template <class T> static int f(const T& t) { return t.votes_.size() + t.votes_; }\n"
              "template <class T> int g(T t) { return t + votes_; }\n"
              "void h() { [](const auto& q) { return q.votes_; }(*this); }")},
    {"ListInParenthesesInAGenericLambda",
     "#include <utility>\n" +
         updating(
             "void f(int n) { auto add = [](auto zero, int k) { std::pair<decltype(zero), int> both(1, 2); "
             "return both.second - 2 + k; }; votes_ += add(0, n); }")},
    {"PropertyWithTheNameOfItsClass",
     "class [[autoshard::entity]] Q { [[autoshard::id]] int id_ = 0; int Q = 0; };"},
    {"NamesOfTheShardElsewhere",
     "namespace limits { inline constexpr int max_seats = 1000; }\ninline constexpr int max_seats = 7;\n" +
         question("int most() const { return max_seats; }",
                  "[[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{}, max = "
                  "limits::max_seats)]] "
                  "int seats = 0;")},
    {"ReturnsOwners",
     "#include <memory>\n#include <optional>\n#include <string>\n#include <vector>\n" +
         question("[[autoshard::shard_method]] std::unique_ptr<int> a() { ++votes_; return nullptr; }\n"
                  "[[autoshard::shard_method]] std::optional<std::vector<std::string>> b() { ++votes_; "
                  "return {}; }\n"
                  "[[autoshard::shard_method]] auto c(int n) { ++votes_; return [n] { return n; }; }")},
    {"StaticConstant",
     updating("void f(int n) { static constexpr int kWeights[] = {1, 5}; static const int kMost "
              "= 3; votes_ += kWeights[n > kMost ? 1 : 0]; }")},
    {"LocalClass",
     updating("void f(int n) { struct Half { int v; int get() const { return v / 2; } void add(int "
              "x) { this->v += x; } }; Half h{n}; h.add(1); votes_ += h.get(); }")},
    {"ReturnsWhatReturnsSelf",
     question("[[autoshard::shard_method]] Question& operator+=(int n) { votes_ += n; return *this; }\n"
              "[[autoshard::shard_method]] Question& operator-=(int n) { return *this += -n; }\n"
              "[[autoshard::shard_method]] Question& add(int n) { return this->operator+=(n); }\n"
              "[[autoshard::shard_method]] Question twice(int n) { return add(2 * n); }")},
    {"SharesConstants",
     "#include <map>\n#include <memory>\n#include <span>\n#include <string>\n#include <vector>\n" +
         updating("void f(std::span<const int> a, std::shared_ptr<const int> b, const std::vector<const "
                  "char*>& c, "
                  "const std::map<int, std::string>& d) { votes_ += a[0] + *b + static_cast<int>(c.size() + "
                  "d.size()); }")},
    {"FriendTemplates",
     "template <class T> struct Loader;\n" +
         question("template <class T> friend struct Loader; template <class T> friend class Later;") +
         "template <class T> struct Loader { static int f(const Question& q) { return q.votes_; } };"},
    {"FoldOfATemplate",
     "#include <algorithm>\n" +
         question(
             "[[autoshard::shard_method]] void at(int n) { x_ = std::max(x_, n); }",
             "[[autoshard::shardable(neutral = -2147483647 - 1, shards = 2, fold = std::max<int>)]] int x_ = "
             "-2147483647 - 1;")},
    {"UnevaluatedThis", updating("void f() { votes_ += sizeof(*this) > 1 && alignof(decltype(votes_)) > 0 && "
                                 "noexcept(*this) ? 1 : 1; }")},
    {"MovedOnly",
     "struct Handle { Handle() = default; Handle(Handle&&) = default; };\n"
     "struct Pinned { Pinned(const Pinned&) = delete; Pinned() = default; };\n" +
         question("Question() = default; Question(Question&&) = default;",
                  "[[autoshard::transient]] Handle x_; [[autoshard::transient]] Pinned* y_ = nullptr;")},
    {"NothingToMove",
     "struct Base { Base() = default; Base(int); Base(const Base&) = default; };\n"
     "class [[autoshard::entity]] Q : protected Base { public: Q() : Base(1) {} private: "
     "[[autoshard::id]] int id_ = 0; [[autoshard::transient]] Base x_{1}; };"},
    {"FoldForms",
     question("[[autoshard::shard_fold(a_)]] static double f(const double& x, double&& y) { return x + y; }",
              "[[autoshard::shardable(neutral = 0.0, shards = 2)]] double a_ = 0;\n"
              "[[autoshard::shardable(neutral = 0, shards = 2, fold = [](int x, int y) { return x > y ? x : "
              "y; })]] int b_ = 0;")},
    {"FoldThroughAlias",
     "using Votes = long;\n" +
         question("[[autoshard::shard_fold]] static long f(long x, long y) { return x + y; }",
                  "[[autoshard::shardable(neutral = 0, shards = 2)]] Votes a_ = 0;")},
    {"Types",
     "#include <array>\n#include <chrono>\n#include <map>\n#include <optional>\n#include <set>\n#include "
     "<string>\n"
     "#include <unordered_map>\n#include <utility>\n#include <vector>\n"
     "enum class Colour { kRed };\nstruct Inner { std::string text; Colour colour = Colour::kRed; };\n"
     "struct Tree { int value = 0; std::vector<Tree> children; std::optional<Inner> inner; };\n" +
         question(
             "enum Level { kLow };",
             "bool a_ = true; double b_ = 0; char c_ = 0; Colour d_ = Colour::kRed; Level e_ = kLow; "
             "std::string f_;\n"
             "std::optional<int> g_; std::vector<std::string> h_; std::array<int, 3> i_; std::map<int, "
             "Inner> j_;\n"
             "std::unordered_map<std::string, int> k_; std::set<int> l_; std::pair<int, Tree> m_; Tree n_;\n"
             "std::chrono::system_clock::time_point o_; std::chrono::milliseconds p_;")},
    {"MoreTypes",
     "#include <deque>\n#include <list>\n#include <memory>\n#include <string>\n#include <tuple>\n#include "
     "<unordered_set>\n#include <variant>\n#include <vector>\n"
     "struct Link { int value = 0; std::unique_ptr<Link> next; };\n"
     "template <class T> struct Range { T from{}; T to{}; };\ntemplate <class T> using Ranges = "
     "std::list<Range<T>>;\n" +
         question("",
                  "std::variant<std::monostate, int, std::vector<std::string>> a_; std::tuple<> b_; "
                  "std::tuple<int, std::tuple<Link>> c_; std::deque<std::list<int>> d_; "
                  "std::unordered_set<std::string> e_; std::unique_ptr<std::vector<Link>> f_; "
                  "std::monostate g_; Ranges<double> h_;")},
    {"FormerNames",
     question(
         "",
         "[[autoshard::also_load(\"a\"), autoshard::also_load(\"b\", \"c\")]] int x_ = 0;\n"
         "[[autoshard::also_load(\"ups\"), autoshard::shardable(neutral = 0, shards = 2)]] int y_ = 0;")},
    {"Ids",
     "#include <array>\n#include <cstddef>\n#include <string>\nstruct Number { int value; };\n"
     "struct Uuid { std::array<unsigned char, 16> bytes; };\nenum Area : short { kNorth };\n"
     "class [[autoshard::entity]] E {\n [[autoshard::id]] Number a_; [[autoshard::id]] Uuid b_; "
     "[[autoshard::id]] Area c_;\n [[autoshard::id]] std::string d_; [[autoshard::id]] std::array<std::byte, "
     "4> e_; [[autoshard::id]] bool f_; };"},
    {"Coded",
     "#include <vector>\nclass Money { public: Money() = default; explicit Money(int); private: int cents_ "
     "= 0; };\nnamespace autoshard { template <class T> struct Codec; }\n"
     "template <> struct autoshard::Codec<Money>;\n" +
         question("", "Money a_; std::vector<Money> b_;")},
    {"CodedForATemplate",
     "#include <vector>\ntemplate <class T> class Series { public: Series() = default; private: "
     "std::vector<T> of_; };\n"
     "namespace autoshard { template <class T> struct Codec; }\n"
     "template <class T> struct autoshard::Codec<Series<T>>;\n" +
         question("", "Series<int> a_; std::vector<Series<double>> b_;")},
    {"SystemsOwnAttributes",
     "[[gnu::unused]] inline int x; [[nodiscard]] int f(); struct [[deprecated]] D {};\n" + question("")},
    {"OtherScopeOfSameName",
     "namespace autoshard { enum { id }; inline int f(int a) { int b[2] = {a, id}; return b[autoshard::id]; "
     "} }"},
};
INSTANTIATE_TEST_SUITE_P(All, AcceptedTest, testing::ValuesIn(kCases), name_of);

/// Only the common name is warned of.
TEST(AcceptedTest, HiddenStaticThatNobodyCalls) {
  const Outcome outcome =
      parse_text(question("[[autoshard::shard_method]] void add(long n) { votes_ += static_cast<int>(n); }\n"
                          "static int add(const char*);\nvoid f() { plain_ = add(\"\"); }\n"
                          "[[autoshard::shard_method]] void g() { votes_ += Question::scaled(1.5); }\n"
                          "[[autoshard::shard_method]] void scaled(int n) { votes_ += n; }\n"
                          "static int scaled(double x) { return static_cast<int>(x); }"));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  ASSERT_EQ(outcome.diagnostics.size(), 2U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics[0].rule, "autoshard-shard-method-name");
  EXPECT_EQ(outcome.diagnostics[1].rule, "autoshard-shard-method-name");
}

TEST(AcceptedTest, MethodDeclaredByAnAliasOfAFunctionType) {
  const Outcome outcome = parse_text(question("using Action = void(int, long);\nAction other;") +
                                     "inline void Question::other(int x, long y) { (void)(x + y); }\n");
  EXPECT_TRUE(outcome.ok) << outcome.output;
}

TEST(AcceptedTest, EntityInAnIncludedHeader) {
  const std::string outer =
      "#pragma once\n#include \"inner.h\"\nclass Inner;\n" + question("int inner() { return Inner().id(); }");
  const std::string inner =
      "#pragma once\nclass [[autoshard::entity]] Inner {\n public:\n  int id() const { return id_; }\n "
      "private:\n  "
      "[[autoshard::id]] int id_ = 0;\n};\n";
  for (const bool both : {true, false}) {
    const Outcome outcome = both ? parse_texts({{"outer.h", outer}, {"inner.h", inner}})
                                 : parse_texts({{"outer.h", outer}}, {{"inner.h", inner}});
    ASSERT_TRUE(outcome.ok) << outcome.output;
    EXPECT_EQ(outcome.model.entities.size(), both ? 2U : 1U);
    // Before the name of a header that another run generates stands an #error for the case that none does.
    ASSERT_EQ(outcome.model.files[0].include_edits.size(), both ? 1U : 2U);
    EXPECT_EQ(outcome.model.files[0].include_edits.back().text, "\"inner.autoshard.h\"");
    EXPECT_EQ(outcome.model.files[0].forward_declarations.size(), 1U);
  }
}

TEST(AcceptedTest, MappedBaseInAnIncludedHeader) {
  const std::string entity =
      "#pragma once\n#include \"base.h\"\nclass Base;\n"
      "class [[autoshard::entity]] Question : public Base { int x_ = 0; };\n";
  const std::string base =
      "#pragma once\nclass [[autoshard::mapped]] Base {\n protected:\n  [[autoshard::id]] int id_ = 0;\n};\n";
  for (const bool both : {true, false}) {
    const Outcome outcome = both ? parse_texts({{"entity.h", entity}, {"base.h", base}})
                                 : parse_texts({{"entity.h", entity}}, {{"base.h", base}});
    ASSERT_TRUE(outcome.ok) << outcome.output;
    EXPECT_EQ(outcome.model.parts.size(), both ? 1U : 0U);
    EXPECT_EQ(outcome.model.entities.at(0).inherited.at(0).owner, "::Base");
    // Before the name of a header that another run generates stands an #error for the case that none does.
    ASSERT_EQ(outcome.model.files[0].include_edits.size(), both ? 1U : 2U);
    EXPECT_EQ(outcome.model.files[0].include_edits.back().text, "\"base.autoshard.h\"");
    EXPECT_EQ(outcome.model.files[0].forward_declarations.size(), 1U);
  }
}

TEST(AcceptedTest, LambdaInARequiresExpressionOfAnUpdate) {
  const Outcome outcome = prove_text(R"(#include <concepts>
#include <functional>
#include <vector>
template <class T> concept Small = sizeof(T) <= 4;
struct Point { int x = 0; int y = 0; };
namespace q {
class [[autoshard::entity]] Question {
 public:
  [[autoshard::shard_method]] void vote() {
    [[maybe_unused]] auto [one, other] = Point{1, static_cast<int>(requires {
      requires Small<int>;
      { static_cast<int>([] { if consteval { return 1; } else { return 2; } }()) } -> std::convertible_to<int>;
    })};
    if (one > 0) ++votes_;
  }

 private:
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]] int votes_ = 0;
};
}
)");
  EXPECT_TRUE(outcome.ok) << outcome.output;
}

TEST(AcceptedTest, WarningsAndFlagsOfOtherCompilersAreNoErrors) {
  const Outcome outcome =
      parse_text("inline int f(int unused) { int x; return x; }\n" + question(""),
                 {"-Wall", "-Werror", "-Wno-such-warning-of-gcc", "-fno-such-flag", "-std=c++23", "-O2", "-c",
                  "-o", "x.o", "-MMD", "other.cpp", "-Werror=unknown-attributes"});
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_EQ(outcome.output, "");
}

}  // namespace
}  // namespace autoshard::tool
