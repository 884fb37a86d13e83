#pragma once

#include <llvm/Support/SMTAPI.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {

/// Looks for values of the symbols in formulas.
class Solver {
 public:
  /// How many steps one question may take. Steps are the same on every machine.
  static constexpr unsigned kMostSteps = 1'000'000;

  explicit Solver(unsigned most_steps = kMostSteps);

  /// Whether there are values for which `formula` is true. Nothing where that takes too many steps.
  std::optional<bool> is_possible(Term formula);

  /// The value of `symbol` among those that were found last; 0 where it makes no difference.
  llvm::APInt value(Term symbol);

 private:
  llvm::SMTExprRef expression(Term formula);
  llvm::SMTExprRef built(Term formula);
  llvm::SMTExprRef symbol(const std::string& name, unsigned width);
  /// A value of which nothing is known: one for each formula.
  llvm::SMTExprRef anything(Term formula, const std::string& name);
  llvm::SMTExprRef bits(Term formula);
  llvm::SMTExprRef truth(llvm::SMTExprRef bit);
  llvm::SMTExprRef joined(Term formula);
  llvm::SMTExprRef order_key(Term formula);
  llvm::SMTExprRef operation(Term formula, llvm::SMTExprRef x, llvm::SMTExprRef y);

  /// Of one law.
  static constexpr unsigned kMostQuestions = 200;

  unsigned questions_ = 0;
  llvm::SMTSolverRef solver_;
  llvm::DenseMap<Term, llvm::SMTExprRef> expressions_;
  llvm::DenseMap<Term, llvm::APInt> found_;
};

}  // namespace autoshard::tool
