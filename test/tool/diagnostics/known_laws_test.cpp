/// Laws that are not tried because they follow from how the methods are written.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"
#include "tool/frontend/frontend.h"
#include "tool/laws/known.h"
#include "tool/laws/laws.h"

namespace autoshard::tool {
namespace {

/// What is known of the laws of one header, and what trying all of them gives.
struct Laws {
  std::vector<std::string> known;    ///< by the member or method, with the number of the kind
  std::vector<std::string> refuted;  ///< those of them that do not hold when they are tried
  std::string errors;
};

Laws laws_of(const std::string& text) {
  const std::string folder = "/no/such/folder";
  const ParseRequest request{
      .headers = {"entity.h"}, .directory = folder, .contents = {{folder + "/entity.h", text}}};
  Laws laws;
  llvm::raw_string_ostream errors(laws.errors);
  parse(request, errors, [&](Parsed& parsed) {
    const Model& model = parsed.model();
    for (const EntityLaws& entity : judge(model, parsed.evaluator(), Trying::kEverything)) {
      for (const Law& law : entity.laws) {
        if (!follows_from_form(*entity.entity, law, model.files)) continue;
        const std::string of = law.method ? law.method->name : law.property->name;
        laws.known.push_back(of + std::to_string(static_cast<int>(law.kind)));
        if (law.verdict != Law::Verdict::kHolds || law.tried == 0) laws.refuted.push_back(laws.known.back());
      }
    }
  });
  return laws;
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
    EXPECT_EQ(laws.known, kAll) << type << laws.errors;
    EXPECT_EQ(laws.refuted, std::vector<std::string>()) << type;
  }
  for (const char* method :
       {"void m() { --n_; }", "void m() { n_++; n_--; }", "void m(int by) { n_ += by; }",
        "void m(const long& by) { n_ -= by; /* and */ n_ += 1'000u; }", "void m() { n_ += 7; }  // 7",
        "void m(unsigned char by, bool more) noexcept {\n    // Both.\n    n_ += by;\n    n_ += more;\n  "
        "}"}) {
    const Laws laws = laws_of(counter("int", "0", fold, method));
    EXPECT_EQ(laws.known, kAll) << method << laws.errors;
    EXPECT_EQ(laws.refuted, std::vector<std::string>()) << method;
  }
  EXPECT_EQ(laws_of(counter("unsigned", "0u", "{ return y + x; }", "void m() { ++n_; }")).known, kAll);
}

TEST(KnownLaws, OtherFoldsAreTried) {
  for (const char* fold : {"{ return x - y; }", "{ return x + x; }", "{ return x + y + 1; }",
                           "{ return y + y; }", "{ return x | y; }", "{ return x + y * 0; }",
                           "{ if (x) return x + y; return y; }", "{ ++x; return x + y; }"}) {
    EXPECT_EQ(laws_of(counter("int", "0", fold, "void m() { ++n_; }")).known, std::vector<std::string>())
        << fold;
  }
  EXPECT_EQ(laws_of(counter("double", "0", "{ return x + y; }", "void m() { ++n_; }")).known,
            std::vector<std::string>())
      << "rounds";
}

TEST(KnownLaws, OnlyZeroIsNeutral) {
  for (const char* neutral : {"1", "0 + 1", "10", "-0", "kNone", "0x10"}) {
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
        "void m(int by) { n_ += by; by = 1; }", "void m() { n_ += kStep; }",
        "void m(int by) { if (by > 0) n_ += by; }", "void m() { ++n_, ++n_; }", "void m() { n_ += 1.5; }",
        "void m() { n_ += -1; }", "auto m() { ++n_; return 1; }", "void m(int n_) { ++n_; }",
        "void m() { n_ += next(); }", "void m() {\n#if 1\n    n_ = 1;\n#endif\n  }"}) {
    const Laws laws =
        laws_of(counter("int", "0", "{ return x + y; }", method,
                        "  static constexpr int kStep = 2;\n  static int next();\n"
                        "  [[autoshard::shardable(neutral = 0, shards = 4)]] int other_ = 0;\n"));
    EXPECT_EQ(std::ranges::count(laws.known, "m3"), 0) << method;
  }
}

/// A macro looks like something else in the text.
TEST(KnownLaws, WhatIsUpdatedIsWhatTheCompilerSees) {
  const std::string macro = "#define n_of other_\n";
  const Laws laws =
      laws_of(macro + counter("int", "0", "{ return x + y; }", "void m() { ++n_of; }",
                              "  [[autoshard::shardable(neutral = 0, shards = 4)]] int other_ = 0;\n"));
  EXPECT_EQ(std::ranges::count(laws.known, "m3"), 0);
}

}  // namespace
}  // namespace autoshard::tool
