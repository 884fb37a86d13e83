// Formulas in which a condition or a value is known.
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {
namespace {

/// The most cases, and the most conditions of one case.
constexpr unsigned kMostCases = 256;
constexpr unsigned kMostConditions = 24;

/// The condition of a choice in `formula`, an outer one or an inner one; null if there is no choice.
Term find_condition(Term formula, bool outer, llvm::DenseSet<Term>& seen) {
  if (!seen.insert(formula).second) return nullptr;
  if (outer && formula->what == Operator::kChoice) return formula->parts[0];
  for (const Term part : formula->parts) {
    if (const Term found = find_condition(part, outer, seen)) return found;
  }
  return formula->what == Operator::kChoice ? formula->parts[0] : nullptr;
}

}  // namespace

Term Terms::rebuilt(Term formula, llvm::ArrayRef<Term> parts) {
  switch (formula->what) {
    case Operator::kNumber:
    case Operator::kSymbol:
      return formula;
    case Operator::kNot:
      return negation(parts[0]);
    case Operator::kChoice:
      return choice(parts[0], parts[1], parts[2]);
    case Operator::kEqual:
      return equal(parts[0], parts[1]);
    case Operator::kLess:
      return less(parts[0], parts[1], false);
    case Operator::kSignedLess:
      return less(parts[0], parts[1], true);
    case Operator::kJoin:
      return join(parts);
    case Operator::kExtract:
      return extract(parts[0], formula->low, formula->width);
    case Operator::kSignExtend:
      return sign_extended(parts[0], formula->width);
    case Operator::kAnd:
    case Operator::kOr:
    case Operator::kXor:
    case Operator::kAdd:
    case Operator::kLeast:
    case Operator::kGreatest:
    case Operator::kSignedLeast:
    case Operator::kSignedGreatest:
      return combine(formula->what, parts);
    case Operator::kRealAdd:
    case Operator::kRealMultiply:
      return combine_reals(formula->what, parts);
    case Operator::kOrderKey:
      return order_key(parts[0]);
    case Operator::kRealInverse:
    case Operator::kWiden:
    case Operator::kNarrow:
    case Operator::kRealOf:
    case Operator::kRealOfSigned:
      return convert(formula->what, parts[0], formula->width);
    default:
      return compute(formula->what, parts[0], parts[1]);
  }
}

Term Terms::substitute(Term formula, llvm::DenseMap<Term, Term>& known) {
  if (const auto found = known.find(formula); found != known.end()) return found->second;
  if (formula->what == Operator::kChoice) {
    const Term condition = substitute(formula->parts[0], known);
    if (condition->is_number()) {
      const Term taken = substitute(formula->parts[condition->is_zero() ? 2 : 1], known);
      return known[formula] = taken;
    }
  }
  llvm::SmallVector<Term, 4> parts;
  bool is_changed = false;
  for (const Term part : formula->parts) {
    parts.push_back(substitute(part, known));
    is_changed = is_changed || parts.back() != part;
  }
  const Term result = is_changed ? rebuilt(formula, parts) : formula;
  known[formula] = result;
  return result;
}

Term Terms::substitute(Term formula, Term term, Term value) {
  llvm::DenseMap<Term, Term> known;
  known[term] = value;
  return substitute(formula, known);
}

llvm::SmallVector<Term, 4> Terms::alternatives(Term formula) {
  llvm::SmallVector<Term, 4> ways;
  if (formula->what == Operator::kOr) {
    ways.append(formula->parts.begin(), formula->parts.end());
  } else if (formula->what == Operator::kNot && formula->parts[0]->what == Operator::kAnd) {
    for (const Term part : formula->parts[0]->parts) ways.push_back(negation(part));
  } else {
    ways.push_back(formula);
  }
  return ways;
}

Term Terms::by_cases(Term formula) {
  // The outer conditions come from branches of a function, the inner ones from its computations.
  for (const bool outer : {true, false}) {
    unsigned left = kMostCases;
    formula = by_cases(formula, outer, kMostConditions, left);
  }
  return formula;
}

Term Terms::by_cases(Term formula, bool outer, unsigned depth, unsigned& left) {
  if (formula->is_number() || depth == 0 || left == 0) return formula;
  llvm::DenseSet<Term> seen;
  const Term condition = find_condition(formula, outer, seen);
  if (!condition) return formula;
  --left;
  // If the condition says that a symbol equals a number, the number replaces the symbol everywhere.
  Term when_true = substitute(formula, condition, yes_);
  if (condition->what == Operator::kEqual) {
    for (const unsigned at : {0U, 1U}) {
      if (condition->parts[at]->is_number())
        when_true = substitute(when_true, condition->parts[1 - at], condition->parts[at]);
    }
  }
  const Term when_false = substitute(formula, condition, no_);
  const Term then = by_cases(when_true, outer, depth - 1, left);
  return choice(condition, then, by_cases(when_false, outer, depth - 1, left));
}

}  // namespace autoshard::tool
