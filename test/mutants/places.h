#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "clang/AST/ASTContext.h"

namespace mutants {

/// A change that a mutant makes. `#` stands for the mutant's number in the texts.
struct Place {
  std::size_t begin = 0, end = 0;
  std::string before, after;
  // Of an operator within the range, if it is replaced.
  std::size_t operator_begin = 0, operator_end = 0;

  // For the list:
  unsigned line = 0;
  std::string function, original, changed;
};

/// All places in the main file where a mutant can be, the outer ones first.
std::vector<Place> find_places(clang::ASTContext& ast);

}  // namespace mutants
