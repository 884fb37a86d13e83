// What is said of laws that are not proved, and what ends that.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "test/tool/diagnostics/source.h"
#include "tool/frontend/proof/clang_prover.h"

namespace autoshard::tool {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr char kRule[] = "autoshard-law-not-proved";

/// A class whose update is right, in a way that no prover follows: a loop of unknown length.
std::string area(const std::string& of_update = "", const std::string& of_sum = "") {
  return fmt::format(R"(class [[autoshard::entity]] Field {{
 public:
  [[autoshard::shard_method{}]] void add(long a, long b) {{
    for (long at = 0; at < b * a; at += a + 1) ++area_;
  }}

 private:
  [[autoshard::shard_fold]] static long total(long x, long y) {{ return x + y; }}
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0{})]] long area_ = 0;
}};
)",
                     of_update, of_sum);
}

/// A class whose fold the compiler cannot evaluate.
constexpr char kPile[] = R"(double blended(double x, double y);
class [[autoshard::entity]] Pile {
 public:
  [[autoshard::shard_write]] void reset() { height_ = 0; }

 private:
  [[autoshard::shard_fold]] static double blend(double x, double y) { return blended(x, y); }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0)]] double height_ = 0;
};
)";

std::size_t count_of(const Outcome& outcome, std::string_view rule = kRule) {
  return static_cast<std::size_t>(
      std::ranges::count(outcome.diagnostics, rule, [](const Diagnostic& one) { return one.rule; }));
}

TEST(Unproved, TheStringInAStructIsNamed) {
  if (!has_solver()) GTEST_SKIP() << "NOT TESTED: this LLVM has no solver";
  const Outcome outcome = prove_text(R"(#include <string>
struct Bid {
  long amount = 0;
  std::string bidder;
};
class [[autoshard::entity]] Lot {
 public:
  [[autoshard::shard_method]] void bid(const Bid& b) { best_ = better(best_, b); }

 private:
  [[autoshard::shard_fold]] static Bid better(Bid x, Bid y) {
    return y.amount > x.amount || (x.amount == y.amount && y.bidder < x.bidder) ? y : x;
  }
  [[autoshard::id]] long id_ = 0;
  [[autoshard::shardable(neutral = Bid{}, shards = 8)]] Bid best_;
};
)");
  ASSERT_GT(count_of(outcome), 0U) << outcome.output;
  EXPECT_THAT(outcome.diagnostics.front().message,
              HasSubstr("the prover does not know all values of 'Bid', which contains a 'std::string'"));
}

TEST(Unproved, AProductOfUnknownNumbersIsNamed) {
  if (!has_solver()) GTEST_SKIP() << "NOT TESTED: this LLVM has no solver";
  const Outcome outcome = prove_text(R"(class [[autoshard::entity]] Field {
 public:
  [[autoshard::shard_method]] void add(unsigned n) {
    if (1UL * area_ * area_ != 17) area_ += n;  // which is no square
  }

 private:
  [[autoshard::shard_fold]] static unsigned total(unsigned x, unsigned y) { return x + y; }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0)]] unsigned area_ = 0;
};
)");
  ASSERT_THAT(outcome.diagnostics, SizeIs(1)) << outcome.output;
  EXPECT_EQ(outcome.diagnostics.front().rule, kRule);
  EXPECT_THAT(outcome.diagnostics.front().message, HasSubstr("a product or a quotient of unknown numbers"));
}

TEST(Unproved, AnUpdateEarnsAWarningThatSaysWhyAndWhatToDo) {
  const Outcome outcome = prove_text(area());
  ASSERT_THAT(outcome.diagnostics, SizeIs(1)) << outcome.output;
  const Diagnostic& found = outcome.diagnostics.front();
  EXPECT_EQ(found.rule, kRule);
  EXPECT_EQ(found.severity, Diagnostic::Severity::kWarning);
  EXPECT_THAT(found.message,
              HasSubstr("it is not proved that add gives the same on whichever shard it runs: "));
  EXPECT_THAT(found.message, HasSubstr("it was tried on "));
  EXPECT_THAT(found.message, HasSubstr("shard_method(trusted = "));
}

TEST(Unproved, TheLawsOfOneFoldShareAWarning) {
  const Outcome outcome = prove_text(kPile);
  ASSERT_EQ(count_of(outcome), 1U) << outcome.output;
  for (const Diagnostic& found : outcome.diagnostics) {
    if (found.rule != kRule) continue;
    EXPECT_THAT(found.message, HasSubstr("that blend is commutative and associative and that 0 is neutral"));
    EXPECT_THAT(found.message, HasSubstr("shardable(…, trusted = "));
  }
}

TEST(Unproved, AReasonEndsTheWarningAndIsListed) {
  const Outcome outcome = prove_text(area(R"((trusted = "it counts steps"))"));
  EXPECT_EQ(count_of(outcome), 0U);
  EXPECT_THAT(outcome.explanation, HasSubstr("laws that are trusted"));
  EXPECT_THAT(outcome.explanation, HasSubstr("trusted: \"it counts steps\""));
}

TEST(Unproved, TheReasonOfAFoldIsNoneOfAnUpdate) {
  EXPECT_EQ(count_of(prove_text(area("", R"(, trusted = "it is a sum")"))), 1U);
}

TEST(Unproved, AReasonEndsNoError) {
  std::string wrong = area(R"((trusted = "trust me"))");
  wrong.replace(wrong.find("++area_"), 7, "if (area_ < 3) ++area_");
  const Outcome outcome = prove_text(wrong);
  EXPECT_EQ(count_of(outcome, "autoshard-method-does-not-commute"), 1U);
  EXPECT_THAT(outcome.explanation, Not(HasSubstr("trusted")));
}

TEST(Unproved, AReasonSaysSomething) {
  for (const char* reason : {R"("")", R"("  ")", R"("" "")", R"y(R"x()x")y", "true"}) {
    const Outcome outcome = prove_text(area(fmt::format("(trusted = {})", reason)));
    EXPECT_EQ(count_of(outcome, "autoshard-trusted-reason"), 1U) << reason;
  }
}

TEST(Unproved, LawTestsEndTheWarning) {
  EXPECT_EQ(count_of(prove_text(area(), {.laws_are_tested = true})), 0U);
  EXPECT_EQ(count_of(prove_text(kPile, {.laws_are_tested = true})), 0U);
}

/// What the rule would have said is no longer in the way of what may be wrong as well.
TEST(Unproved, ADisabledRuleOfAFoldHidesNoUpdateThatIsWrong) {
  constexpr char kGauge[] = R"(class [[autoshard::entity]] Gauge {
 public:
  [[autoshard::shard_method]] void raise(int to) { if (highest_ < to) highest_ = to; }
  [[autoshard::shard_method]] void add(int by) { highest_ += by; }

 private:
  [[autoshard::shard_fold]] static int higher(int x, int y) { return x < y ? y : x; }
  [[autoshard::id]] int id_ = 0;
  [[autoshard::shardable(neutral = 0)]] int highest_ = 0;
};
)";
  EXPECT_EQ(count_of(prove_text(kGauge), "autoshard-method-does-not-commute"), 0U);
  const Outcome outcome = prove_text(kGauge, {.disabled = {"neutral-not-identity"}});
  EXPECT_EQ(count_of(outcome, "autoshard-method-does-not-commute"), 1U) << outcome.output;
  EXPECT_THAT(outcome.diagnostics, SizeIs(1));
}

/// Law tests need an object to begin with.
TEST(Unproved, LawTestsThatCannotTryALawEndNothing) {
  std::string untestable = area();
  untestable.replace(untestable.find("long b)"), 7, "long b, const void* = nullptr)");
  const Outcome outcome = prove_text(untestable, {.laws_are_tested = true});
  ASSERT_EQ(count_of(outcome), 1U) << outcome.output;
  EXPECT_THAT(outcome.diagnostics.front().message, Not(HasSubstr("law tests")));
}

TEST(Unproved, TheWarningCanBeDisabledOrBecomeAnError) {
  EXPECT_EQ(count_of(prove_text(area(), {.disabled = {"law-not-proved"}})), 0U);
  EXPECT_EQ(count_of(prove_text(area(), {.disabled = {"method-does-not-commute"}})), 0U);
  const Outcome outcome = prove_text(area(), {.warnings_are_errors = true});
  ASSERT_EQ(count_of(outcome), 1U);
  EXPECT_EQ(outcome.diagnostics.front().severity, Diagnostic::Severity::kError);
}

TEST(Unproved, AMethodInASourceIsLeftToThatSource) {
  std::string declared = area();
  const std::size_t body = declared.find(" {\n    for");
  declared.replace(body, declared.find("}\n\n") + 1 - body, ";");
  EXPECT_EQ(count_of(prove_text(declared)), 0U);
}

TEST(Unproved, NothingIsSaidOfWhatIsProved) { EXPECT_THAT(prove_text(question("")).diagnostics, SizeIs(0)); }

}  // namespace
}  // namespace autoshard::tool
