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
  Term poison = nullptr;  ///< whether the value is the result of an operation without meaning
};

/// Where a pointer may point to: one of these holds.
struct Pointee {
  Term when = nullptr;
  const llvm::Value* base = nullptr;  ///< a variable, or the argument; null: a null pointer
  std::int64_t offset = 0;            ///< in bytes
};
using Pointer = llvm::SmallVector<Pointee, 1>;

/// The variables of a function at one point of it, byte by byte. A byte without a value was not written yet.
class Memory {
 public:
  void add(const llvm::Value* variable, std::size_t size) { variables_[variable].resize(size); }
  bool has(const llvm::Value* variable) const { return variables_.contains(variable); }
  std::vector<Computed>& bytes(const llvm::Value* variable) { return variables_[variable]; }

  /// What is in memory where `condition` holds becomes that of `other`.
  void merge(const Memory& other, Term condition, Terms& terms);

 private:
  llvm::MapVector<const llvm::Value*, std::vector<Computed>> variables_;
};

}  // namespace autoshard::tool
