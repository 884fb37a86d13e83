#pragma once

#include <clang/Frontend/CompilerInstance.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace autoshard::tool {

/// The name of the function that is called in place of a throw.
inline constexpr char kThrows[] = "autoshard.throws";

/// The IR of some functions. The module must not outlive the context.
struct LawModule {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module{};    ///< null if there is an obstacle
  std::vector<llvm::Function*> functions{};  ///< in the order of the given functions
  std::string obstacle{};
};

/// Returns the IR of `functions` and of all functions that they call, as Clang generates it, without
/// optimisation. `functions` must be definitions in the translation unit that `compiler` has parsed. If Clang
/// cannot generate code, or the target's memory is not supported, `obstacle` says why and `module` is null.
/// `checks` as in LawModuleOptions.
LawModule emitted_module(clang::CompilerInstance& compiler,
                         const std::vector<clang::FunctionDecl*>& functions, bool checks = false);

struct LawModuleOptions {
  std::uint64_t asked = 0;  ///< replaces the second argument of functions that have one
  bool checks = false;      ///< what has no meaning traps, so that the optimiser draws no conclusions from it
};

/// Returns the same, but optimised: all calls inlined and loops unrolled, if possible. Variables that may
/// change have no initialiser.
LawModule law_module(clang::CompilerInstance& compiler, const std::vector<clang::FunctionDecl*>& functions,
                     const LawModuleOptions& options = {});

}  // namespace autoshard::tool
