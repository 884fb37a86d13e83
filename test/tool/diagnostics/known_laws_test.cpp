/// Laws that are not tried because they follow from how the methods are written.

#include <gtest/gtest.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test/tool/diagnostics/source.h"
#include "tool/frontend/frontend.h"
#include "tool/laws/known.h"
#include "tool/laws/laws.h"

namespace autoshard::tool {
namespace {

/// What is known of the laws of one entity, and what trying all of them gives.
struct Laws {
  std::vector<std::string> known;    ///< by the member or method, with the number of the kind
  std::vector<std::string> refuted;  ///< those of them that do not hold when they are tried
};

std::vector<Laws> laws_by_entity(const std::string& text) {
  const std::string folder = "/no/such/folder";
  const ParseRequest request{
      .headers = {"entity.h"}, .directory = folder, .contents = {{folder + "/entity.h", text}}};
  std::vector<Laws> result;
  std::string said;
  llvm::raw_string_ostream errors(said);
  parse(request, errors, [&](Parsed& parsed) {
    const Model untold = without_forms(parsed.model());
    const std::vector<EntityLaws> tried = judge(untold, parsed.evaluator(), parsed.prover());
    for (std::size_t at = 0; at < tried.size(); ++at) {
      const Entity& entity = parsed.model().entities[at];
      Laws& laws = result.emplace_back();
      for (const Law& law : tried[at].laws) {
        Law told = law;
        if (law.method) told.method = &entity.methods[law.method - untold.entities[at].methods.data()];
        if (law.property) told.property = entity.property(law.property->name);
        if (!follows_from_form(entity, told)) continue;
        const std::string of = law.method ? law.method->name : law.property->name;
        laws.known.push_back(of + std::to_string(static_cast<int>(law.kind)));
        const bool is_unknown = law.how == Law::How::kTried && law.tried == 0;
        if (law.verdict != Law::Verdict::kHolds || is_unknown) laws.refuted.push_back(laws.known.back());
      }
    }
  });
  EXPECT_EQ(said, "") << text;
  return result;
}

Laws laws_of(const std::string& text) {
  const std::vector<Laws> laws = laws_by_entity(text);
  return laws.empty() ? Laws() : laws.front();
}

std::string counter(const std::string& type, const std::string& neutral, const std::string& fold,
                    const std::string& method, const std::string& other = "") {
  return "class [[autoshard::entity]] Counter {\n public:\n  [[autoshard::shard_method]] " + method +
         "\n\n private:\n  [[autoshard::shard_fold]] static " + type + " sum(" + type + " x, " + type +
         " y) " + fold + "\n  [[autoshard::id]] int id_ = 0;\n  [[autoshard::shardable(neutral = " + neutral +
         ", shards = 4)]] " + type + " n_ = 0;\n" + other + "};\n";
}

const std::vector<std::string> kAll = {"n_0", "n_1", "n_2", "m3"};

TEST(KnownLaws, SumsOfIntegersNeedNotBeTried) {
  const std::string fold = "{ return x + y; }";
  for (const char* type : {"int", "unsigned", "short", "unsigned char", "long long", "char"}) {
    const Laws laws = laws_of(counter(type, "0", fold, "void m() { ++n_; }"));
    EXPECT_EQ(laws.known, kAll) << type;
    EXPECT_EQ(laws.refuted, std::vector<std::string>()) << type;
  }
  for (const char* method :
       {"void m() { --n_; }", "void m() { n_++; n_--; }", "void m(int by) { n_ += by; }",
        "void m(const long& by) { n_ -= by; /* and */ n_ += 1'000u; }", "void m() { n_ += 7; }  // 7",
        "void m() { n_ += kStep; n_ += -1; }", "void m(int by) { n_ = n_ + by; }",
        "void m(unsigned char by, bool more) noexcept {\n    // Both.\n    n_ += by;\n    n_ += more;\n  "
        "}"}) {
    const Laws laws = laws_of(counter("int", "0", fold, method, "  static constexpr int kStep = 2;\n"));
    EXPECT_EQ(laws.known, kAll) << method;
    EXPECT_EQ(laws.refuted, std::vector<std::string>()) << method;
  }
  EXPECT_EQ(laws_of(counter("unsigned", "0u", "{ return y + x; }", "void m() { ++n_; }")).known, kAll);
}

/// A class, without the headers that it needs: `fold` is a body or an expression.
struct Case {
  std::string type;
  std::string neutral;
  std::string fold;
  std::string method;

  std::string text() const {
    const bool is_body = fold.starts_with("{");
    return "class [[autoshard::entity]] Counter {\n public:\n  [[autoshard::shard_method]] " + method +
           "\n\n private:\n" +
           (is_body ? "  [[autoshard::shard_fold]] static " + type + " sum(" + type + " x, " + type + " y) " +
                          fold + "\n"
                    : "") +
           "  [[autoshard::id]] int id_ = 0;\n  [[autoshard::shardable(neutral = " + neutral +
           (is_body ? "" : ", fold = " + fold) + ", shards = 4)]] " + type + " n_ = 1;\n};\n";
  }
};

/// Those of each, from one header.
std::vector<Laws> laws_of(const std::vector<Case>& cases) {
  std::string text =
      "#include <algorithm>\n#include <bitset>\n#include <functional>\n#include <limits>\n"
      "inline int max(int x, int y) { return x - y; }\n";
  for (std::size_t at = 0; at < cases.size(); ++at)
    text += "namespace n" + std::to_string(at) + " {\n" + cases[at].text() + "}\n";
  std::vector<Laws> laws = laws_by_entity(text);
  EXPECT_EQ(laws.size(), cases.size());
  laws.resize(cases.size());
  return laws;
}

void expect_known(const std::vector<Case>& cases, const std::vector<std::string>& expected) {
  const std::vector<Laws> laws = laws_of(cases);
  for (std::size_t at = 0; at < cases.size(); ++at) {
    EXPECT_EQ(laws[at].known, expected) << cases[at].text();
    EXPECT_EQ(laws[at].refuted, std::vector<std::string>()) << cases[at].text();
  }
}

/// That `law` is none of those that need not be tried.
void expect_tried(const std::vector<Case>& cases, const std::string& law) {
  const std::vector<Laws> laws = laws_of(cases);
  for (std::size_t at = 0; at < cases.size(); ++at)
    EXPECT_EQ(std::ranges::count(laws[at].known, law), 0) << cases[at].text();
}

TEST(KnownLaws, ProductsAndBitsNeedNotBeTried) {
  const struct {
    std::string sign;
    std::string functor;
    std::string neutral;
  } kOperations[] = {{"*", "multiplies", "1"}, {"|", "bit_or", "0"}, {"^", "bit_xor", "0u"}};
  std::vector<Case> cases;
  for (const auto& [sign, functor, neutral] : kOperations) {
    const std::string by =
        "void m(int by, bool more) { n_ " + sign + "= by; n_ " + sign + "= 3u; n_ " + sign + "= more; }";
    cases.push_back({"unsigned", neutral, "{ return x " + sign + " y; }", by});
    cases.push_back({"unsigned char", neutral, "{ return y " + sign + " x; }", by});
    cases.push_back({"int", neutral, "std::" + functor + "<>{}", by});
    cases.push_back({"short", neutral, "std::" + functor + "{}", by});
    cases.push_back({"unsigned", neutral, "[](auto x, unsigned y) { return x " + sign + " y; }", by});
  }
  expect_known(cases, kAll);
}

TEST(KnownLaws, OperationsOfBitsetsNeedNotBeTried) {
  const std::string type = "std::bitset<70>";
  const std::string also = "(std::size_t bit, const std::bitset<70>& more) ";
  expect_known(
      {{type, "0", "{ return x | y; }", "void m" + also + "{ n_.set(bit); n_ |= more; n_.set(3); n_ |= 4; }"},
       {type, "{}", "std::bit_or<>{}", "void m" + also + "{ n_ = n_ | more; n_.set(bit, true); }"},
       {type, "0", "std::bit_xor<>{}", "void m" + also + "{ n_.flip(bit); n_ ^= more; n_.flip(); }"}},
      kAll);
  const std::string all = "~std::bitset<70>()";
  expect_known(
      {{type, all, "std::bit_and<>{}", "void m" + also + "{ n_.reset(bit); n_ &= more; n_.set(1, false); }"}},
      {"n_0", "n_1", "m3"});
  const std::string fold = "std::bit_or<>{}";
  expect_tried({{type, "0", fold, "void m() { n_.flip(1); }"},
                {type, "0", fold, "void m() { n_.set(0); n_.reset(1); }"},
                {type, "0", fold, "void m(bool on) { n_.set(0, on); }"},
                {type, "0", fold, "void m() { n_.set(n_.count()); }"},
                {type, "0", fold, "void m(std::bitset<70>& bits) { n_ |= bits; }"}},
               "m3");
  expect_tried({{type, "0", "std::bit_and<>{}", "void m() { n_.reset(0); }"}}, "n_2");
}

TEST(KnownLaws, WhetherAllBitsAreSetIsTried) {
  const std::string all = "static_cast<unsigned char>(~0)";
  const std::string method = "void m(unsigned mask) { n_ &= mask; }";
  expect_known({{"unsigned char", all, "{ return x & y; }", method},
                {"unsigned char", all, "std::bit_and<>{}", method}},
               {"n_0", "n_1", "m3"});
}

TEST(KnownLaws, MaximaAndMinimaNeedNotBeTried) {
  const char* const kFolds[] = {
      "{ return std::max(x, y); }", "{ return std::max(y, x); }",
      "{ return x > y ? x : y; }",  "{ return x >= y ? x : y; }",
      "{ return y < x ? x : y; }",  "[](auto x, const auto& y) { return (x <= y) ? y : x; }"};
  const char* const kMethods[] = {
      "void m(unsigned v) { if (v > n_) n_ = v; }",
      "void m(const unsigned& v) { if (n_ <= v) { n_ = v; } }",
      "void m(unsigned v) { n_ = std::max(n_, v); }",
      "void m(unsigned v) { n_ = std::max(v, n_); }",
      "void m(unsigned v) { n_ = n_ < v ? v : n_; }",
      "void m(unsigned v, unsigned w) { n_ = v > n_ ? v : n_; if (w > n_) n_ = w; }"};
  const auto mirrored = [](std::string text) {
    for (std::size_t at = 0; (at = text.find("max", at)) != std::string::npos; ++at)
      text.replace(at, 3, "min");
    for (char& c : text) c = c == '<' ? '>' : c == '>' ? '<' : c;
    return text;
  };
  std::vector<Case> cases;
  for (std::size_t at = 0; at < std::size(kFolds); ++at) {
    cases.push_back({"unsigned", "0", kFolds[at], kMethods[at]});
    cases.push_back(
        {"unsigned", "std::numeric_limits<unsigned>::max()", mirrored(kFolds[at]), mirrored(kMethods[at])});
  }
  cases.push_back(
      {"int", "std::numeric_limits<int>::min()", kFolds[0], "void m(int v) { n_ = std::max(n_, v); }"});
  cases.push_back(
      {"int", "std::numeric_limits<int>::lowest()", kFolds[0], "void m(int v) { n_ = std::max(n_, v); }"});
  cases.push_back({"int", "-2147483648", kFolds[0], "void m() { if (5 > n_) n_ = 5; }"});
  cases.push_back(
      {"int", "0x7fffffff", "{ return std::min(x, y); }", "void m(int v) { n_ = std::min(v, n_); }"});
  expect_known(cases, kAll);
}

TEST(KnownLaws, NeutralOfAMaximumIsTheLeastValue) {
  std::vector<Case> cases;
  for (const char* neutral :
       {"0", "std::numeric_limits<short>::min()", "std::numeric_limits<int>::max()", "-1"})
    cases.push_back(
        {"int", neutral, "{ return std::max(x, y); }", "void m(int v) { n_ = std::max(n_, v); }"});
  expect_tried(cases, "n_2");
}

TEST(KnownLaws, OtherMaximaAreTried) {
  std::vector<Case> folds;
  for (const char* fold :
       {"{ return x > y ? y : y; }", "{ return x > 0 ? x : y; }", "{ return std::max(x, x); }",
        "{ return std::clamp(x, y, 5); }", "{ return x > y ? x : y + 1; }", "{ return max(x, y); }",
        "{ return std::max(x, y) + 1; }", "[](auto x, auto) { return x; }",
        "[](long x, auto y) { return x > y ? x : y; }"})
    folds.push_back({"int", "0", fold, "void m(int v) { n_ = std::max(n_, v); }"});
  for (const char* law : {"n_0", "n_1", "n_2", "m3"}) expect_tried(folds, law);

  std::vector<Case> methods;
  for (const char* method :
       {"void m(long v) { if (v > n_) n_ = v; }", "void m(int& v) { if (v > n_) n_ = v; }",
        "void m(int v) { if (v < n_) n_ = v; }", "void m(int v) { if (v > n_) n_ = 5; }",
        "void m(int v) { n_ = std::min(n_, v); }", "void m(int v) { if (v > n_) n_ = v; else n_ = 0; }",
        "void m(int v) { if (v > 3) n_ = v; }", "void m(int v) { n_ = v > n_ ? n_ : v; }",
        "void m(int v) { n_ += v; }", "void m() { ++n_; }", "void m(int v, int w) { n_ = std::max(v, w); }"})
    methods.push_back({"int", "0", "{ return std::max(x, y); }", method});
  expect_tried(methods, "m3");
}

TEST(KnownLaws, OtherFoldsAreTried) {
  for (const char* fold :
       {"{ return x - y; }", "{ return x + x; }", "{ return x + y + 1; }", "{ return y + y; }",
        "{ return x || y; }", "{ return x + y * 0; }", "{ return x << y; }",
        "{ if (x) return x + y; return y; }", "{ ++x; return x + y; }"}) {
    EXPECT_EQ(laws_of(counter("int", "0", fold, "void m() { ++n_; }")).known, std::vector<std::string>())
        << fold;
  }
  EXPECT_EQ(laws_of(counter("double", "0", "{ return x + y; }", "void m() { ++n_; }")).known,
            std::vector<std::string>())
      << "rounds";
}

/// `x` and `y` are what the class calls them.
TEST(KnownLaws, ParametersAreThoseOfTheDefinition) {
  const auto known = [](const std::string& definition) {
    return laws_of("static int y = 5;\n" + counter("int", "0", ";", "void m() { ++n_; }") +
                   "inline int Counter::sum" + definition)
        .known;
  };
  EXPECT_EQ(known("(int one, int other) { return one + other; }\n"), kAll);
  EXPECT_EQ(known("(int x, int) { return x + y; }\n"), std::vector<std::string>());
}

TEST(KnownLaws, OnlyZeroIsNeutral) {
  for (const char* neutral : {"1", "0 + 1", "10", "kNone", "0x10"}) {
    EXPECT_EQ(laws_of(counter("int", neutral, "{ return x + y; }", "void m() { ++n_; }",
                              "  static constexpr int kNone = 1;\n"))
                  .known,
              (std::vector<std::string>{"n_0", "n_1", "m3"}))
        << neutral;
  }
}

TEST(KnownLaws, OtherMethodsAreTried) {
  for (const char* method :
       {"void m() { n_ = 5; }", "void m() { n_ *= 2; }", "void m() { n_ += n_; }",
        "void m() { n_ += other_; }", "void m(double by) { n_ += by; }",
        "void m(int by) { n_ += by; by = 1; }", "void m(int by) { if (by > 0) n_ += by; }",
        "void m() { ++n_, ++n_; }", "void m() { n_ += 1.5; }", "auto m() { ++n_; return 1; }",
        "void m(int n_) { ++n_; }", "void m() { n_ += next(); }",
        "void m() {\n#if 1\n    n_ = 1;\n#endif\n  }"}) {
    const Laws laws =
        laws_of(counter("int", "0", "{ return x + y; }", method,
                        "  static int next();\n"
                        "  [[autoshard::shardable(neutral = 0, shards = 4)]] int other_ = 0;\n"));
    EXPECT_EQ(std::ranges::count(laws.known, "m3"), 0) << method;
  }
}

/// The shard writes of a class that has them, with what the form says: `set4` is the law of `set`.
std::vector<std::string> known_writes(const std::string& writes, const std::string& before = "") {
  const Laws laws = laws_of(before + counter("int", "0", "{ return x + y; }", writes,
                                             "  static constexpr int kStart = 2;\n"
                                             "  static int next(int n = 0) { return n + 1; }\n"
                                             "  [[autoshard::shardable(neutral = 0)]] int other_ = 0;\n"));
  EXPECT_EQ(laws.refuted, std::vector<std::string>()) << writes;
  std::vector<std::string> known;
  for (const std::string& law : laws.known) {
    if (law.ends_with("4")) known.push_back(law);
  }
  return known;
}

std::string write(const std::string& method) {
  return "void up() { ++n_; }\n  [[autoshard::shard_write]] " + method;
}

TEST(KnownLaws, WhatIsOnlyAssignedToIsReplaced) {
  for (const char* method : {"void w() { n_ = 0; }", "void w(int n) { this->n_ = n; }",
                             "void w(int n) { n_ = n; other_ = kStart; }",
                             "void w(int n = 3) noexcept { n_ = next(2 * n) % 7; /* } */ }",
                             "void w(bool b) {\n    // Both.\n    n_ = b ? 1 : 0;\n    other_ = {};\n  }",
                             "void w(int n) { n_ = [](int x) { return x + 1; }(n); }",
                             "void w(int n) { n_ = n;\n#if 1\n    other_ = 2;\n#endif\n  }"}) {
    EXPECT_EQ(known_writes(write(method)), std::vector<std::string>{"w4"}) << method;
  }
}

TEST(KnownLaws, OtherWritesAreTried) {
  for (const char* method :
       {"void w() { n_ = other_; }", "void w() { n_ = n_ + 1; }", "void w() { ++n_; }",
        "void w() { n_ += 2; }", "void w(int n) { if (n > 0) n_ = 1; }", "void w() { n_ = other_ = 1; }",
        "void w() { n_ = 0; return; }", "void w(int n) { n_ = 1, n = 2; if (n) other_ = 1; }",
        "void w() { { n_ = 1; } }", "void w() { n_ = 1; up(); }", "void w() { n_ = (up(), 1); }",
        "void w() try { n_ = 1; } catch (...) {}", "void w() { int n_ = 1; other_ = n_; }"}) {
    EXPECT_EQ(known_writes(write(method)), std::vector<std::string>()) << method;
  }
  EXPECT_EQ(known_writes(write("void w() { n_ = ONE; }"), "#define ONE (other_ + 1)\n"),
            std::vector<std::string>());
  EXPECT_EQ(known_writes(write("void w() { n_ = ONE; }"), "#define ONE (up(), 1)\n"),
            std::vector<std::string>());
}

/// A macro looks like something else in the text.
TEST(KnownLaws, WhatIsUpdatedIsWhatTheCompilerSees) {
  const std::string macro = "#define n_of other_\n";
  const Laws laws =
      laws_of(macro + counter("int", "0", "{ return x + y; }", "void m() { ++n_of; }",
                              "  [[autoshard::shardable(neutral = 0, shards = 4)]] int other_ = 0;\n"));
  EXPECT_EQ(std::ranges::count(laws.known, "m3"), 0);
}

/// What a class with `method` knows of containers.
std::vector<std::string> known_of_containers(const std::string& method, const std::string& no_ids = "{}") {
  return laws_of(R"(#include <functional>
#include <map>
#include <set>
#include <vector>
class [[autoshard::entity]] R {
  using Ids = std::set<long>;
  using List = std::vector<long>;
  using Sums = std::map<long, long>;

 public:
  [[autoshard::shard_method]] )" +
                 method + R"(
 private:
  [[autoshard::shard_fold]] static Ids unite(Ids a, const Ids& b) { a.insert(b.begin(), b.end()); return a; }
  [[autoshard::shard_fold]] static List join(List a, const List& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  [[autoshard::shard_fold]] static Sums add(Sums a, const Sums& b) {
    for (const auto& [key, sum] : b) a[key] += sum;
    return a;
  }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = )" +
                 no_ids + R"()]] Ids ids_;
  [[autoshard::shardable(neutral = {}, order = any)]] List list_;
  [[autoshard::shardable(neutral = {})]] Sums sums_;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] long count_ = 0;
};
)")
      .known;
}

TEST(KnownLaws, EmptyContainersAreNeutral) {
  for (const auto& [neutral, is_empty] :
       {std::pair("Ids()", 1), std::pair("Ids{}", 1), std::pair("std::set<long>{}", 1),
        std::pair("Ids(std::less<long>())", 0), std::pair("{1}", 0), std::pair("Ids{1}", 0)}) {
    const std::vector<std::string> known = known_of_containers("void m(long n) { ids_.insert(n); }", neutral);
    EXPECT_EQ(std::ranges::count(known, "ids_2"), is_empty) << neutral;
  }
}

TEST(KnownLaws, UnionsAppendsAndSumsByKeyNeedNotBeTried) {
  for (const char* method :
       {"void m(long n) { ids_.insert(n + 1); }", "void m() { ids_.emplace(3); ++count_; }",
        "void m(long n) { list_.push_back(2 * n); }", "void m(long key, long n) { sums_[key] += n; }"}) {
    const std::vector<std::string> expected = {"ids_0",   "ids_1",   "ids_2",  "list_0", "list_1",
                                               "list_2",  "sums_0",  "sums_1", "sums_2", "count_0",
                                               "count_1", "count_2", "m3"};
    EXPECT_EQ(known_of_containers(method), expected) << method;
  }
}

Laws laws_beside_group(const std::string& method) {
  return laws_of(
      "#include <functional>\n#include <string>\n#include <utility>\n#include <vector>\n"
      "struct Gift { std::string donor; long cents = 0; };\n"
      "class [[autoshard::entity]] Campaign {\n public:\n  [[autoshard::shard_method]] " +
      method +
      "\n\n private:\n  [[autoshard::id]] int id_ = 0;\n"
      "  [[autoshard::shardable(neutral = 0, fold = std::plus<>{}, shards = 4)]] long raised_ = 0;\n"
      "  [[autoshard::shard_group(shards = 4)]] std::vector<Gift> gifts_;\n};\n");
}

TEST(KnownLaws, AdditionsToAGroupBesideOtherUpdatesNeedNotBeTried) {
  for (const char* method :
       {"void m(std::string donor, long n) { raised_ += n; gifts_.push_back({std::move(donor), n}); }",
        "void m(const std::string& donor, long n) { gifts_.push_back({donor, n}); raised_ += n; }"}) {
    const Laws laws = laws_beside_group(method);
    EXPECT_EQ(std::ranges::count(laws.known, "m3"), 1) << method;
    EXPECT_EQ(laws.refuted, std::vector<std::string>()) << method;
  }
  // What it adds depends on the part of the value that its shard has.
  EXPECT_EQ(
      std::ranges::count(
          laws_beside_group("void m(long n) { raised_ += n; gifts_.push_back({\"\", raised_}); }").known,
          "m3"),
      0);
}

/// What they add, or where, may be another thing in each shard.
TEST(KnownLaws, UpdatesOfContainersThatReadAMemberAreTried) {
  for (const char* method :
       {"void m() { ids_.insert(count_); }", "void m() { ids_.insert(count_); ++count_; }",
        "void m() { list_.push_back(static_cast<long>(list_.size())); }",
        "void m(long n) { sums_[count_] += n; }",
        "void m(long n) { sums_[static_cast<long>(ids_.size())] += n; }"}) {
    EXPECT_EQ(std::ranges::count(known_of_containers(method), "m3"), 0) << method;
  }
}

}  // namespace
}  // namespace autoshard::tool
