#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <memory>

#include "tool/model/prover.h"

namespace autoshard::tool {

/// Whether this build has a solver. Without a solver, the prover proves nothing.
bool has_solver();

/// Makes a prover for functions of the translation unit that `compiler` has parsed. The compiler must outlive
/// the prover.
std::unique_ptr<Prover> make_prover(clang::CompilerInstance& compiler);

}  // namespace autoshard::tool
