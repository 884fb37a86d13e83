/// Effects that do not show in the body of a shard method or a fold: in what it calls, makes, destroys, hands
/// on or names. And code that only looks as if it had some.

#include "test/tool/diagnostics/hidden_effects.h"

namespace autoshard::tool {
namespace {

RuleCase acting(std::string name, const std::string& before, const std::string& body, std::string message) {
  return {std::move(name), "shard-method-effect", updating(body, before), std::move(message), ""};
}

const RuleCase kHidden[] = {
    // What a call evaluates besides the function's body.
    acting("DefaultArgument",
           "inline int last = 0;\ninline int add(int n, int by = ++last) { return n + by; }\n",
           "votes_ += ^add(n);", "has a default argument that changes the variable 'last'"),
    acting("DefaultArgumentThatCalls", "inline int add(int n, int by = std::rand()) { return n + by; }\n",
           "votes_ += ^add(n);", "has a default argument that calls 'rand'"),
    acting("DefaultArgumentOfAConstructor",
           "struct Stamp { explicit Stamp(long at = std::time(nullptr)) : at(at) {} long at; };\n",
           "const Stamp ^stamp; votes_ += static_cast<int>(stamp.at) + n;", "calls 'time'"),
    acting("DefaultMemberInitialiser", "inline int ids = 0;\nstruct Entry { int id = ++ids; int n = 0; };\n",
           "Entry ^entry; entry.n = n; votes_ += entry.id + entry.n;", "changes the variable 'ids'"),
    acting("DefaultMemberInitialiserInBraces",
           "inline int ids = 0;\nstruct Entry { int n = 0; int id = ++ids; };\n", "votes_ += Entry^{n}.id;",
           "changes the variable 'ids'"),
    acting("DefaultMemberInitialiserOfAMember",
           "inline int ids = 0;\nstruct Id { int value = ++ids; };\nstruct Entry { Id id; int n = 0; };\n",
           "Entry ^entry; entry.n = n; votes_ += entry.n;", "changes the variable 'ids'"),
    acting("DefaultMemberInitialiserBesideAConstructor",
           "inline int ids = 0;\nclass Entry { public: explicit Entry(int n) : n_(n) {} int id() const { "
           "return id_ "
           "+ n_; } private: int n_; int id_ = ++ids; };\n",
           "votes_ += ^Entry(n).id();",
           "makes a 'Entry', which initialises 'id_', which changes the variable 'ids'"),

    // Constructors, destructors, conversions, operators.
    acting("Constructor", "struct Guard { Guard() { ++alive; } static inline int alive = 0; };\n",
           "Guard ^guard; votes_ += n; (void)guard;", "makes a 'Guard', which changes the variable 'alive'"),
    acting("ConstructorThatInitialises",
           "inline int tickets = 0;\nstruct Ticket { Ticket() : number(tickets++) {} int number; };\n",
           "votes_ += ^Ticket().number + n;", "makes a 'Ticket', which changes the variable 'tickets'"),
    acting("ConstructorOfABase",
           "inline int made = 0;\nstruct Counted { Counted() { ++made; } };\nstruct Item : Counted { int n = "
           "1; };\n",
           "const Item ^item; votes_ += item.n + n;", "changes the variable 'made'"),
    acting("CopyConstructor",
           "inline int copies = 0;\nstruct Tag { int n = 1; Tag() = default; Tag(const Tag& other) : "
           "n(other.n) { "
           "++copies; } };\n",
           "const Tag one; const Tag ^other(one); votes_ += other.n + n;", "changes the variable 'copies'"),
    acting("Destructor", "struct Trace { int n; ~Trace() { std::puts(\"done\"); } };\n",
           "const Trace ^trace{n}; votes_ += trace.n;", "destroys a 'Trace', which calls 'puts'"),
    acting("DestructorOfATemporary",
           "struct Trace { int n; int get() const { return n; } ~Trace() { std::puts(\"done\"); } };\n",
           "votes_ += Trace^{n}.get();", "destroys a 'Trace', which calls 'puts'"),
    acting("DestructorOfAMember",
           "struct Trace { ~Trace() { std::puts(\"done\"); } };\nstruct Step { Trace trace; int n = 0; };\n",
           "Step ^step; step.n = n; votes_ += step.n;", "destroys a 'Step'"),
    acting("DestructorInAContainer", "struct Trace { int n; ~Trace() { std::puts(\"done\"); } };\n",
           "const std::optional<Trace> ^traces; votes_ += n; (void)traces;", "calls 'puts'"),
    acting("DestructorOfAParameter",
           "struct Trace { int n; ~Trace() { std::puts(\"done\"); } };\ninline int of(const Trace* t) { "
           "return t->n; }\n",
           "auto* const trace = new Trace{n}; votes_ += of(trace); ^delete trace;", "destroys a 'Trace'"),
    acting("Conversion",
           "inline int reads = 0;\nstruct Number { int n; operator int() const { ++reads; return n; } };\n",
           "votes_ += ^Number{n};", "calls 'operator int', which changes the variable 'reads'"),
    acting("Operator",
           "inline int sums = 0;\nstruct Money { int cents; };\ninline Money operator+(Money a, Money b) { "
           "++sums; "
           "return {a.cents + b.cents}; }\n",
           "votes_ += (Money{n} ^+ Money{1}).cents;", "calls 'operator+', which changes the variable 'sums'"),
    acting("OperatorThatIsRewritten",
           "inline int compared = 0;\nstruct Key { int n; bool operator==(const Key& other) const { "
           "++compared; return "
           "n == other.n; } };\n",
           "votes_ += Key{n} ^!= Key{1} ? 1 : 2;",
           "calls 'operator==', which changes the variable 'compared'"),
    acting("Iterator",
           "inline int steps = 0;\nstruct Span { const int* from; const int* to; const int* begin() const { "
           "++steps; "
           "return from; } const int* end() const { return to; } };\n",
           "const int all[] = {n, 1}; for (const int one ^: Span{all, all + 2}) votes_ += one;",
           "calls 'begin', which changes the variable 'steps'"),
    acting("OperatorNew",
           "inline int blocks = 0;\nstruct Node { int n = 1; static void* operator new(std::size_t size) { "
           "++blocks; "
           "return std::malloc(size); } };\n",
           "auto* const node = ^new Node; votes_ += node->n + n;", "calls 'operator new'"),
    acting(
        "MethodOfAnotherMethod",
        "class Log { public: int add(int n) const { write(n); return n; } private: void write(int n) const { "
        "std::printf(\"%d\", n); } };\n",
        "votes_ += ^Log{}.add(n);", "calls 'add', which calls 'write', which calls 'printf'"),

    // Functions that look as if they computed.
    acting("ConstexprThatPrintsWhenItRuns",
           "constexpr int traced(int n) { if (!std::is_constant_evaluated()) std::puts(\"x\"); return n; }\n",
           "votes_ += ^traced(n);", "calls 'traced', which calls 'puts'"),
    acting("LambdaInAGlobal", "inline const auto traced = [](int n) { std::printf(\"%d\", n); return n; };\n",
           "votes_ += ^traced(n);", "uses 'traced', whose initialiser calls 'printf'"),
    acting("LambdaInAConstant",
           "inline int calls = 0;\ninline constexpr auto count = [](int n) { ++calls; return n; };\n",
           "votes_ += ^count(n);", "uses 'count', whose initialiser changes the variable 'calls'"),
    acting("LambdaThatIsReturned",
           "inline auto tracer() { return [](int n) { std::printf(\"%d\", n); return n; }; }\n",
           "votes_ += ^tracer()(n);", "calls 'tracer', which calls 'printf'"),
    acting("LambdaOfALambda", "",
           "const auto twice = [](int x) { return [x] { ^std::puts(\"x\"); return x; }(); }; votes_ += "
           "twice(n);",
           "calls 'puts'"),
    acting("GenericLambda",
           "inline void tell(int n) { std::printf(\"%d\", n); }\ninline void tell(long n) { "
           "std::printf(\"%ld\", n); }\n",
           "std::vector<int> all{n, 1}; std::for_each(all.begin(), all.end(), [](const auto& x) { ^tell(x); "
           "}); votes_ "
           "+= n;",
           "calls 'tell', which calls 'printf'"),
    acting("Functor", "struct Tell { void operator()(int n) const { std::printf(\"%d\", n); } };\n",
           "std::vector<int> all{n, 1}; ^std::for_each(all.begin(), all.end(), Tell{}); votes_ += n;",
           "uses 'Tell::operator()', which calls 'printf'"),
    acting("Comparator",
           "inline int compared = 0;\nstruct Less { bool operator()(int a, int b) const { ++compared; return "
           "a < b; } "
           "};\n",
           "std::vector<int> all{n, 1}; ^std::sort(all.begin(), all.end(), Less{}); votes_ += all.front();",
           "uses 'Less::operator()', which changes the variable 'compared'"),
    acting("ComparatorOfASet",
           "inline int compared = 0;\nstruct Less { bool operator()(int a, int b) const { ++compared; return "
           "a < b; } "
           "};\n",
           "const std::set<int, Less> ^all{n, 1}; votes_ += *all.begin();", "uses 'Less::operator()'"),
    acting(
        "OrderOfElements",
        "inline int compared = 0;\nstruct Key { int n; bool operator<(const Key& other) const { ++compared; "
        "return n "
        "< other.n; } };\n",
        "std::vector<Key> ^all{Key{n}, Key{1}}; std::sort(all.begin(), all.end()); votes_ += all.front().n;",
        "uses 'Key::operator<'"),
    acting(
        "HashOfElements",
        "inline int hashed = 0;\nstruct Key { int n; bool operator==(const Key&) const = default; };\n"
        "template <> struct std::hash<Key> { std::size_t operator()(const Key& key) const { ++hashed; return "
        "static_cast<std::size_t>(key.n); } };\n",
        "const std::unordered_set<Key> ^all{Key{n}}; votes_ += static_cast<int>(all.size());", "operator()'"),
    acting("MethodThatAGenericLambdaCalls",
           "struct Entry { int n; int logged() const { std::puts(\"x\"); return n; } };\n",
           "const std::vector<Entry> all{{n}, {1}}; int sum = 0; ^std::for_each(all.begin(), all.end(), "
           "[&sum](const auto& entry) { sum += entry.logged(); }); votes_ += sum;",
           "calls 'logged', which calls 'puts'"),
    acting("InitialiserOfElements", "inline int ids = 0;\nstruct Entry { int id = ++ids; };\n",
           "const auto ^entry = std::make_unique<Entry>(); votes_ += n + entry->id;",
           "initialises 'id', which changes the variable 'ids'"),
    acting("FunctionHandedOn", "inline void tell(int n) { std::printf(\"%d\", n); }\n",
           "std::vector<int> all{n, 1}; std::for_each(all.begin(), all.end(), ^tell); votes_ += n;",
           "calls 'tell', which calls 'printf'"),
    acting("PointerToAFunction", "inline int traced(int n) { std::puts(\"x\"); return n; }\n",
           "int (*const call)(int) = &^traced; votes_ += call(n);", "calls 'traced', which calls 'puts'"),
    acting("PointerInAGlobal",
           "inline int traced(int n) { std::puts(\"x\"); return n; }\ninline int (*const call)(int) = "
           "&traced;\n",
           "votes_ += ^call(n);", "uses 'call', whose initialiser calls 'traced'"),
    acting("PointerThatCanChange", "inline int same(int n) { return n; }\ninline int (*hook)(int) = &same;\n",
           "votes_ += ^hook(n);", "reads the variable 'hook', which can change"),
    acting("StdFunction", "inline int traced(int n) { std::puts(\"x\"); return n; }\n",
           "const std::function<int(int)> call = ^traced; votes_ += call(n);",
           "calls 'traced', which calls 'puts'"),
    acting("StdFunctionInAGlobal", "inline std::function<int(int)> hook = [](int n) { return n; };\n",
           "votes_ += ^hook(n);", "'hook'"),
    acting("PointerToAMethod", "struct Log { int add(int n) const { std::puts(\"x\"); return n; } };\n",
           "const auto call = &^Log::add; votes_ += (Log{}.*call)(n);", "calls 'add', which calls 'puts'"),
    acting("TemplateThatCallsItsArgument",
           "struct Tell { int operator()(int n) const { std::printf(\"%d\", n); return n; } };\n"
           "template <class F> int applied(F call, int n) { return call(n); }\n",
           "votes_ += ^applied(Tell{}, n);",
           "calls 'applied', which calls 'operator()', which calls 'printf'"),

    // What globals lead to.
    acting("WhatAPointerLeadsTo",
           "struct Metrics { int hits = 0; };\ninline Metrics* const metrics = new Metrics;\n",
           "votes_ += n; ^metrics->hits += n;", "changes what 'metrics' points to"),
    acting("WhatAPointerLeadsToIsRead",
           "struct Prices { int step = 1; };\ninline Prices* const prices = new Prices;\n",
           "votes_ += n * ^prices->step;", "reads what 'prices' points to, which can change"),
    acting("WhatAPointerIsAssigned", "inline int total = 0;\ninline int* const sum = &total;\n",
           "votes_ += n; *^sum += n;", "changes what 'sum' points to"),
    acting("WhatAReferenceRefersTo", "inline int total = 0;\ninline int& sum = total;\n",
           "votes_ += n; ^sum += n;", "changes what 'sum' refers to"),
    acting("WhatASmartPointerOwns",
           "struct Metrics { void hit() { ++hits; } int hits = 0; };\ninline const auto metrics = "
           "std::make_unique<Metrics>();\n",
           "votes_ += n; ^metrics->hit();", "changes what 'metrics' points to"),
    acting("ReferenceToAVariable", "inline int step = 1;\ninline const int& kStep = step;\n",
           "votes_ += n * ^kStep;",
           "uses 'kStep', whose initialiser reads the variable 'step', which can change"),
    acting("Variable", "inline int weight = 2;\n", "votes_ += n * ^weight;",
           "reads the variable 'weight', which can change"),
    acting("StaticMember", "struct Config { static inline int weight = 2; };\n",
           "votes_ += n * ^Config::weight;", "reads the variable 'weight'"),
    acting("ThreadLocal", "inline thread_local int depth = 0;\n", "++^depth; votes_ += n;",
           "changes the variable 'depth'"),
    acting("VariableThroughAFunction",
           "inline int weight = 2;\ninline int weighted(int n) { return n * weight; }\n",
           "votes_ += ^weighted(n);",
           "calls 'weighted', which reads the variable 'weight', which can change"),
    acting("Cache",
           "inline int square(int n) { static std::map<int, int> known; auto& slot = known[n]; slot = n * n; "
           "return "
           "slot; }\n",
           "votes_ += ^square(n);", "calls 'square', which changes the variable 'known'"),
    acting("CounterInAFunction", "inline int next() { static int last = 0; return ++last; }\n",
           "votes_ += ^next() + n;", "calls 'next', which changes the variable 'last'"),
    acting("Singleton",
           "class Log { public: static Log& get() { static Log log; return log; } void add(int n) { sum_ += "
           "n; } "
           "private: int sum_ = 0; };\n",
           "votes_ += n; ^Log::get().add(n);", "changes what 'get' returns"),
    acting("SingletonThatCanBeSet",
           "class Config { public: static Config& get() { static Config one; return one; } int weight() "
           "const { return "
           "weight_; } void set(int n) { weight_ = n; } private: int weight_ = 1; };\n",
           "votes_ += n * ^Config::get().weight();", "reads what 'get' returns, which can change"),
    acting(
        "SingletonByAPointer",
        "struct Config { int weight = 1; };\ninline Config* config() { static Config one; return &one; }\n",
        "votes_ += n * ^config()->weight;", "reads what 'config' returns, which can change"),
    acting("SingletonInAVariable",
           "class Log { public: static Log& get() { static Log log; return log; } void add(int n) { sum_ += "
           "n; } "
           "private: int sum_ = 0; };\n",
           "auto& log = ^Log::get(); log.add(n); votes_ += n;", "changes what 'get' returns"),
    acting("ConstantOfTheEnvironment", "inline const int kWeight = std::getenv(\"WEIGHT\") ? 2 : 1;\n",
           "votes_ += n * ^kWeight;", "uses 'kWeight', whose initialiser calls 'getenv'"),
    acting("ConstantOfTheClock", "inline const long kStart = std::time(nullptr);\n",
           "votes_ += static_cast<int>(^kStart) + n;", "uses 'kStart', whose initialiser calls 'time'"),
    acting("ConstCast",
           "struct Sums { int of = 0; };\ninline const Sums kSums{};\n"
           "inline int added(const Sums& sums, int n) { return const_cast<Sums&>(sums).of += n; }\n",
           "votes_ += ^added(kSums, n);",
           "calls 'added', which changes what is const, through a 'const_cast'"),
    acting("ConstCastOfAPointer",
           "inline int added(const int* sum, int n) { *const_cast<int*>(sum) += n; return n; }\n",
           "votes_ += ^added(&n, n);", "through a 'const_cast'"),

    acting("MutableMemberOfAParameter",
           "struct Stats { mutable int reads = 0; };\ninline int of(const Stats&) { return 1; }\n",
           "static const Stats kStats; votes_ += n + of(kStats) + ++^kStats.reads;",
           "changes the mutable 'reads' of 'kStats'"),
    acting("MutableMemberOfAConstant",
           "class Prices { public: int step() const { return step_ + 0 * ++reads_; } private: mutable int "
           "reads_ = 0; int step_ = 2; };\ninline const Prices kPrices;\n",
           "votes_ += n * ^kPrices.step();", "changes the mutable 'reads_' of 'kPrices'"),
    acting("FunctionThatChangesWhatAnArgumentPointsTo",
           "struct Handle { int* counter; };\ninline int bump(const Handle& handle, int n) { return "
           "*handle.counter "
           "+= n; }\ninline int total = 0;\ninline const Handle kHandle{nullptr};\n",
           "votes_ += ^bump(kHandle, n);", "changes what 'counter' points to of 'kHandle'"),
    // What the machine and the process have.
    acting("Errno", "", "^errno = 0; votes_ += n;", "uses 'errno'"),
    acting("Environment", "", "votes_ += ^std::getenv(\"FAST\") ? 2 * n : n;", "calls 'getenv'"),
    acting("Locale", "", "^std::setlocale(LC_ALL, \"C\"); votes_ += n;", "calls 'setlocale'"),
    acting("GlobalLocale", "", "^std::locale::global(std::locale::classic()); votes_ += n;",
           "calls 'global'"),
    acting("Assembly", "", "^asm volatile(\"\" ::: \"memory\"); votes_ += n;", "runs assembly code"),
    acting("TimeStampCounter", "", "votes_ += static_cast<int>(^__builtin_readcyclecounter()) + n;",
           "calls '__builtin_readcyclecounter'"),
    acting("Address", "", "votes_ += static_cast<int>(^reinterpret_cast<std::uintptr_t>(&n) % 2);",
           "uses an address as a number"),
    acting("AddressOfTheMachine", "", "votes_ += n + *^reinterpret_cast<const int*>(0x1000);",
           "uses what is at an address of the machine"),
    acting("PrintsByFmt",
           "namespace fmt { template <class... A> void print(const char* text, const A&... all); }\n",
           "^fmt::print(\"{}\", n); votes_ += n;", "calls 'print'"),
    acting("BuiltinThatPrints", "", "^__builtin_printf(\"%d\", n); votes_ += n;", "calls '__builtin_printf'"),
    acting("RandomDevice", "", "std::random_device ^source; votes_ += static_cast<int>(source() % 2) + n;",
           "random"),
    acting("LocalTime", "", "const std::time_t at = n; votes_ += ^std::localtime(&at)->tm_hour;",
           "calls 'localtime'"),
    acting("Exits", "", "^std::atexit([] {}); votes_ += n;", "calls 'atexit'"),
};

std::string first_words(const testing::TestParamInfo<RuleCase>& info) { return info.param.name; }

/// The first finding is the one that is meant: a class that acts when it is made often does when it is
/// destroyed.
class HiddenEffectTest : public testing::TestWithParam<RuleCase> {};

TEST_P(HiddenEffectTest, IsReported) {
  const Marked marked = take_marks(GetParam().source);
  const Outcome outcome = parse_text(marked.text);
  EXPECT_FALSE(outcome.ok);
  ASSERT_FALSE(outcome.diagnostics.empty());
  const Diagnostic& found = outcome.diagnostics.front();
  EXPECT_EQ(found.rule, "autoshard-" + GetParam().rule) << outcome.output;
  EXPECT_EQ(found.span.begin, marked.marks.front()) << outcome.output;
  EXPECT_NE(found.message.find(GetParam().message), std::string::npos) << outcome.output;
}
INSTANTIATE_TEST_SUITE_P(Hidden, HiddenEffectTest, testing::ValuesIn(kHidden), first_words);

/// The same with another parameter than a number.
std::string taking(const std::string& parameter, const std::string& body, const std::string& before) {
  return with_headers(before +
                      question("[[autoshard::shard_method]] void f(" + parameter + ") { " + body + " }"));
}

const RuleCase kParameters[] = {
    {"WhatAParameterPointsTo", "shard-method-effect",
     taking("const Handle& handle", "votes_ += 1; ++*^handle.counter;", "struct Handle { int* counter; };\n"),
     "changes what 'counter' points to of 'handle'", ""},
    {"WhatAParameterOwns", "shard-method-effect",
     taking(
         "const Handle& handle", "votes_ += 1; ^handle.metrics->hit();",
         "struct Metrics { int hits = 0; void hit() { ++hits; } };\nstruct Handle { std::shared_ptr<Metrics> "
         "metrics; };\n"),
     "changes what 'metrics' points to of 'handle'", ""},
    {"WhatAParameterRefersTo", "shard-method-effect",
     taking("const Handle& handle", "votes_ += 1; ^handle.counter += 1;",
            "struct Handle { int& counter; };\n"),
     "changes what 'counter' refers to of 'handle'", ""},
    {"MutableMemberOfAParameter", "shard-method-effect",
     taking("const Stats& stats", "votes_ += stats.n; ++^stats.reads;",
            "struct Stats { int n; mutable int reads; };\n"),
     "changes the mutable 'reads' of 'stats'", ""},
    {"FunctionOfAParameter", "shard-method-effect",
     taking("const Handle& handle", "votes_ += ^bump(handle);",
            "struct Handle { int* counter; };\ninline int bump(const Handle& handle) { return "
            "++*handle.counter; }\n"),
     "changes what 'counter' points to of 'handle'", ""},
};
INSTANTIATE_TEST_SUITE_P(Parameters, HiddenEffectTest, testing::ValuesIn(kParameters), first_words);

const RuleCase kFolds[] = {
    {"Static", "fold-effect", folding_by("static int calls = 0; ++^calls; return x + y;", ""),
     "shard fold 'sum' changes the variable 'calls', but it runs at any time, in any process; it must "
     "compute from "
     "its two values alone",
     ""},
    {"Clock", "fold-effect", folding_by("return ^std::time(nullptr) > 0 ? x + y : x;", ""),
     "shard fold 'sum' calls 'time'", ""},
    {"ClockOfCpp", "fold-effect",
     folding_by("return ^std::chrono::system_clock::now().time_since_epoch().count() > 0 ? x + y : x;", ""),
     "calls 'now'", ""},
    {"RandomNumber", "fold-effect", folding_by("return ^std::rand() % 2 == 0 ? x + y : y + x;", ""),
     "calls 'rand'", ""},
    {"Prints", "fold-effect", folding_by("^std::printf(\"%d\", x); return x + y;", ""), "calls 'printf'", ""},
    {"Variable", "fold-effect", folding_by("return x + y + ^bias;", "inline int bias = 0;\n"),
     "reads the variable 'bias', which can change", ""},
    {"VariableThroughAFunction", "fold-effect",
     folding_by("return ^biased(x) + y;",
                "inline int bias = 0;\ninline int biased(int n) { return n + bias; }\n"),
     "calls 'biased', which reads the variable 'bias'", ""},
    {"Lambda", "fold-effect",
     folding("^[](int x, int y) { return x + y + bias; }", "0", "inline int bias = 0;\n"),
     "an argument of the sharded member 'sum_' reads the variable 'bias', which can change, but it is "
     "evaluated at any "
     "time, in any process; it must depend on constants alone",
     ""},
    {"Function", "fold-effect",
     folding("^traced", "0", "inline int traced(int x, int y) { std::puts(\"x\"); return x + y; }\n"),
     "an argument of the sharded member 'sum_' calls 'traced', which calls 'puts'", ""},
    {"Functor", "fold-effect",
     folding("^Traced{}", "0",
             "struct Traced { int operator()(int x, int y) const { std::puts(\"x\"); return x + y; } };\n"),
     "which calls 'puts'", ""},
    {"NeutralVariable", "fold-effect", folding("std::plus<>{}", "^start", "inline int start = 0;\n"),
     "an argument of the sharded member 'sum_' reads the variable 'start', which can change", ""},
    {"NeutralThatCalls", "fold-effect",
     folding("std::plus<>{}", "^first()", "inline int start = 0;\ninline int first() { return start; }\n"),
     "calls 'first', which reads the variable 'start'", ""},
    {"NeutralOfTheClock", "fold-effect",
     folding("std::plus<>{}", "^today()",
             "inline int today() { return static_cast<int>(std::time(nullptr)); }\n"),
     "calls 'today', which calls 'time'", ""},
};
INSTANTIATE_TEST_SUITE_P(Folds, HiddenEffectTest, testing::ValuesIn(kFolds), first_words);

}  // namespace
}  // namespace autoshard::tool
