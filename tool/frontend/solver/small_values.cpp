#include "tool/frontend/solver/small_values.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/DenseSet.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace autoshard::tool {
namespace {

/// The most symbols that get small values. Readers do not read longer counterexamples.
constexpr std::size_t kMostSymbols = 20;

bool is_of_reals(Operator what) {
  switch (what) {
    case Operator::kRealAdd:
    case Operator::kRealMultiply:
    case Operator::kRealInverse:
    case Operator::kWiden:
    case Operator::kNarrow:
    case Operator::kOrderKey:
      return true;
    default:
      return false;
  }
}

/// The symbols that stand for floating-point numbers: they occur in operations on floating-point numbers.
llvm::DenseSet<Term> reals_in(Term formula) {
  llvm::DenseSet<Term> reals, seen, seen_as_real;
  std::vector<std::pair<Term, bool>> open = {{formula, false}};
  while (!open.empty()) {
    const auto [next, is_real] = open.back();
    open.pop_back();
    if (!(is_real ? seen_as_real : seen).insert(next).second) continue;
    if (is_real && next->what == Operator::kSymbol) reals.insert(next);
    for (const Term part : next->parts) open.emplace_back(part, is_real || is_of_reals(next->what));
  }
  return reals;
}

/// Whether `symbol` is a number from `least` to `most`, which may be below 0.
Term is_between(Term symbol, std::int64_t least, std::int64_t most, Terms& terms) {
  const auto number = [&](std::int64_t value) {
    return terms.number(llvm::APInt(64, static_cast<std::uint64_t>(value)).trunc(symbol->width));
  };
  return terms.less(terms.subtract(symbol, number(least)), number(most - least + 1), false);
}

Term is_simple_real(Term symbol, Terms& terms) {
  Term result = terms.no();
  for (const double value : {0.0, 1.0, 2.0, 3.0, 10.0, -1.0, 0.5}) {
    llvm::APFloat real(value);
    bool loses = false;
    if (symbol->width == 32)
      real.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &loses);
    result = terms.either(result, terms.equal(symbol, terms.number(real.bitcastToAPInt())));
  }
  return result;
}

/// The wishes for a symbol, the best wish first.
std::vector<Term> wishes_for(Term symbol, bool is_real, Terms& terms) {
  if (is_real && (symbol->width == 32 || symbol->width == 64)) return {is_simple_real(symbol, terms)};
  constexpr std::pair<std::int64_t, std::int64_t> kRanges[] = {
      {0, 3},      {0, 100},          {-3, 3},        {-100, 100},
      {0, 10'000}, {-10'000, 10'000}, {0, 1'000'000}, {0, 10'000'000'000},
  };
  std::vector<Term> wishes;
  for (const auto& [least, most] : kRanges) {
    if (symbol->width >= 64 || most - least + 1 < std::int64_t{1} << symbol->width)
      wishes.push_back(is_between(symbol, least, most, terms));
  }
  return wishes;
}

}  // namespace

bool find_small_values(Term refuted, const std::map<std::int64_t, Term>& input, Terms& terms,
                       Solver& solver) {
  const llvm::DenseSet<Term> reals = reals_in(refuted);
  std::size_t symbols = 0;
  Term wanted = refuted;
  for (const auto& [at, symbol] : input) {
    if (symbol->width == 1 || symbols++ == kMostSymbols) continue;
    for (const Term wish : wishes_for(symbol, reals.contains(symbol), terms)) {
      const Term both = terms.both(wanted, wish);
      if (solver.is_possible(both) != true) continue;
      wanted = both;
      break;
    }
  }
  return solver.is_possible(wanted) == true;
}

}  // namespace autoshard::tool
