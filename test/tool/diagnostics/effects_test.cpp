/// Which shard methods do more than their update, and which only look as if they did.

#include <algorithm>
#include <set>

#include "test/tool/diagnostics/rule_case.h"

namespace autoshard::tool {
namespace {

/// A question with one more shard method, of this body, and `before` it.
std::string updating(const std::string& body, const std::string& before = "") {
  return with_headers(before + question("[[autoshard::shard_method]] void f(int n) { " + body + " }"));
}

const RuleCase kEffects[] = {
    {"Prints", "shard-method-effect", updating("votes_ += n; ^std::printf(\"%d\", n);"),
     "shard method 'f' calls 'printf', but it runs more than once for one update", ""},
    {"Streams", "shard-method-effect", updating("votes_ += n; ^std::cout << n;"),
     "changes the variable 'cout'", ""},
    {"DrawsRandomNumbers", "shard-method-effect", updating("votes_ += ^std::rand() % (n + 1);"),
     "calls 'rand'", ""},
    {"LooksAtTheClock", "shard-method-effect",
     updating("votes_ += static_cast<int>(^std::time(nullptr)) + n;"), "calls 'time'", ""},
    {"LooksAtTheClockOfCpp", "shard-method-effect",
     updating(
         "votes_ += static_cast<int>(^std::chrono::steady_clock::now().time_since_epoch().count()) + n;"),
     "calls 'now'", ""},
    {"CountsItsCalls", "shard-method-effect", updating("votes_ += n; ++^calls;", "inline int calls = 0;\n"),
     "changes the variable 'calls'", ""},
    {"CountsItsCallsInAClass", "shard-method-effect",
     updating("votes_ += n; ^Stats::calls += n;", "struct Stats { inline static int calls = 0; };\n"),
     "changes the variable 'calls'", ""},
    {"AddsToAGlobalText", "shard-method-effect",
     updating("votes_ += n; ^text.append(\"f\");", "inline std::string text;\n"),
     "changes the variable 'text'", ""},
    {"CallsWhatPrints", "shard-method-effect",
     updating("votes_ += n; ^tell(n);", "inline void tell(int n) { std::cout << n; }\n"), "calls 'tell'", ""},
    {"CallsForNoResult", "shard-method-effect", updating("votes_ += n; ^tell(n);", "void tell(int n);\n"),
     "calls 'tell'", ""},
    {"InALambda", "shard-method-effect", updating("votes_ += n; [&] { ^std::puts(\"x\"); }();"),
     "calls 'puts'", ""},
    {"ChangesASingleton", "shard-method-effect",
     updating("votes_ += n; ^Log::get().add(n);",
              "struct Log { static Log& get(); void add(int n) { sum += n; } int sum = 0; };\n"),
     "changes what 'get' returns", ""},
    {"ChangesWhatAGlobalPointsTo", "shard-method-effect",
     updating("votes_ += n; ^metrics->hit();", "struct Metrics { void hit(); };\nextern Metrics* metrics;\n"),
     "changes what 'metrics' points to", ""},
    {"TakesATicketFromWhatAGlobalPointsTo", "shard-method-effect",
     updating("votes_ += n + (*^metrics).ticket();",
              "struct Metrics { int ticket() { return ++last; } int last = 0; };\nextern Metrics* const "
              "metrics;\n"),
     "changes what 'metrics' points to", ""},
    {"ChangesWhatAGlobalOwns", "shard-method-effect",
     "#include <memory>\n" +
         updating("votes_ += n; ^metrics->hit();",
                  "struct Metrics { void hit(); };\nextern std::unique_ptr<Metrics> metrics;\n"),
     "changes what 'metrics' points to", ""},
    {"ChangesASharedSingleton", "shard-method-effect",
     "#include <memory>\n" +
         updating("votes_ += n; ^metrics()->hit();",
                  "struct Metrics { void hit(); };\nstd::shared_ptr<Metrics> metrics();\n"),
     "changes what 'metrics' returns", ""},
    {"Logs", "shard-method-effect",
     updating("votes_ += n; ^info(\"added %d\", n);",
              "template <class... Args> void info(const char* format, Args&&... args);\n"),
     "calls 'info'", ""},
    {"ConvertsInAListInBraces", "shard-method-effect",
     updating(
         "const Box box{^n}; votes_ += box.inner.n;",
         "struct Loud { Loud(int x) : n(x) { std::puts(\"x\"); } int n; };\nstruct Box { Loud inner; };\n"),
     "makes a 'Loud'", ""},
    {"WritesAFile", "shard-method-effect",
     "#include <fstream>\n" + updating("votes_ += n; std::ofstream ^file(\"x\");"),
     "makes a 'basic_ofstream'", ""},
};
INSTANTIATE_TEST_SUITE_P(Effects, RuleTest, testing::ValuesIn(kEffects), name_of);

struct Harmless {
  std::string name;
  std::string body;
  std::string before;
};

void PrintTo(const Harmless& one, std::ostream* out) { *out << one.body; }

class HarmlessTest : public testing::TestWithParam<Harmless> {};

TEST_P(HarmlessTest, IsNoEffect) {
  const Outcome outcome = parse_text(updating(GetParam().body, GetParam().before));
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_EQ(outcome.output, "");
}

const Harmless kHarmless[] = {
    {"Maximum", "votes_ += std::max(n, 0);", ""},
    {"Mathematics", "votes_ += static_cast<int>(std::floor(std::sqrt(static_cast<double>(n < 0 ? 0 : n))));",
     ""},
    {"LocalStream", "std::ostringstream out; out << n; votes_ += static_cast<int>(out.str().size());", ""},
    {"LocalText",
     "std::string text = std::to_string(n); text += 'x'; votes_ += static_cast<int>(text.size());", ""},
    {"Constants", "votes_ += n + kStep + *std::max_element(kSteps, kSteps + 2);",
     "constexpr int kStep = 1;\nconst int kSteps[] = {1, 2};\n"},
    {"LocalPointer", "Sum sum; Sum* const to = &sum; to->add(n); votes_ += sum.total;",
     "struct Sum { void add(int n) { total += n; } int total = 0; };\n"},
    {"ReadsWhatAConstantPointsTo", "votes_ += limits->least() + n;",
     "struct Limits { int least() const { return 1; } };\ninline constexpr Limits kLimits;\n"
     "inline const Limits* const limits = &kLimits;\n"},
    {"LocalObject", "Sum sum; sum.add(n); votes_ += sum.total;",
     "struct Sum { void add(int n) { total += n; } int total = 0; };\n"},
    {"Throws", "if (n < 0) std::abort(); votes_ += n;", ""},
    {"Lambda", "const auto twice = [](int x) { return 2 * x; }; votes_ += twice(n);", ""},
    {"Random", "Lcg engine{static_cast<unsigned>(n)}; votes_ += static_cast<int>(engine() % 2);",
     "struct Lcg { unsigned state; unsigned operator()() { return state = state * 1664525 + 1013904223; } "
     "};\n"},
};
const Harmless kUnderstood[] = {
    {"MarkedAsPure", "votes_ += rounded(n) + known(n);",
     "[[gnu::pure]] int rounded(int n);\n[[gnu::const]] int known(int n);\n"},
    {"AccessorWithABody", "votes_ += limit() + n;",
     "inline const int most = 7;\ninline int limit() { return most; }\n"},
    {"TemplateWithABody", "votes_ += twice(n);", "template <class T> T twice(T n) { return n + n; }\n"},
    {"OfC", "char text[9] = \"1\"; votes_ += std::atoi(text) + toupper('a') + n;", ""},
    {"Operator", "votes_ += (Money{n} + Money{1}).cents;",
     "struct Money { int cents; };\ninline Money operator+(Money a, Money b) { return {a.cents + b.cents}; "
     "}\n"},
    {"AsksAnObject", "votes_ += Clock{n}.hours();",
     "struct Clock { int start; int hours() const { return start / 60; } };\n"},
    {"PureMethod", "votes_ += Clock{n}.hours();",
     "struct Clock { int start; [[gnu::pure]] int hours() const; };\n"},
    {"NotEvaluated", "votes_ += n + static_cast<int>(sizeof(next_ticket()));", "int next_ticket();\n"},
};
INSTANTIATE_TEST_SUITE_P(Understood, HarmlessTest, testing::ValuesIn(kUnderstood),
                         [](const auto& one) { return one.param.name; });

/// What is called is only declared, so that nobody knows.
class UnseenTest : public testing::TestWithParam<Harmless> {};

TEST_P(UnseenTest, IsWarnedOf) {
  const Marked marked = take_marks(updating(GetParam().body, GetParam().before));
  const Outcome outcome = parse_text(marked.text);
  EXPECT_TRUE(outcome.ok) << outcome.output;
  ASSERT_EQ(outcome.diagnostics.size(), 1U) << outcome.output;
  const Diagnostic& found = outcome.diagnostics.front();
  EXPECT_EQ(found.rule, "autoshard-shard-method-unseen-call");
  EXPECT_EQ(found.severity, Diagnostic::Severity::kWarning);
  EXPECT_EQ(found.span.begin, marked.marks.back()) << outcome.output;
  EXPECT_NE(found.message.find("so it may have an effect; mark it [[gnu::pure]] if it only computes"),
            std::string::npos);
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_EQ(found.notes.front().span.begin, marked.marks.front()) << outcome.output;
  EXPECT_NE(outcome.output.find("name its source with --source"), std::string::npos) << outcome.output;
}

const Harmless kUnseen[] = {
    {"Ticket", "votes_ += ^next_ticket() + n;", "int ^next_ticket();\n"},
    {"Hash", "votes_ += ^hash(std::to_string(n));", "int ^hash(const std::string& text);\n"},
    {"FillsAnArgument", "int sum = 0; ^fill(n, sum); votes_ += sum;", "void ^fill(int n, int& to);\n"},
    {"StaticMethod", "votes_ += ^Tickets::next() + n;", "struct Tickets { static int ^next(); };\n"},
    {"Template", "votes_ += ^drawn(n);", "template <class T> T ^drawn(T most);\n"},
    {"Operator", "votes_ += (Money{n} ^+ Money{1}).cents;",
     "struct Money { int cents; };\nMoney ^operator+(Money a, Money b);\n"},
    {"AsksAnObject", "votes_ += ^Clock{n}.hours();", "struct Clock { int start; int ^hours() const; };\n"},
    {"ThroughAnother", "votes_ += ^another() + n;",
     "int ^next_ticket();\ninline int another() { return next_ticket(); }\n"},
};
INSTANTIATE_TEST_SUITE_P(Unseen, UnseenTest, testing::ValuesIn(kUnseen),
                         [](const auto& one) { return one.param.name; });

TEST(UnseenCallTest, IsLookedForInSources) {
  const std::string header = "int next_ticket();\nint drawn();\n" +
                             question(
                                 "[[autoshard::shard_method]] void f() { votes_ += next_ticket(); }\n"
                                 "[[autoshard::shard_method]] void g();");
  const std::string source = "#include \"entity.h\"\nstatic int last = 0;\nconst int kFirst = 1;\n";
  const std::string g = "void Question::g() { votes_ += drawn(); }\n";
  const Outcome acting = parse_source(header, source + "int next_ticket() { return ++last; }\n");
  EXPECT_FALSE(acting.ok);
  EXPECT_NE(acting.output.find(
                "calls 'next_ticket', which changes the variable 'last', but it runs more than once"),
            std::string::npos)
      << acting.output;

  const Outcome computing = parse_source(header, source + "int next_ticket() { return kFirst; }\n" + g);
  ASSERT_EQ(computing.diagnostics.size(), 1U) << computing.output;
  EXPECT_NE(computing.output.find("entity.cpp:5:32: warning: shard method 'g' calls 'drawn'"),
            std::string::npos)
      << computing.output;
  // The headers need not ask again.
  const std::set<std::string> defined = defined_outside(computing.model);
  EXPECT_TRUE(
      std::ranges::any_of(defined, [](const std::string& key) { return key.starts_with("next_ticket "); }));
  EXPECT_EQ(parse_after_source(header, defined).output, "");
}

INSTANTIATE_TEST_SUITE_P(Harmless, HarmlessTest, testing::ValuesIn(kHarmless),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace autoshard::tool
