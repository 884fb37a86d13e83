#pragma once

#include <llvm/Support/SMTAPI.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {

/// Looks for values of the symbols in formulas. One solver serves the questions about one law.
class Solver {
 public:
  /// The most steps for one question. The number of steps is the same on every machine.
  static constexpr unsigned kMostSteps = 1'000'000;

  explicit Solver(unsigned most_steps = kMostSteps);

  /// Whether there are values for which `formula` is true. Returns nothing if `formula` is too long, if the
  /// answer takes too many steps, or after kMostQuestions questions.
  std::optional<bool> is_possible(Term formula);

  /// The value of `symbol` in the last solution; 0 if the solution does not depend on it. The last call of
  /// is_possible() must have returned true.
  llvm::APInt value(Term symbol);

 private:
  llvm::SMTExprRef expression(Term formula);
  llvm::SMTExprRef built(Term formula);
  llvm::SMTExprRef symbol(const std::string& name, unsigned width);
  /// An unknown value, one for each formula.
  llvm::SMTExprRef anything(Term formula, const std::string& name);
  llvm::SMTExprRef bits(Term formula);
  llvm::SMTExprRef truth(llvm::SMTExprRef bit);
  llvm::SMTExprRef joined(Term formula);
  llvm::SMTExprRef order_key(Term formula);
  llvm::SMTExprRef operation(Term formula, llvm::SMTExprRef x, llvm::SMTExprRef y);

  /// The most questions about one law.
  static constexpr unsigned kMostQuestions = 200;

  unsigned questions_ = 0;
  llvm::SMTSolverRef solver_;
  llvm::DenseMap<Term, llvm::SMTExprRef> expressions_;
  llvm::DenseMap<Term, llvm::APInt> found_;
};

}  // namespace autoshard::tool
