#pragma once

#include <map>
#include <optional>
#include <string>

#include "tool/laws/trial/samples.h"
#include "tool/model/evaluator.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// The types whose values the compiler can evaluate, or a prover can follow. For the compiler, this is found
/// by trying: for example, std::string depends on the standard library. So one sharded member that cannot be
/// evaluated does not prevent the judgement of the others.
class Evaluable {
 public:
  /// Compiles the support for the types of all sharded members and parameters with `evaluator`.
  Evaluable(const Model& model, Evaluator& evaluator, Containers containers = Containers::kReal);

  /// Why values of `type`, the type of a sharded member, cannot be evaluated; nothing if they can.
  std::optional<std::string> why_not(const Type& type) const;

  Containers containers() const { return containers_; }

 private:
  Containers containers_;
  std::map<std::string, std::string> reasons_;  ///< reasons, by canonical type
};

}  // namespace autoshard::tool
