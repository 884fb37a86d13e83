#pragma once

#include <clang/AST/Decl.h>

#include <string>
#include <vector>

namespace autoshard::tool {

/// What a function needs to run.
struct CalledFunctions {
  std::vector<clang::FunctionDecl*> functions;  ///< definitions, the given ones among them
  std::vector<clang::VarDecl*> constants;       ///< of the program, which never change
  std::string obstacle;                         ///< what a prover does not follow; empty: nothing
};

/// What `functions`, which are definitions, call directly or indirectly and with a body at hand.
CalledFunctions called_functions(const std::vector<clang::FunctionDecl*>& functions);

}  // namespace autoshard::tool
