/// What is recognised in bodies: the operation of a fold, and bodies that are nothing but updates or
/// assignments.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {
namespace {

struct FoldCase {
  std::string type;
  std::string body;
  std::optional<Operation> expected;
};

const FoldCase kFolds[] = {
    {"int", "return x + y;", Operation::kAdd},
    {"int", "return (y) + x;", Operation::kAdd},
    {"short", "return x + y;", Operation::kAdd},
    {"double", "return x * y;", Operation::kMultiply},
    {"unsigned", "return x | y;", Operation::kBitOr},
    {"unsigned", "return x & y;", Operation::kBitAnd},
    {"unsigned", "return y ^ x;", Operation::kBitXor},
    {"std::bitset<8>", "return x | y;", Operation::kBitOr},
    {"std::bitset<8>", "return y & x;", Operation::kBitAnd},
    {"std::bitset<8>", "return x ^ y;", Operation::kBitXor},
    {"std::bitset<8>", "return x | ~y;", std::nullopt},
    {"int", "return std::max(x, y);", Operation::kMaximum},
    {"int", "return std::min<int>(y, x);", Operation::kMinimum},
    {"int", "return x > y ? x : y;", Operation::kMaximum},
    {"int", "return x > y ? y : x;", Operation::kMinimum},
    {"std::string", "return x < y ? y : x;", Operation::kMaximum},
    {"std::chrono::seconds", "return x + y;", Operation::kAdd},
    {"std::string", "return x + y;", Operation::kAppend},
    {"std::set<int>", "x.insert(y.begin(), y.end()); return x;", Operation::kInsert},
    {"std::unordered_set<int>", "y.insert(x.begin(), x.end()); return y;", Operation::kInsert},
    {"std::set<int>", "x.merge(y); return x;", Operation::kInsert},
    {"std::vector<int>", "x.insert(x.end(), y.begin(), y.end()); return x;", Operation::kAppend},
    {"int", "return x - y;", std::nullopt},
    {"int", "return x + x;", std::nullopt},
    {"int", "return x + y + 1;", std::nullopt},
    {"int", "return std::max<unsigned>(x, y);", std::nullopt},
    {"int", "return std::max(x, y, std::greater<int>{});", std::nullopt},
    {"int", "return x > 0 ? x : y;", std::nullopt},
    {"int", "++x; return x + y;", std::nullopt},
    {"int", "if (x > y) return x; return y;", std::nullopt},
    {"Money", "return x + y;", std::nullopt},
    {"std::set<int>", "x.insert(y.begin(), y.end()); return y;", std::nullopt},
    {"std::set<int>", "x.insert(x.begin(), x.end()); return x;", std::nullopt},
    {"std::map<int, int>", "x.insert(y.begin(), y.end()); return x;", std::nullopt},
    {"std::vector<int>", "x.insert(x.begin(), y.begin(), y.end()); return x;", std::nullopt},
};

constexpr const char* kHeaders =
    "#include <algorithm>\n#include <bitset>\n#include <chrono>\n#include <functional>\n#include "
    "<map>\n#include <set>\n"
    "#include <string>\n#include <unordered_set>\n#include <vector>\n"
    "struct Money { int cents; friend Money operator+(Money a, Money) { return a; } };\n";

TEST(Folds, OperationsAreReadFromTheBody) {
  std::string text =
      kHeaders + std::string("class [[autoshard::entity]] Folds {\n  [[autoshard::id]] int id_ = 0;\n");
  for (std::size_t at = 0; at < std::size(kFolds); ++at) {
    const std::string& type = kFolds[at].type;
    text += "  [[autoshard::shard_fold]] static " + type + " fold" + std::to_string(at) + "(" + type +
            " x, " + type + " y) { " + kFolds[at].body + " }\n";
  }
  const Model model = parse_text(text + "};\n").model;
  ASSERT_EQ(model.entities.size(), 1U);
  for (std::size_t at = 0; at < std::size(kFolds); ++at)
    EXPECT_EQ(model.entities[0].methods[at].fold_operation, kFolds[at].expected) << kFolds[at].body;
}

struct ExpressionCase {
  std::string type;
  std::string fold;
  std::optional<Operation> expected;
  std::vector<std::string> numbers{};
};

/// Without the headers that they need: generated code includes those.
const ExpressionCase kExpressions[] = {
    {"int", "std::plus<>{}", Operation::kAdd},
    {"unsigned", "std::bit_and{}", Operation::kBitAnd},
    {"long", "std::multiplies<>()", Operation::kMultiply},
    {"bool", "std::logical_or{}", std::nullopt},
    {"std::bitset<8>", "std::bit_xor<>{}", Operation::kBitXor},
    {"long", "[](long a, long b) { return a + b; }", Operation::kAdd},
    {"int", "[](auto a, const auto& b) { return std::max(a, b); }", Operation::kMaximum},
    {"int", "[](long a, long b) { return a + b; }", std::nullopt},
    {"int", "[](int a, int b) { return a + b > kMost ? 500 : a + b; }", std::nullopt, {"500", "700"}},
    {"int", "capped", std::nullopt, {"300"}},
    {"int", "bigger", Operation::kMaximum},
    {"long", "bigger", std::nullopt},
    {"int", "Unknown{}", std::nullopt},
};

TEST(Folds, OperationsAndConstantsAreReadFromTheExpression) {
  std::string text =
      "#include <bitset>\nconstexpr int kMost = 700;\ninline int capped(int a, int b) { return a + b > 300 ? "
      "a : b; }\n";
  for (std::size_t at = 0; at < std::size(kExpressions); ++at) {
    const std::string name = "E" + std::to_string(at);
    text += "class [[autoshard::entity]] " + name + " {\n  [[autoshard::id]] int id_ = 0;\n" +
            "  static int bigger(int a, int b) { return a < b ? b : a; }\n" +
            "  [[autoshard::shardable(neutral = 0, shards = 2, fold = " + kExpressions[at].fold + ")]] " +
            kExpressions[at].type + " n_ = 0;\n};\n";
  }
  const Model model = parse_text(text).model;
  ASSERT_EQ(model.entities.size(), std::size(kExpressions));
  for (std::size_t at = 0; at < std::size(kExpressions); ++at) {
    const Sharding& sharding = *model.entities[at].property("n_")->sharding;
    EXPECT_EQ(sharding.operation, kExpressions[at].expected) << kExpressions[at].fold;
    std::vector<std::string> numbers = sharding.constants.numbers;
    std::ranges::sort(numbers);
    EXPECT_EQ(numbers, kExpressions[at].numbers) << kExpressions[at].fold;
  }
}

TEST(Folds, NeutralValuesAreThoseOfTheMember) {
  const struct {
    std::string type;
    std::string neutral;
    std::optional<std::int64_t> expected;
  } kCases[] = {{"int", "0", 0},
                {"int", "-5", -5},
                {"unsigned char", "-1", 255},
                {"unsigned long", "-1", -1},
                {"int", "0x7fffffff", 0x7fffffff},
                {"unsigned", "std::numeric_limits<unsigned>::max()", 0xffffffff},
                {"short", "std::numeric_limits<short>::lowest()", -32768},
                {"int", "std::numeric_limits<short>::max()", std::nullopt},
                {"int", "kNone", std::nullopt},
                {"double", "0", std::nullopt},
                {"long", "18446744073709551615u", std::nullopt}};
  std::string text = "constexpr int kNone = 0;\n";
  for (std::size_t at = 0; at < std::size(kCases); ++at)
    text += "class [[autoshard::entity]] E" + std::to_string(at) + " {\n  [[autoshard::id]] int id_ = 0;\n" +
            "  [[autoshard::shardable(neutral = " + kCases[at].neutral +
            ", shards = 2, fold = std::plus<>{})]] " + kCases[at].type + " n_ = 0;\n};\n";
  const Model model = parse_text(text).model;
  ASSERT_EQ(model.entities.size(), std::size(kCases));
  for (std::size_t at = 0; at < std::size(kCases); ++at)
    EXPECT_EQ(model.entities[at].property("n_")->sharding->neutral_value, kCases[at].expected)
        << kCases[at].type << " " << kCases[at].neutral;
}

struct BodyCase {
  std::string body;
  std::string expected;  ///< `updates`, `assigns` or nothing, and the operands
};

const BodyCase kBodies[] = {
    {"++n_; n_ -= v;", "updates constant parameter1"},
    {"n_ += kStep; n_ += -2; n_ += 'a';", "updates constant constant constant"},
    {"n_ = v + n_; n_ = std::max(n_, v);", "updates parameter1 parameter1"},
    {"if (v > n_) n_ = v;", "updates parameter1"},
    {"if (n_ < 7) { n_ = 7; }", "updates constant"},
    {"n_ += 2 * v;", "updates other"},
    {"n_ = v;", "assigns"},
    {"n_ = 2 * v; text_ = name; list_ = {};", "assigns"},
    {"this->n_ = [](int x) { return x + 1; }(v);", "assigns"},
    {"n_ += v; v = 1;", " parameter1"},
    {"if (v > 0) n_ += v;", " parameter1"},
    {"++n_, ++n_;", " constant constant"},
    {"for (int i = 0; i < v; ++i) ++n_;", " constant"},
    {"ADD(n_, v);", ""},
    {"n_ = n_ + 1; return;", " constant"},
    {"n_ = m_;", ""},
    {"n_ = m_ = 1;", ""},
    {"{ n_ = 1; }", ""},
    {"money_ = Purse{v};", ""},
};

TEST(Bodies, AreKnownThatOnlyUpdateOrAssign) {
  std::string text = kHeaders + std::string(
                                    "#define ADD(x, by) x += by\nstruct Purse { int cents = 0; Purse& "
                                    "operator=(Purse other) { cents += other.cents; return *this; } };\n"
                                    "class C {\n public:\n  static constexpr int kStep = 3;\n");
  for (std::size_t at = 0; at < std::size(kBodies); ++at)
    text +=
        "  void f" + std::to_string(at) + "(const std::string& name, int v) { " + kBodies[at].body + " }\n";
  const Model model = parse_candidates(text +
                                       "\n private:\n  int n_ = 0; int m_ = 0; std::string text_; "
                                       "std::vector<int> list_; Purse money_;\n};\n");
  ASSERT_EQ(model.candidates.size(), 1U);
  ASSERT_EQ(model.candidates[0].methods.size(), std::size(kBodies));
  for (std::size_t at = 0; at < std::size(kBodies); ++at) {
    const Method& method = model.candidates[0].methods[at];
    std::string found = method.only_updates ? "updates" : method.only_assigns ? "assigns" : "";
    for (const Update& update : method.updates) {
      found += update.operand == Operand::kConstant    ? " constant"
               : update.operand == Operand::kParameter ? " parameter" + std::to_string(update.parameter)
                                                       : " other";
    }
    EXPECT_EQ(found, kBodies[at].expected) << kBodies[at].body;
  }
}

}  // namespace
}  // namespace autoshard::tool
