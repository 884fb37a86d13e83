#pragma once

#include <map>
#include <optional>
#include <string>

#include "tool/laws/trial/samples.h"
#include "tool/model/evaluator.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Of which types the compiler can evaluate values, or the prover can follow all of them. What the compiler
/// can is found out by trying: std::string, say, depends on the standard library. One sharded member that
/// cannot be evaluated must not keep the others from being judged.
class Evaluable {
 public:
  /// Compiles the support for the types of all sharded members and parameters on the way.
  Evaluable(const Model& model, Evaluator& evaluator, Containers containers = Containers::kReal);

  /// Why `type`, that of a sharded member, cannot be evaluated, or nothing if it can.
  std::optional<std::string> why_not(const Type& type) const;

  Containers containers() const { return containers_; }

 private:
  Containers containers_;
  std::map<std::string, std::string> reasons_;  ///< by canonical type
};

}  // namespace autoshard::tool
