#pragma once

#include <clang/Frontend/CompilerInstance.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace autoshard::tool {

/// The function that stands where one threw.
inline constexpr char kThrows[] = "autoshard.throws";

/// Functions as LLVM's IR.
struct LawModule {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module{};    ///< null if there is an obstacle
  std::vector<llvm::Function*> functions{};  ///< in the order of those given
  std::string obstacle{};
};

/// `functions`, which are definitions in the translation unit that `compiler` has parsed, and all that they
/// call, as Clang writes them.
LawModule emitted_module(clang::CompilerInstance& compiler,
                         const std::vector<clang::FunctionDecl*>& functions);

/// The same, but each function for itself, optimised, with all that it calls inlined and its loops unrolled,
/// as far as that goes. A variable that may change is one without a value in the module. `asked`: the second
/// argument of those that have one.
LawModule law_module(clang::CompilerInstance& compiler, const std::vector<clang::FunctionDecl*>& functions,
                     std::uint64_t asked = 0);

}  // namespace autoshard::tool
