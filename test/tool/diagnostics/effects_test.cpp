/// Which shard methods do more than their update, and which only look as if they did.

#include "test/tool/diagnostics/rule_case.h"

namespace autoshard::tool {
namespace {

/// A question with one more shard method, of this body, and `before` it.
std::string updating(const std::string& body, const std::string& before = "") {
  return "#include <algorithm>\n#include <chrono>\n#include <cmath>\n#include <cstdio>\n#include "
         "<cstdlib>\n#include "
         "<ctime>\n#include <iostream>\n#include <sstream>\n#include <string>\n" +
         before + question("[[autoshard::shard_method]] void f(int n) { " + body + " }");
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
    {"ReadsAVariable", "votes_ += verbose ? n : n;", "inline bool verbose = false;\n"},
    {"FunctionOfAnotherFile", "votes_ += hash(std::to_string(n));", "int hash(const std::string& text);\n"},
    {"FunctionThatFillsAnArgument", "int sum = 0; add(n, sum); votes_ += sum;",
     "void add(int n, int& to);\n"},
    {"LocalPointer", "Sum sum; Sum* const to = &sum; to->add(n); votes_ += sum.total;",
     "struct Sum { void add(int n); int total = 0; };\n"},
    {"ReadsWhatAGlobalPointsTo", "votes_ += limits->least() + n;",
     "struct Limits { int least() const; };\nextern const Limits* limits;\n"},
    {"LocalObject", "Sum sum; sum.add(n); votes_ += sum.total;",
     "struct Sum { void add(int n); int total = 0; };\n"},
    {"Throws", "if (n < 0) std::abort(); votes_ += n;", ""},
    {"Lambda", "const auto twice = [](int x) { return 2 * x; }; votes_ += twice(n);", ""},
    {"Random", "Lcg engine{static_cast<unsigned>(n)}; votes_ += static_cast<int>(engine() % 2);",
     "struct Lcg { unsigned state; unsigned operator()() { return state = state * 1664525 + 1013904223; } "
     "};\n"},
};
INSTANTIATE_TEST_SUITE_P(Harmless, HarmlessTest, testing::ValuesIn(kHarmless),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace autoshard::tool
