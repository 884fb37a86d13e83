#pragma once

/// What the frontend gives to the stages behind it. Nothing in this header knows Clang.

#include "tool/model/diagnostic.h"
#include "tool/model/evaluator.h"
#include "tool/model/model.h"
#include "tool/model/prover.h"

namespace autoshard::tool {

/// What was read. Only valid while the function runs that it was given to.
class Parsed {
 public:
  virtual ~Parsed() = default;

  virtual const Model& model() const = 0;

  /// Shows what the checks found, each at its place.
  virtual void report(const Diagnostics& diagnostics) = 0;

  /// Runs what was read. Only for a model that passed every check.
  virtual Evaluator& evaluator() = 0;

  /// Proves what the evaluator has compiled.
  virtual Prover& prover() = 0;
};

}  // namespace autoshard::tool
