#include "tool/frontend/solver/solver.h"

#include <llvm/ADT/APSInt.h>
#include <llvm/ADT/DenseSet.h>

#include <vector>

namespace autoshard::tool {
namespace {

using Expression = llvm::SMTExprRef;

/// The most parts of a formula. A longer one is not solved, because the solver counts no steps while it
/// prepares a formula.
constexpr std::size_t kLongest = 3'000;

bool is_long(Term formula) {
  llvm::DenseSet<Term> seen = {formula};
  std::vector<Term> open = {formula};
  while (!open.empty()) {
    const Term next = open.back();
    open.pop_back();
    for (const Term part : next->parts) {
      if (seen.insert(part).second) open.push_back(part);
    }
    if (seen.size() > kLongest) return true;
  }
  return false;
}

}  // namespace

Solver::Solver(unsigned most_steps) : solver_(llvm::CreateZ3Solver()) {
  solver_->setUnsignedParam("rlimit", most_steps);
}

std::optional<bool> Solver::is_possible(Term formula) {
  if (formula->is_number()) return formula->value.getBoolValue();
  if (is_long(formula) || questions_++ == kMostQuestions) return std::nullopt;
  solver_->push();
  solver_->addConstraint(expression(formula));
  const std::optional<bool> possible = solver_->check();
  found_.clear();
  if (possible == true) {
    for (const auto& [term, symbol] : expressions_) {
      if (term->what != Operator::kSymbol || term->width == 1) continue;
      llvm::APSInt value(term->width, true);
      if (solver_->getInterpretation(symbol, value)) found_[term] = value;
    }
  }
  solver_->pop();
  return possible;
}

llvm::APInt Solver::value(Term symbol) {
  const auto found = found_.find(symbol);
  return found == found_.end() ? llvm::APInt::getZero(symbol->width) : found->second;
}

Expression Solver::expression(Term formula) {
  if (const auto found = expressions_.find(formula); found != expressions_.end()) return found->second;
  const Expression result = built(formula);
  expressions_[formula] = result;
  return result;
}

/// The formula as bits. A truth value becomes one bit, to be joined or compared.
Expression Solver::bits(Term formula) {
  if (formula->width > 1) return expression(formula);
  const auto bit = [&](std::uint64_t value) {
    return solver_->mkBitvector(llvm::APSInt(llvm::APInt(1, value), true), 1);
  };
  return solver_->mkIte(expression(formula), bit(1), bit(0));
}

Expression Solver::truth(Expression bit) {
  return solver_->mkEqual(bit, solver_->mkBitvector(llvm::APSInt(llvm::APInt(1, 1), true), 1));
}

Expression Solver::joined(Term formula) {
  Expression result = bits(formula->parts.front());
  for (const Term part : llvm::drop_begin(formula->parts)) result = solver_->mkBVConcat(result, bits(part));
  return result;
}

/// See Terms::order_key for a constant.
Expression Solver::order_key(Term formula) {
  const unsigned width = formula->width;
  const auto constant = [&](const llvm::APInt& value) {
    return solver_->mkBitvector(llvm::APSInt(value, true), width);
  };
  const Expression x = expression(formula->parts[0]), zero = constant(llvm::APInt::getZero(width));
  const Expression turned = solver_->mkBVXor(x, constant(llvm::APInt::getSignedMaxValue(width)));
  return solver_->mkIte(solver_->mkEqual(x, constant(llvm::APInt::getSignMask(width))), zero,
                        solver_->mkIte(solver_->mkBVSlt(x, zero), turned, x));
}

Expression Solver::symbol(const std::string& name, unsigned width) {
  return solver_->mkSymbol(name.c_str(),
                           width == 1 ? solver_->getBoolSort() : solver_->getBitvectorSort(width));
}

Expression Solver::anything(Term formula, const std::string& name) {
  return symbol(name + std::to_string(formula->number), formula->width);
}

Expression Solver::built(Term formula) {
  const bool is_truth = formula->width == 1;
  if (Terms::is_wide_product(formula)) return anything(formula, "product");
  // Terms has used all knowledge about these formulas. The solver takes them for any value.
  if (Terms::is_real_operation(formula)) return anything(formula, "real");
  switch (formula->what) {
    case Operator::kNumber:
      return is_truth ? solver_->mkBoolean(formula->value.getBoolValue())
                      : solver_->mkBitvector(llvm::APSInt(formula->value, true), formula->width);
    case Operator::kSymbol:
      return symbol(formula->name, formula->width);
    case Operator::kNot:
      return solver_->mkNot(expression(formula->parts[0]));
    case Operator::kChoice:
      return solver_->mkIte(expression(formula->parts[0]), expression(formula->parts[1]),
                            expression(formula->parts[2]));
    case Operator::kJoin:
      return joined(formula);
    case Operator::kExtract: {
      const Expression part =
          solver_->mkBVExtract(formula->low + formula->width - 1, formula->low, bits(formula->parts[0]));
      return is_truth ? truth(part) : part;
    }
    case Operator::kOrderKey:
      return order_key(formula);
    case Operator::kSignExtend:
      return solver_->mkBVSignExt(formula->width - formula->parts[0]->width, expression(formula->parts[0]));
    default:
      break;
  }
  Expression result = expression(formula->parts[0]);
  for (const Term part : llvm::drop_begin(formula->parts))
    result = operation(formula, result, expression(part));
  return result;
}

Expression Solver::operation(Term formula, Expression x, Expression y) {
  const bool is_truth = formula->width == 1;
  switch (formula->what) {
    case Operator::kAnd:
      return is_truth ? solver_->mkAnd(x, y) : solver_->mkBVAnd(x, y);
    case Operator::kOr:
      return is_truth ? solver_->mkOr(x, y) : solver_->mkBVOr(x, y);
    case Operator::kXor:
      return is_truth ? solver_->mkNot(solver_->mkEqual(x, y)) : solver_->mkBVXor(x, y);
    case Operator::kEqual:
      return solver_->mkEqual(x, y);
    case Operator::kLess:
      return solver_->mkBVUlt(x, y);
    case Operator::kSignedLess:
      return solver_->mkBVSlt(x, y);
    case Operator::kAdd:
      return solver_->mkBVAdd(x, y);
    case Operator::kMultiply:
      return solver_->mkBVMul(x, y);
    case Operator::kDivide:
      return solver_->mkBVUDiv(x, y);
    case Operator::kSignedDivide:
      return solver_->mkBVSDiv(x, y);
    case Operator::kRemainder:
      return solver_->mkBVURem(x, y);
    case Operator::kSignedRemainder:
      return solver_->mkBVSRem(x, y);
    case Operator::kShiftLeft:
      return solver_->mkBVShl(x, y);
    case Operator::kShiftRight:
      return solver_->mkBVLshr(x, y);
    case Operator::kSignedShiftRight:
      return solver_->mkBVAshr(x, y);
    case Operator::kLeast:
      return solver_->mkIte(solver_->mkBVUlt(x, y), x, y);
    case Operator::kGreatest:
      return solver_->mkIte(solver_->mkBVUlt(x, y), y, x);
    case Operator::kSignedLeast:
      return solver_->mkIte(solver_->mkBVSlt(x, y), x, y);
    case Operator::kSignedGreatest:
      return solver_->mkIte(solver_->mkBVSlt(x, y), y, x);
    case Operator::kAddFits:
      return solver_->mkBVAddNoOverflow(x, y, false);
    case Operator::kSignedAddFits:
      return solver_->mkAnd(solver_->mkBVAddNoOverflow(x, y, true), solver_->mkBVAddNoUnderflow(x, y));
    case Operator::kSubtractFits:
      return solver_->mkBVSubNoUnderflow(x, y, false);
    case Operator::kSignedSubtractFits:
      return solver_->mkAnd(solver_->mkBVSubNoOverflow(x, y), solver_->mkBVSubNoUnderflow(x, y, true));
    case Operator::kMultiplyFits:
      return solver_->mkBVMulNoOverflow(x, y, false);
    default: {
      // The solver's own test of signed products is wrong for -1.
      const unsigned width = formula->parts[0]->width;
      const Expression product =
          solver_->mkBVMul(solver_->mkBVSignExt(width, x), solver_->mkBVSignExt(width, y));
      const Expression kept = solver_->mkBVExtract(width - 1, 0, product);
      return solver_->mkEqual(solver_->mkBVSignExt(width, kept), product);
    }
  }
}

}  // namespace autoshard::tool
