/// Code that only looks as if a shard method, a fold or a neutral value had an effect, and code of which
/// nobody knows whether it has one.

#include "test/tool/diagnostics/hidden_effects.h"

namespace autoshard::tool {
namespace {

struct Harmless {
  std::string name;
  std::string before;
  std::string body;
};

void PrintTo(const Harmless& one, std::ostream* out) { *out << one.body; }

class LooksLikeAnEffectTest : public testing::TestWithParam<Harmless> {};

TEST_P(LooksLikeAnEffectTest, IsAcceptedWithoutAWord) {
  const Outcome outcome = parse_text(updating(GetParam().body, GetParam().before));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_EQ(outcome.output, "");
}

const Harmless kLookAlikes[] = {
    {"DefaultArgument",
     "inline constexpr int kStep = 2;\ninline int add(int n, int by = kStep) { return n + by; }\n",
     "votes_ += add(n);"},
    {"DefaultMemberInitialiser", "struct Entry { int n = 0; int weight = 2; };\n",
     "const Entry entry{n}; votes_ += entry.n * entry.weight;"},
    {"Constructor",
     "class Amount { public: explicit Amount(int n) : n_(n) { if (n_ < 0) n_ = 0; } int get() const { "
     "return n_; } private: int n_; };\n",
     "votes_ += Amount(n).get();"},
    {"Destructor",
     "struct Buffer { int* data; explicit Buffer(int n) : data(new int(n)) {} Buffer(const Buffer&) = "
     "delete; ~Buffer() { delete data; } };\n",
     "const Buffer buffer(n); votes_ += *buffer.data;"},
    {"Conversion", "struct Number { int n; operator int() const { return n; } };\n", "votes_ += Number{n};"},
    {"Operator",
     "struct Money { int cents; Money& operator+=(Money other) { cents += other.cents; return *this; } };\n",
     "Money sum{1}; sum += Money{n}; votes_ += sum.cents;"},
    {"Comparison",
     "#include <compare>\nstruct Key { int a; int b; auto operator<=>(const Key&) const = default; };\n",
     "votes_ += Key{n, 1} != Key{1, 2} && Key{n, 1} < Key{3, 4} ? 1 : 2;"},
    {"Functor", "struct Twice { int operator()(int n) const { return 2 * n; } };\n",
     "std::vector<int> all{n, 1}; std::transform(all.begin(), all.end(), all.begin(), Twice{}); votes_ += "
     "all[0];"},
    {"Comparator", "struct Greater { bool operator()(int a, int b) const { return a > b; } };\n",
     "std::vector<int> all{n, 1}; std::sort(all.begin(), all.end(), Greater{}); votes_ += all.front();"},
    {"ElementsOfASet",
     "struct Tag { std::string name; friend bool operator<(const Tag& a, const Tag& b) { return a.name < "
     "b.name; } };\n",
     "std::set<Tag> tags; tags.insert(Tag{std::to_string(n)}); votes_ += static_cast<int>(tags.size());"},
    {"HashOfElements",
     "struct Key { int n; bool operator==(const Key&) const = default; };\n"
     "template <> struct std::hash<Key> { std::size_t operator()(const Key& key) const { return "
     "static_cast<std::size_t>(key.n); } };\n",
     "std::unordered_set<Key> all; all.insert(Key{n}); votes_ += static_cast<int>(all.size());"},
    {"LambdaInAGlobal", "inline constexpr auto twice = [](int n) { return 2 * n; };\n",
     "votes_ += twice(n);"},
    {"LambdaInAVariable", "inline auto twice = [](int n) { return 2 * n; };\n", "votes_ += twice(n);"},
    {"LambdaThatCountsItself", "",
     "int calls = 0; const auto add = [&calls](int by) { ++calls; return by; }; votes_ += add(n) + calls;"},
    {"StdFunction", "",
     "const std::function<int(int)> twice = [](int x) { return 2 * x; }; votes_ += twice(n);"},
    {"FunctionOfAFunction",
     "inline int applied(const std::function<int(int)>& call, int n) { return call(n); }\n",
     "votes_ += applied([](int x) { return 2 * x; }, n);"},
    {"PointerToAFunction",
     "inline int twice(int n) { return 2 * n; }\ninline int (*const call)(int) = &twice;\n",
     "int (*local)(int) = &twice; votes_ += call(n) + local(n);"},
    {"OneOfTwoFunctions", "inline int twice(int n) { return 2 * n; }\ninline int same(int n) { return n; }\n",
     "votes_ += (n > 1 ? twice : same)(n);"},
    {"PointerToAMethod", "struct Sum { int n; int plus(int by) const { return n + by; } };\n",
     "const auto call = &Sum::plus; votes_ += (Sum{1}.*call)(n);"},
    {"ConstexprFunction", "constexpr int clamped(int n) { return n < 0 ? 0 : n > 9 ? 9 : n; }\n",
     "votes_ += clamped(n);"},
    {"ConstantTable",
     "inline const std::map<std::string, int> kWeights = {{\"like\", 1}, {\"share\", 5}};\n"
     "inline const std::array<int, 3> kSteps = {1, 2, 3};\ninline const char* const kNames[] = {\"a\", "
     "\"b\"};\n",
     "votes_ += kWeights.at(\"like\") * n + kSteps[1] + static_cast<int>(std::strlen(kNames[0]));"},
    {"ConstantOfAFunction",
     "inline int limit_of(int n) { return 2 * n; }\ninline const int kLimit = limit_of(7);\n",
     "votes_ += std::min(n, kLimit);"},
    {"TableInAFunction",
     "inline int weight_of(int n) { static const std::array<int, 4> kWeights = {1, 2, 4, 8}; return "
     "kWeights[static_cast<std::size_t>(n % 4)]; }\n",
     "votes_ += weight_of(n);"},
    {"TableThatNobodyChanges",
     "inline int weight_of(int n) { static int weights[] = {1, 2, 4, 8}; return weights[n & 3]; }\n",
     "votes_ += weight_of(n);"},
    {"SingletonOfConstants",
     "class Config { public: static const Config& get() { static const Config one; return one; } int "
     "weight() const { "
     "return weight_; } private: int weight_ = 3; };\n",
     "votes_ += n * Config::get().weight();"},
    {"SingletonThatCannotChange",
     "class Config { public: static Config& get() { static Config one; return one; } int weight() const { "
     "return "
     "weight_; } private: Config() = default; int weight_ = 3; };\n",
     "votes_ += n * Config::get().weight();"},
    {"SingletonThatIsHandedOutAsAConstant",
     "struct Prices { int step = 3; };\ninline const Prices& prices() { static Prices all; return all; }\n",
     "votes_ += n * prices().step;"},
    {"PointerToAConstant",
     "struct Prices { int step = 3; };\ninline constexpr Prices kPrices;\ninline const Prices* "
     "const prices = &kPrices;\n",
     "votes_ += n * prices->step;"},
    {"ConstCastOfALocal", "",
     "int sum = 0; const int& seen = sum; (void)seen; int own = n; const_cast<int&>(own) += 1; "
     "votes_ += own;"},
    {"AccessorInTwoForms",
     "class Row { public: const int& at(int i) const { return cells_[i]; } int& at(int i) { return "
     "const_cast<int&>(static_cast<const Row&>(*this).at(i)); } private: int cells_[3] = {1, 2, 3}; };\n",
     "Row row; row.at(1) = n; votes_ += row.at(1);"},
    {"WhatALocalPointsTo",
     "struct Handle { int* counter; };\ninline int bump(const Handle& handle, int n) { return "
     "*handle.counter += n; "
     "}\n",
     "int own = 0; const Handle handle{&own}; ++*handle.counter; votes_ += bump(handle, n);"},
    {"MutableMemberOfALocal",
     "class Parser { public: explicit Parser(int n) : n_(n) {} int value() const { if (known_ < 0) known_ = "
     "2 * n_; "
     "return known_; } private: int n_; mutable int known_ = -1; };\n",
     "const Parser parser(n); votes_ += parser.value();"},
    {"MethodThatAGenericLambdaCalls", "struct Entry { int n = 1; int twice() const { return 2 * n; } };\n",
     "const std::vector<Entry> all(3); int sum = n; std::for_each(all.begin(), all.end(), [&sum](const auto& "
     "entry) { sum += entry.twice(); }); votes_ += sum;"},
    {"EngineWithASeed", "",
     "std::mt19937 engine(static_cast<unsigned>(n)); votes_ += static_cast<int>(engine() % 2);"},
    {"LocalStream", "",
     "std::ostringstream out; out << n << std::endl; votes_ += static_cast<int>(out.str().size());"},
    {"FormatsByFmt",
     "namespace fmt { template <class... A> std::string format(const char* text, const A&... all); }\n",
     "votes_ += static_cast<int>(fmt::format(\"{}\", n).size());"},
    {"CharactersOfC", "",
     "std::string text = std::to_string(n); for (char& c : text) c = "
     "static_cast<char>(std::toupper(static_cast<unsigned "
     "char>(c))); votes_ += static_cast<int>(text.size()) + static_cast<int>(std::strtol(text.c_str(), "
     "nullptr, 10));"},
    {"SmartPointer", "struct Sum { int n = 0; void add(int by) { n += by; } };\n",
     "const auto sum = std::make_unique<Sum>(); sum->add(n); votes_ += sum->n;"},
    {"Recursion", "inline int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }\n",
     "votes_ += depth(n % 5);"},
    {"FinalVirtual",
     "struct Shape { virtual ~Shape() = default; virtual int area() const { return 1; } };\nstruct Square "
     "final : Shape { "
     "int side; explicit Square(int n) : side(n) {} int area() const override { return side * side; } };\n",
     "const Square square(n); votes_ += square.area();"},
    {"Builtins", "",
     "votes_ += __builtin_popcount(static_cast<unsigned>(n)) + (__builtin_expect(n > 0, 1) ? 1 : 2);"},
    {"Memory", "", "int copy = 0; std::memcpy(&copy, &n, sizeof copy); votes_ += copy;"},
};
INSTANTIATE_TEST_SUITE_P(LookAlikes, LooksLikeAnEffectTest, testing::ValuesIn(kLookAlikes),
                         [](const auto& one) { return one.param.name; });

/// Folds and neutral values that compute from constants.
TEST(FoldEffectTest, OfConstantsIsNone) {
  const std::string before =
      "inline constexpr int kStart = 0;\nconstexpr int start() { return kStart; }\ninline int added(int x, "
      "int y) { "
      "static const int kZero = 0; return x + y + kZero; }\n";
  for (const std::string& text :
       {folding("std::plus<>{}", "kStart", before), folding("added", "start()", before),
        folding("[](int x, int y) { return x + y + kStart; }", "int{}", before),
        folding_by("return added(x, y);", before)}) {
    const Outcome outcome = parse_text(text);
    EXPECT_TRUE(outcome.ok) << outcome.output;
    EXPECT_EQ(outcome.output, "");
  }
}

/// What a function of another header calls is read, too.
TEST(HiddenEffectTest, IsFoundInAnotherHeader) {
  const std::string entity =
      "#include \"sum.h\"\n" +
      question("[[autoshard::shard_method]] void f(int n) { require(n > 0); votes_ += added(n); }",
               "[[autoshard::shardable(neutral = 0, shards = 2, fold = sum)]] int sum_ = 0;");
  const std::string sum =
      "#pragma once\n#include \"more.h\"\ninline int added(int n) { return Sum{1}.plus(n); }\n"
      "inline int sum(int x, int y) { return twice(x) + y - x; }\n"
      "inline void require(bool ok) { if (!ok) throw 1; }\n";
  const std::string more =
      "#pragma once\nstruct Sum { int n; int plus(int by) const { return n + by; } };\n"
      "template <class T> T twice(T n) { return n + n; }\n"
      "inline int unused(int n) { return n; }\n";
  const Outcome right = parse_texts({{"entity.h", entity}}, {{"sum.h", sum}, {"more.h", more}});
  EXPECT_TRUE(right.ok) << right.output;
  EXPECT_EQ(right.output, "");

  std::string acting = more;
  acting.replace(acting.find("return n + by"), 6, "static int calls = 0; return ++calls +");
  const Outcome wrong = parse_texts({{"entity.h", entity}}, {{"sum.h", sum}, {"more.h", acting}});
  EXPECT_FALSE(wrong.ok);
  EXPECT_NE(wrong.output.find("calls 'added', which calls 'plus', which changes the variable 'calls'"),
            std::string::npos)
      << wrong.output;
}

/// A body of another header may not compile before the classes are generated.
TEST(HiddenEffectTest, LeavesBodiesOutThatDoNotCompile) {
  const std::string entity =
      "#include \"sum.h\"\n" + question("[[autoshard::shard_method]] void f(int n) { votes_ += added(n); }");
  const Outcome outcome = parse_texts(
      {{"entity.h", entity}}, {{"sum.h", "#pragma once\ninline int added(int n) { return n + later; }\n"}});
  EXPECT_TRUE(outcome.ok) << outcome.output;
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_NE(outcome.output.find(
                "calls 'added', whose body is in a header that is not read, so it may have an effect"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("later'"), std::string::npos) << outcome.output;
}

/// What is called is not known before it runs.
const Harmless kUnknown[] = {
    {"VirtualMethod",
     "struct Event { virtual ~Event() = default; virtual int weight() const { return 1; } };\n",
     "calls the virtual 'weight', which a derived class may override, so it may have an effect"},
    {"PureVirtualMethod", "struct Event { virtual ~Event() = default; virtual int weight() const = 0; };\n",
     "calls the virtual 'weight'"},
    {"FunctionInAMember", "struct Event { std::function<int()> weight; };\n",
     "calls the function in 'weight', which is only known when it runs, so it may have an effect; call it "
     "before, "
     "and pass its result"},
    {"PointerInAMember", "struct Event { int (*weight)(); };\n", "calls the function in 'weight'"},
};

class UnknownCallTest : public testing::TestWithParam<Harmless> {};

TEST_P(UnknownCallTest, IsWarnedOf) {
  const Outcome outcome = parse_text(with_headers(
      GetParam().before +
      question("[[autoshard::shard_method]] void f(const Event& event) { votes_ += event.weight(); }")));
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-shard-method-unseen-call");
  EXPECT_NE(outcome.diagnostics.front().message.find(GetParam().body), std::string::npos) << outcome.output;
}
INSTANTIATE_TEST_SUITE_P(Unknown, UnknownCallTest, testing::ValuesIn(kUnknown),
                         [](const auto& one) { return one.param.name; });

/// A fold may call what was not read, too.
TEST(FoldEffectTest, IsWarnedOfWhereItIsUnknown) {
  const Outcome outcome = parse_text(folding_by("return rounded(x) + y;", "int rounded(int n);\n"));
  ASSERT_FALSE(outcome.diagnostics.empty());
  EXPECT_EQ(outcome.diagnostics.front().rule, "autoshard-shard-method-unseen-call") << outcome.output;
  EXPECT_TRUE(outcome.diagnostics.front().message.starts_with(
      "shard fold 'sum' calls 'rounded', which is only declared"))
      << outcome.output;
}

}  // namespace
}  // namespace autoshard::tool
