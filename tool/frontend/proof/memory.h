#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <vector>

#include "tool/frontend/solver/terms.h"

namespace autoshard::tool {

/// A value of the IR.
struct Computed {
  Term value = nullptr;
  Term poison = nullptr;  ///< true if the value is poison: the result of undefined behaviour
};

/// A possible target of a pointer. Of all targets of a pointer, at most one has a true `when`. There is none
/// if the address is undefined behaviour.
struct Pointee {
  Term when = nullptr;
  const llvm::Value* base = nullptr;  ///< a variable, or the argument; null: a null pointer
  std::int64_t offset = 0;            ///< in bytes
};
using Pointer = llvm::SmallVector<Pointee, 1>;

/// The bytes of a function's variables at one point. A byte without a value has not been written yet.
class Memory {
 public:
  void add(const llvm::Value* variable, std::size_t size) { variables_[variable].resize(size); }
  bool has(const llvm::Value* variable) const { return variables_.contains(variable); }
  std::vector<Computed>& bytes(const llvm::Value* variable) { return variables_[variable]; }

  /// Takes the bytes of `other` for input for which `condition` holds, and keeps the others. `terms` makes
  /// the formulas.
  void merge(const Memory& other, Term condition, Terms& terms);

 private:
  llvm::MapVector<const llvm::Value*, std::vector<Computed>> variables_;
};

}  // namespace autoshard::tool
