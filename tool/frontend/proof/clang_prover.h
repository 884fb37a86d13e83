#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <memory>

#include "tool/model/prover.h"

namespace autoshard::tool {

/// Whether this build has a solver. Without one, nothing is proved.
bool has_solver();

/// Proves what the translation unit has that `compiler` parsed.
std::unique_ptr<Prover> make_prover(clang::CompilerInstance& compiler);

}  // namespace autoshard::tool
