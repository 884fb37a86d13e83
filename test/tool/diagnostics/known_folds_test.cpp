/// Folds that the runtime is told of: sums, minima and maxima of integers.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/tool/diagnostics/source.h"
#include "tool/output/model_dump.h"

namespace autoshard::tool {
namespace {

using Fold = Sharding::Fold;

/// A class with a sharded member `x_`, without the headers that it needs.
struct Case {
  std::string type;
  std::string fold;  ///< a body or an expression
  std::string arguments = "neutral = 0, shards = 4";
  std::string more{};  ///< other members

  std::string text(const std::string& kind = "Counter") const {
    const bool is_expression = !fold.starts_with("{") && fold != ";";
    const std::string method =
        "[[autoshard::shard_fold(x_)]] static " + type + " merge(" + type + " a, " + type + " b)" + fold;
    return "class [[autoshard::entity(\"" + kind + "\")]] Counter {\n  [[autoshard::id]] int id_ = 0;\n  " +
           (is_expression ? "" : method + "\n  ") + "[[autoshard::shardable(" + arguments +
           (is_expression ? ", fold = " + fold : "") + ")]] " + type + " x_{};\n" + more + "};\n";
  }
};

/// That of `x_` in each, from one header.
std::vector<Fold> folds_of(const std::vector<Case>& cases) {
  std::string text =
      "#include <algorithm>\n#include <cstdint>\n#include <functional>\n#include <limits>\n#include "
      "<string>\n";
  for (std::size_t at = 0; at < cases.size(); ++at) {
    const std::string name = "n" + std::to_string(at);
    text += "namespace " + name + " {\n" + cases[at].text(name) + "}\n";
  }
  const Outcome outcome = parse_text(text);
  EXPECT_TRUE(outcome.ok) << outcome.output;
  std::vector<Fold> folds;
  for (const Entity& entity : outcome.model.entities)
    folds.push_back(entity.property("x_")->sharding->known_fold);
  EXPECT_EQ(folds.size(), cases.size());
  folds.resize(cases.size());
  return folds;
}

void expect_folds(const std::vector<Case>& cases, Fold expected) {
  const std::vector<Fold> folds = folds_of(cases);
  for (std::size_t at = 0; at < cases.size(); ++at)
    EXPECT_EQ(static_cast<int>(folds[at]), static_cast<int>(expected)) << cases[at].text();
}

TEST(KnownFolds, Sums) {
  std::vector<Case> cases;
  for (const char* type :
       {"short", "int", "long", "unsigned", "std::int8_t", "std::uint8_t", "std::int64_t", "std::uint64_t"})
    cases.push_back({type, "{ return a + b; }"});
  for (const char* fold :
       {"{ return b + a; }", "std::plus<>{}", "std::plus{}", "[](int a, int b) { return a + b; }",
        "[](const auto& a, auto b) { return b + a; }"})
    cases.push_back({"int", fold});
  expect_folds(cases, Fold::kSum);
}

TEST(KnownFolds, Maxima) {
  std::vector<Case> cases;
  for (const char* fold :
       {"{ return std::max(a, b); }", "{ return std::max(b, a); }", "{ return a > b ? a : b; }",
        "{ return a <= b ? b : a; }", "[](auto a, auto b) { return std::max(a, b); }",
        "[](int a, int b) { return (a < b) ? b : a; }"})
    cases.push_back({"int", fold, "neutral = std::numeric_limits<int>::min(), shards = 4"});
  const std::string method = "  static int most(int a, int b) { return a < b ? b : a; }\n";
  for (const char* fold : {"most", "Counter::most"})
    cases.push_back({"int", fold, "neutral = std::numeric_limits<int>::min(), shards = 4", method});
  expect_folds(cases, Fold::kMaximum);
}

TEST(KnownFolds, Minima) {
  std::vector<Case> cases;
  for (const char* fold :
       {"{ return std::min(a, b); }", "{ return std::min(b, a); }", "{ return a < b ? a : b; }",
        "{ return a >= b ? b : a; }", "[](auto a, auto b) { return std::min(a, b); }",
        "[](long a, long b) { return (a > b) ? b : a; }"})
    cases.push_back({"long", fold, "neutral = std::numeric_limits<long>::max(), shards = 4"});
  expect_folds(cases, Fold::kMinimum);
}

TEST(KnownFolds, OtherFoldsAreNot) {
  const std::string saturating =
      "{ return a > std::numeric_limits<unsigned>::max() - b ? std::numeric_limits<unsigned>::max() : a + b; "
      "}";
  expect_folds({{"int", "{ return a * b; }", "neutral = 1, shards = 4"},
                {"int", "std::multiplies<>{}", "neutral = 1, shards = 4"},
                {"unsigned", "{ return a | b; }"},
                {"unsigned", "std::bit_xor<>{}"},
                {"unsigned", "{ return a & b; }", "neutral = ~0u, shards = 4"},
                {"unsigned", saturating},
                {"int", "[](long a, long b) { return a + b; }"}},
               Fold::kOther);
}

TEST(KnownFolds, ThoseOfOtherTypesAreNot) {
  expect_folds({{"std::string", "{ return std::max(a, b); }", "neutral = \"\", shards = 4"},
                {"double", "{ return std::max(a, b); }",
                 "neutral = -std::numeric_limits<double>::infinity(), shards = 4"},
                {"bool", "{ return std::max(a, b); }", "neutral = false, shards = 4"},
                {"char", "{ return a + b; }"},
                {"char", "std::plus<>{}"},
                {"wchar_t", "{ return a + b; }"},
                {"char16_t", "{ return std::max(a, b); }"},
                {"char32_t", "std::plus<>{}"}},
               Fold::kOther);
  const Outcome outcome = parse_text(
      "#include <functional>\n#include <string>\nclass [[autoshard::entity]] Q {\n"
      "  enum Level { kLow, kHigh };\n  [[autoshard::id]] int id_ = 0;\n"
      "  [[autoshard::shard_fold]] static Level merge(Level a, Level b) { return a > b ? a : b; }\n"
      "  [[autoshard::shardable(neutral = kLow, shards = 4)]] Level level_ = kLow;\n};\n");
  EXPECT_TRUE(outcome.ok) << outcome.output;
  EXPECT_EQ(outcome.model.entities.at(0).property("level_")->sharding->known_fold, Fold::kOther);
}

/// It is refused anyway, as the order matters; nothing is told of it where it is not tried.
TEST(KnownFolds, ConcatenationIsNoSum) {
  const Outcome outcome = parse_text(
      "#include <functional>\n#include <string>\nclass [[autoshard::entity]] Q {\n"
      "  [[autoshard::id]] int id_ = 0;\n"
      "  [[autoshard::shardable(neutral = \"\", shards = 4, fold = std::plus<>{})]] std::string x_;\n};\n");
  EXPECT_EQ(outcome.model.entities.at(0).property("x_")->sharding->known_fold, Fold::kOther);
}

TEST(KnownFolds, AStoreFoldsNoOtherRecords) {
  expect_folds({{"int", "std::plus<>{}", "neutral = 0"},
                {"int", "{ return a + b; }", "neutral = 0"},
                {"int", "std::plus<>{}", "neutral = 0, shards = adaptive"},
                {"int", "{ return a + b; }", "neutral = 0, shards = adaptive(2, 8)"},
                {"int", "std::plus<>{}", "neutral = 0, shards = 4, min = 0"},
                {"int", "{ return a + b; }", "neutral = 0, shards = 4, max = 100"},
                {"int", "std::plus<>{}", "neutral = 0, shards = 4, min = -5, max = 5"}},
               Fold::kOther);
}

TEST(KnownFolds, WhatElseAMemberHasMakesNoDifference) {
  expect_folds({{"int", "std::plus<>{}", "neutral = 0, shards = 4",
                 " public:\n  [[autoshard::shard_write]] void reset() { x_ = 0; }\n"},
                {"int", "std::plus<>{}", "neutral = 0, shards = 1"}},
               Fold::kSum);
}

/// Traits would differ between translation units otherwise.
TEST(KnownFolds, AreSeenWhereverTheClassIs) {
  const std::string later = "};\n";
  const std::string defined = "int Counter::merge(int a, int b) { return a + b; }\nstruct Last {\n";
  const std::string turned = "inline int Counter::merge(int b, int a) { return a + b; }\nstruct Last {\n";
  const std::string renamed =
      "inline int Counter::merge(int one, int two) { return one + two; }\nstruct Last {\n";
  const std::string arguments = "neutral = 0, shards = 4";
  expect_folds({{"int", ";", arguments, later + "inline " + defined},
                {"int", ";", arguments, later + turned},
                {"int", ";", arguments, later + renamed}},
               Fold::kSum);
  expect_folds({{"int", ";", arguments, later + defined}}, Fold::kOther);

  const std::string header = Case{"int", ";"}.text();
  const std::string source = "#include \"entity.h\"\n";
  for (const char* definition : {"int Counter::merge(int a, int b) { return a + b; }\n",
                                 "inline int Counter::merge(int a, int b) { return a + b; }\n"}) {
    const Outcome outcome = parse_source(header, source + definition);
    EXPECT_TRUE(outcome.ok) << outcome.output;
    EXPECT_EQ(outcome.model.entities.at(0).property("x_")->sharding->known_fold, Fold::kOther) << definition;
  }
}

TEST(KnownFolds, ShowInTheDumpedModel) {
  const auto dumped = [](const Case& one) {
    return dump(parse_text("#include <functional>\n" + one.text()).model);
  };
  EXPECT_NE(dumped({"int", "{ return a + b; }"}).find("\"known_fold\": \"sum\""), std::string::npos);
  EXPECT_NE(dumped({"int", "{ return a < b ? a : b; }", "neutral = 2147483647, shards = 4"})
                .find("\"known_fold\": \"minimum\""),
            std::string::npos);
  EXPECT_NE(dumped({"unsigned", "{ return a > b ? a : b; }"}).find("\"known_fold\": \"maximum\""),
            std::string::npos);
  EXPECT_EQ(dumped({"unsigned", "std::bit_or<>{}"}).find("known_fold"), std::string::npos);
  EXPECT_NE(dumped({"unsigned", "std::bit_or<>{}"}).find("\"operation\": \"or\""), std::string::npos);
}

}  // namespace
}  // namespace autoshard::tool
