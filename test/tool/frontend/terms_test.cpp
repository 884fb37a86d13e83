/// Formulas of the prover: whatever their form becomes, they keep their value.

#include "tool/frontend/solver/terms.h"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tool/frontend/proof/clang_prover.h"
#include "tool/frontend/solver/solver.h"

namespace autoshard::tool {
namespace {

using llvm::APInt;
using Values = std::map<Term, APInt>;

bool fits(Operator what, const APInt& x, const APInt& y) {
  bool overflows = false;
  switch (what) {
    case Operator::kAddFits:
      static_cast<void>(x.uadd_ov(y, overflows));
      break;
    case Operator::kSignedAddFits:
      static_cast<void>(x.sadd_ov(y, overflows));
      break;
    case Operator::kSubtractFits:
      static_cast<void>(x.usub_ov(y, overflows));
      break;
    case Operator::kSignedSubtractFits:
      static_cast<void>(x.ssub_ov(y, overflows));
      break;
    case Operator::kMultiplyFits:
      static_cast<void>(x.umul_ov(y, overflows));
      break;
    default:
      static_cast<void>(x.smul_ov(y, overflows));
      break;
  }
  return !overflows;
}

/// What an operation of two numbers gives. A division by 0 gives what solvers agreed on.
APInt computed(Operator what, const APInt& x, const APInt& y) {
  const unsigned width = x.getBitWidth();
  const auto by = static_cast<unsigned>(y.getLimitedValue(width));
  switch (what) {
    case Operator::kAnd:
      return x & y;
    case Operator::kOr:
      return x | y;
    case Operator::kXor:
      return x ^ y;
    case Operator::kAdd:
      return x + y;
    case Operator::kMultiply:
      return x * y;
    case Operator::kDivide:
      return y.isZero() ? APInt::getAllOnes(width) : x.udiv(y);
    case Operator::kSignedDivide:
      if (y.isZero()) return x.isNegative() ? APInt(width, 1) : APInt::getAllOnes(width);
      return x.sdiv(y);
    case Operator::kRemainder:
      return y.isZero() ? x : x.urem(y);
    case Operator::kSignedRemainder:
      return y.isZero() ? x : x.srem(y);
    case Operator::kShiftLeft:
      return x.shl(by);
    case Operator::kShiftRight:
      return x.lshr(by);
    case Operator::kSignedShiftRight:
      return x.ashr(by);
    case Operator::kLeast:
      return x.ult(y) ? x : y;
    case Operator::kGreatest:
      return x.ult(y) ? y : x;
    case Operator::kSignedLeast:
      return x.slt(y) ? x : y;
    case Operator::kSignedGreatest:
      return x.slt(y) ? y : x;
    case Operator::kEqual:
      return APInt(1, x == y ? 1 : 0);
    case Operator::kLess:
      return APInt(1, x.ult(y) ? 1 : 0);
    case Operator::kSignedLess:
      return APInt(1, x.slt(y) ? 1 : 0);
    default:
      return APInt(1, fits(what, x, y) ? 1 : 0);
  }
}

APInt value_of(Term formula, Values& known) {
  if (const auto found = known.find(formula); found != known.end()) return found->second;
  std::vector<APInt> parts;
  for (const Term part : formula->parts) parts.push_back(value_of(part, known));
  const auto value = [&]() -> APInt {
    switch (formula->what) {
      case Operator::kNumber:
        return formula->value;
      case Operator::kSymbol:
        return APInt(formula->width, 0);
      case Operator::kNot:
        return ~parts[0];
      case Operator::kChoice:
        return parts[0].isZero() ? parts[2] : parts[1];
      case Operator::kExtract:
        return parts[0].extractBits(formula->width, formula->low);
      case Operator::kSignExtend:
        return parts[0].sext(formula->width);
      case Operator::kJoin: {
        APInt joined = parts[0];
        for (std::size_t at = 1; at < parts.size(); ++at) joined = joined.concat(parts[at]);
        return joined;
      }
      default: {
        APInt result = parts[0];
        for (std::size_t at = 1; at < parts.size(); ++at) result = computed(formula->what, result, parts[at]);
        return result;
      }
    }
  };
  return known.insert_or_assign(formula, value()).first->second;
}

/// Makes formulas at random, each beside the number that it must be.
class Maker {
 public:
  Maker(Terms& terms, std::uint64_t seed) : terms_(terms), random_(seed) {
    for (const unsigned width : {1U, 1U, 8U, 8U, 16U, 32U, 32U, 32U, 64U, 64U}) {
      const Term symbol = terms_.symbol("s" + std::to_string(made_.size()), width);
      const APInt value = number(width);
      values.insert_or_assign(symbol, value);
      made_.push_back({symbol, value});
    }
  }

  struct Made {
    Term formula;
    APInt value;
  };

  Made step() {
    Made made = make();
    made_.push_back(made);
    return made;
  }

  Values values;  ///< of the symbols

 private:
  unsigned pick(std::size_t count) { return static_cast<unsigned>(random_() % count); }

  /// Small numbers, edges and masks are more frequent than others.
  APInt number(unsigned width) {
    switch (pick(6)) {
      case 0:
        return APInt(width, pick(4) % (width == 1 ? 2 : 4));
      case 1:
        return APInt::getAllOnes(width);
      case 2:
        return APInt::getSignedMinValue(width);
      case 3:
        return APInt::getLowBitsSet(width, pick(width + 1)).rotl(pick(width));
      default:
        return APInt(64, random_()).trunc(width);
    }
  }

  Made one(unsigned width) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      const Made& made = made_[made_.size() - 1 - pick(std::min<std::size_t>(made_.size(), 24))];
      if (made.formula->width == width) return made;
    }
    const APInt value = number(width);
    return {terms_.number(value), value};
  }

  Made make() {
    constexpr unsigned kWidths[] = {1, 8, 16, 32, 64};
    const unsigned width = kWidths[pick(std::size(kWidths))];
    const Made x = one(width), y = one(width);
    switch (pick(9)) {
      case 0:
        return {terms_.equal(x.formula, y.formula), computed(Operator::kEqual, x.value, y.value)};
      case 1: {
        const bool is_signed = pick(2) == 0;
        return {terms_.less(x.formula, y.formula, is_signed),
                computed(is_signed ? Operator::kSignedLess : Operator::kLess, x.value, y.value)};
      }
      case 2: {
        const Made condition = one(1);
        return {terms_.choice(condition.formula, x.formula, y.formula),
                condition.value.isZero() ? y.value : x.value};
      }
      case 3: {
        if (width == 1) return {terms_.negation(x.formula), ~x.value};
        const unsigned part = 1 + pick(width), low = pick(width - part + 1);
        return {terms_.extract(x.formula, low, part), x.value.extractBits(part, low)};
      }
      case 4: {
        if (width == 64) return {terms_.negative(x.formula), -x.value};
        const bool is_signed = pick(2) == 0;
        return {is_signed ? terms_.sign_extended(x.formula, 64) : terms_.zero_extended(x.formula, 64),
                is_signed ? x.value.sext(64) : x.value.zext(64)};
      }
      case 5:
        if (width > 32) return {terms_.subtract(x.formula, y.formula), x.value - y.value};
        return {terms_.join({x.formula, y.formula}), x.value.concat(y.value)};
      case 6: {
        if (width == 1) return {terms_.both(x.formula, y.formula), x.value & y.value};
        constexpr Operator kOf[] = {Operator::kMultiply,        Operator::kDivide,
                                    Operator::kSignedDivide,    Operator::kRemainder,
                                    Operator::kSignedRemainder, Operator::kShiftLeft,
                                    Operator::kShiftRight,      Operator::kSignedShiftRight,
                                    Operator::kAddFits,         Operator::kSignedAddFits,
                                    Operator::kSubtractFits,    Operator::kSignedSubtractFits,
                                    Operator::kMultiplyFits,    Operator::kSignedMultiplyFits};
        const Operator what = kOf[pick(std::size(kOf))];
        return {terms_.compute(what, x.formula, y.formula), computed(what, x.value, y.value)};
      }
      default: {
        constexpr Operator kOf[] = {
            Operator::kAnd,   Operator::kOr,       Operator::kXor,         Operator::kAdd,
            Operator::kLeast, Operator::kGreatest, Operator::kSignedLeast, Operator::kSignedGreatest};
        const Operator what = kOf[pick(std::size(kOf))];
        return {terms_.combine(what, {x.formula, y.formula}), computed(what, x.value, y.value)};
      }
    }
  }

  Terms& terms_;
  std::mt19937_64 random_;
  std::vector<Made> made_;
};

std::uint64_t first_seed() {
  if (const char* seed = std::getenv("AUTOSHARD_TEST_SEED")) return std::strtoull(seed, nullptr, 10);
  return std::random_device()();
}

TEST(Terms, KeepTheirValueInWhicheverForm) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 4000; ++seed) {
    SCOPED_TRACE("AUTOSHARD_TEST_SEED=" + std::to_string(seed));
    Terms terms;
    Maker maker(terms, seed);
    Values known = maker.values;
    for (int step = 0; step < 120; ++step) {
      const Maker::Made made = maker.step();
      ASSERT_EQ(made.formula->width, made.value.getBitWidth());
      ASSERT_EQ(value_of(made.formula, known), made.value) << "step " << step;
      if (made.formula->width != 1 || step % 10 != 0) continue;
      ASSERT_EQ(value_of(terms.by_cases(made.formula), known), made.value) << "by cases, step " << step;
      const auto is_true = [&](Term way) { return value_of(way, known).isOne(); };
      const auto ways = terms.alternatives(made.formula);
      ASSERT_TRUE(made.value.isZero() || std::any_of(ways.begin(), ways.end(), is_true)) << "step " << step;
    }
  }
}

TEST(Terms, AreSubstitutedEverywhere) {
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    SCOPED_TRACE("AUTOSHARD_TEST_SEED=" + std::to_string(seed));
    Terms terms;
    Maker maker(terms, seed);
    Term last = nullptr;
    for (int step = 0; step < 60; ++step) last = maker.step().formula;
    Values known = maker.values;
    const APInt expected = value_of(last, known);
    Term numbers = last;
    for (const auto& [symbol, value] : maker.values)
      numbers = terms.substitute(numbers, symbol, terms.number(value));
    ASSERT_EQ(numbers->what, Operator::kNumber) << "nothing is left unknown";
    ASSERT_EQ(numbers->value, expected);
  }
}

TEST(Solver, KnowsEachOperation) {
  if (!has_solver()) GTEST_SKIP() << "NOT TESTED: this LLVM has no solver";
  std::mt19937_64 random(first_seed());
  Terms terms;
  for (int what = static_cast<int>(Operator::kAnd); what <= static_cast<int>(Operator::kSignedMultiplyFits);
       ++what) {
    const auto of = static_cast<Operator>(what);
    if (of == Operator::kChoice || of == Operator::kJoin || of == Operator::kExtract ||
        of == Operator::kSignExtend || (of >= Operator::kRealAdd && of <= Operator::kOrderKey))
      continue;
    const bool is_several = of <= Operator::kXor || of == Operator::kAdd ||
                            (of >= Operator::kLeast && of <= Operator::kSignedGreatest);
    Solver solver;
    for (int round = 0; round < 40; ++round) {
      const APInt edges[] = {APInt(16, 0),
                             APInt(16, 1),
                             APInt::getAllOnes(16),
                             APInt::getSignedMinValue(16),
                             APInt::getSignedMaxValue(16),
                             APInt(64, random()).trunc(16),
                             APInt(64, random()).trunc(16)};
      const APInt a = edges[random() % std::size(edges)], b = edges[random() % std::size(edges)];
      const Term x = terms.symbol("x", 16), y = terms.symbol("y", 16);
      const Term made = of == Operator::kEqual        ? terms.equal(x, y)
                        : of == Operator::kLess       ? terms.less(x, y, false)
                        : of == Operator::kSignedLess ? terms.less(x, y, true)
                        : is_several                  ? terms.combine(of, {x, y})
                                                      : terms.compute(of, x, y);
      const Term given = terms.both(terms.equal(x, terms.number(a)), terms.equal(y, terms.number(b)));
      const Term right = terms.equal(made, terms.number(computed(of, a, b)));
      const std::string shown =
          std::to_string(what) + " of " + llvm::toString(a, 10, true) + " and " + llvm::toString(b, 10, true);
      EXPECT_EQ(solver.is_possible(terms.both(given, right)), true) << "operation " << shown;
      EXPECT_EQ(solver.is_possible(terms.both(given, terms.negation(right))), false) << "operation " << shown;
    }
  }
}

TEST(Solver, FindsWhatIsPossible) {
  if (!has_solver()) GTEST_SKIP() << "NOT TESTED: this LLVM has no solver";
  const std::uint64_t first = first_seed();
  for (std::uint64_t seed = first; seed < first + 30; ++seed) {
    SCOPED_TRACE("AUTOSHARD_TEST_SEED=" + std::to_string(seed));
    Terms terms;
    Maker maker(terms, seed);
    Values known = maker.values;
    Solver solver;
    for (int step = 0; step < 60; ++step) {
      const Maker::Made made = maker.step();
      if (made.formula->width != 1) continue;
      const Term truth = made.value.isOne() ? made.formula : terms.negation(made.formula);
      ASSERT_NE(solver.is_possible(truth), false) << "step " << step;
      ASSERT_NE(solver.is_possible(terms.order_of(truth)), false) << "order, step " << step;
      // What a wide product is, the solver may choose.
      if (solver.is_possible(terms.negation(truth)) != true || terms.has_wide_product(truth)) continue;
      Values found;
      for (const auto& [symbol, value] : maker.values) {
        if (symbol->width > 1) found.insert_or_assign(symbol, solver.value(symbol));
      }
      // Truth values are not asked back, so both are tried.
      bool is_right = false;
      for (unsigned bits = 0; bits < 4; ++bits) {
        Values all = found;
        unsigned at = 0;
        for (const auto& [symbol, value] : maker.values) {
          if (symbol->width == 1) all.insert_or_assign(symbol, APInt(1, (bits >> at++) & 1));
        }
        is_right = is_right || value_of(truth, all).isZero();
      }
      ASSERT_TRUE(is_right) << "the solver's values make it true, step " << step;
    }
  }
}

TEST(Solver, TakesEqualWideProductsForOneUnknownNumber) {
  if (!has_solver()) GTEST_SKIP() << "NOT TESTED: this LLVM has no solver";
  Terms terms;
  Solver solver;
  const Term x = terms.symbol("x", 64), y = terms.symbol("y", 64), z = terms.symbol("z", 64),
             sum = terms.symbol("sum", 64);
  const auto is_possible = [&](Term truth) { return solver.is_possible(truth); };
  for (const Operator what : {Operator::kMultiply, Operator::kDivide, Operator::kSignedRemainder}) {
    const Term product = terms.compute(what, x, y);
    EXPECT_TRUE(terms.has_wide_product(terms.add(product, sum)));
    // Not one formula, so that the solver is asked.
    const Term is_less = terms.less(product, sum, false), is_greater = terms.less(sum, product, false);
    EXPECT_EQ(is_possible(terms.both(is_less, is_greater)), false);
    const Term other = terms.compute(what, x, z);
    EXPECT_EQ(is_possible(terms.negation(terms.equal(product, other))), true);
    EXPECT_EQ(is_possible(terms.equal(product, terms.number(7, 64))), true);
    EXPECT_FALSE(terms.has_wide_product(terms.compute(what, x, terms.number(7, 64))));
  }
  for (const Operator what : {Operator::kMultiply, Operator::kMultiplyFits, Operator::kSignedMultiplyFits})
    EXPECT_EQ(terms.compute(what, x, y), terms.compute(what, y, x));
  const Term a = terms.symbol("a", 16), b = terms.symbol("b", 16);
  EXPECT_FALSE(terms.has_wide_product(terms.compute(Operator::kMultiply, a, b)));
}

TEST(Terms, OfSumsMaximaAndMasksAreTheSame) {
  Terms terms;
  const Term x = terms.symbol("x", 32), y = terms.symbol("y", 32), z = terms.symbol("z", 32);
  EXPECT_EQ(terms.add(terms.add(x, y), z), terms.add(x, terms.add(z, y)));
  const auto greater = [&](Term a, Term b) { return terms.combine(Operator::kSignedGreatest, {a, b}); };
  EXPECT_EQ(greater(greater(x, y), z), greater(z, greater(y, greater(x, y))));
  EXPECT_EQ(terms.join({terms.extract(x, 16, 16), terms.extract(x, 0, 16)}), x);
  const Term sum = terms.add(x, y);
  EXPECT_EQ(terms.join({terms.extract(sum, 8, 24), terms.extract(sum, 0, 8)}), sum);
  EXPECT_EQ(terms.equal(terms.add(x, z), terms.add(z, y)), terms.equal(x, y));
}

/// Doubles of all sizes, and those at the edges.
APInt random_real(std::mt19937_64& random) {
  constexpr double kEdges[] = {
      0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, 1.7976931348623157e308, -1.7976931348623157e308};
  const std::uint64_t bits = random();
  llvm::APFloat value(kEdges[bits % 8]);
  if (bits % 3 != 0) value = llvm::APFloat(llvm::APFloat::IEEEdouble(), APInt(64, random()));
  return (value.isFinite() ? value : llvm::APFloat(2.5)).bitcastToAPInt();
}

TEST(Terms, RealsAreOrderedAsNumbersAre) {
  const std::uint64_t seed = std::random_device()();
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 300; ++round) {
    Terms terms;
    const APInt a = random_real(random), b = random_real(random);
    const double x = a.bitsToDouble(), y = b.bitsToDouble();
    const Term one = terms.number(a), other = terms.number(b);
    EXPECT_EQ(terms.less(terms.order_key(one), terms.order_key(other), true), terms.truth(x < y))
        << x << ' ' << y;
    EXPECT_EQ(terms.equal(terms.order_key(one), terms.order_key(other)), terms.truth(x == y))
        << x << ' ' << y;
    if (!has_solver()) continue;
    Solver solver;
    const Term p = terms.symbol("p", 64), q = terms.symbol("q", 64);
    const Term are_these = terms.both(terms.equal(p, one), terms.equal(q, other));
    const auto is_possible = [&](Term truth) { return solver.is_possible(terms.both(are_these, truth)); };
    const Term is_less = terms.less(terms.order_key(p), terms.order_key(q), true);
    const Term is_equal = terms.equal(terms.order_key(p), terms.order_key(q));
    EXPECT_EQ(is_possible(is_less), x < y) << x << ' ' << y << " seed " << seed;
    EXPECT_EQ(is_possible(is_equal), x == y) << x << ' ' << y << " seed " << seed;
  }
}

TEST(Terms, SumsAndProductsOfRealsAreTheSameInAnyOrder) {
  Terms terms;
  const Term x = terms.symbol("x", 64), y = terms.symbol("y", 64), z = terms.symbol("z", 64);
  const auto real = [&](double value) { return terms.number(llvm::APFloat(value).bitcastToAPInt()); };
  for (const Operator what : {Operator::kRealAdd, Operator::kRealMultiply}) {
    const auto of = [&](Term a, Term b) { return terms.combine_reals(what, {a, b}); };
    EXPECT_EQ(of(of(x, y), z), of(x, of(z, y)));
    EXPECT_NE(of(x, x), x);
    EXPECT_EQ(of(x, real(what == Operator::kRealAdd ? 0 : 1)), x);
    EXPECT_EQ(of(of(x, real(2)), real(4)), of(x, real(what == Operator::kRealAdd ? 6 : 8)));
  }
  const auto multiple = [&](Term of) { return terms.combine_reals(Operator::kRealMultiply, {of, real(3)}); };
  const auto sum = [&](Term a, Term b) { return terms.combine_reals(Operator::kRealAdd, {a, b}); };
  EXPECT_EQ(multiple(sum(x, y)), sum(multiple(y), multiple(x)));
  EXPECT_TRUE(terms.is_rounded(terms.order_key(sum(x, y))));
  EXPECT_FALSE(terms.is_rounded(terms.order_key(x)));
}

}  // namespace
}  // namespace autoshard::tool
