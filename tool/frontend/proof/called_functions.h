#pragma once

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace autoshard::tool {

/// The functions and constants that the given functions need to run.
struct CalledFunctions {
  std::vector<clang::FunctionDecl*> functions;  ///< definitions, including the given functions
  std::vector<clang::VarDecl*> constants;       ///< constants of static storage
  std::string obstacle;                         ///< why a prover cannot follow the functions; empty if it can
};

/// Returns all functions that `functions` call, directly or indirectly, if their bodies are at hand.
/// `functions` must be definitions. If `obstacle` is set, the lists must not be used to generate code.
CalledFunctions called_functions(const std::vector<clang::FunctionDecl*>& functions);

}  // namespace autoshard::tool
