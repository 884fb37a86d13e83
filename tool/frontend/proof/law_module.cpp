#include "tool/frontend/proof/law_module.h"

#include <clang/AST/DeclGroup.h>
#include <clang/AST/GlobalDecl.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/IPO/Internalize.h>
#include <llvm/Transforms/Utils/Local.h>

#include "tool/frontend/compiler/parse_more.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/proof/called_functions.h"

namespace autoshard::tool {
namespace {

/// Disables exceptions during its lifetime: a throw is the end of the function.
class WithoutExceptions {
 public:
  explicit WithoutExceptions(clang::LangOptions& language)
      : language_(language), exceptions_(language.Exceptions), cxx_exceptions_(language.CXXExceptions) {
    language_.Exceptions = language_.CXXExceptions = 0;
  }
  WithoutExceptions(const WithoutExceptions&) = delete;
  WithoutExceptions& operator=(const WithoutExceptions&) = delete;
  ~WithoutExceptions() {
    language_.Exceptions = exceptions_ ? 1 : 0;
    language_.CXXExceptions = cxx_exceptions_ ? 1 : 0;
  }

 private:
  clang::LangOptions& language_;
  bool exceptions_, cxx_exceptions_;
};

/// Gives variables without an initialiser some value during its lifetime. Otherwise, the optimiser takes them
/// for whatever makes a law hold.
class WithInitialValues {
 public:
  explicit WithInitialValues(clang::LangOptions& language)
      : language_(language), kind_(language.getTrivialAutoVarInit()) {
    language_.setTrivialAutoVarInit(clang::LangOptions::TrivialAutoVarInitKind::Pattern);
  }
  WithInitialValues(const WithInitialValues&) = delete;
  WithInitialValues& operator=(const WithInitialValues&) = delete;
  ~WithInitialValues() { language_.setTrivialAutoVarInit(kind_); }

 private:
  clang::LangOptions& language_;
  clang::LangOptions::TrivialAutoVarInitKind kind_;
};

/// Has what has no meaning trap during its lifetime, if `checks` is true.
class WithTraps {
 public:
  WithTraps(clang::LangOptions& language, clang::CodeGenOptions& options, bool checks)
      : language_(language), sanitize_(language.Sanitize) {
    if (!checks) return;
    using Kind = clang::SanitizerKind;
    const clang::SanitizerMask all = Kind::SignedIntegerOverflow | Kind::ShiftBase | Kind::ShiftExponent |
                                     Kind::IntegerDivideByZero | Kind::ArrayBounds | Kind::Builtin |
                                     Kind::Return | Kind::Unreachable | Kind::Null | Kind::FloatCastOverflow;
    language_.Sanitize.set(all, true);
    options.SanitizeTrap.set(all, true);
  }
  WithTraps(const WithTraps&) = delete;
  WithTraps& operator=(const WithTraps&) = delete;
  ~WithTraps() { language_.Sanitize = sanitize_; }

 private:
  clang::LangOptions& language_;
  clang::SanitizerSet sanitize_;
};

/// Drops messages of the optimiser, such as that a loop was not unrolled.
struct Silence : llvm::DiagnosticHandler {
  bool handleDiagnostics(const llvm::DiagnosticInfo&) override { return true; }
};

void emit(clang::CompilerInstance& compiler, const std::vector<clang::FunctionDecl*>& functions,
          const CalledFunctions& called, bool checks, LawModule& result) {
  FirstError errors;
  const DiagnosticsDetour detour(compiler.getDiagnostics(), errors);
  const WithoutExceptions without_exceptions(compiler.getLangOpts());
  clang::CodeGenOptions options = compiler.getCodeGenOpts();
  options.OptimizationLevel = 2;
  const WithInitialValues with_initial_values(compiler.getLangOpts());
  const WithTraps with_traps(compiler.getLangOpts(), options, checks);
  const auto generator = code_generator(compiler, options, *result.context);
  generator->Initialize(compiler.getASTContext());
  for (clang::VarDecl* constant : called.constants)
    generator->HandleTopLevelDecl(clang::DeclGroupRef(constant));
  for (clang::FunctionDecl* function : called.functions)
    generator->HandleTopLevelDecl(clang::DeclGroupRef(function));
  for (const clang::FunctionDecl* function : functions) {
    llvm::Constant* const emitted = generator->GetAddrOfGlobal(clang::GlobalDecl(function), true);
    result.functions.push_back(llvm::cast<llvm::Function>(emitted));
  }
  generator->HandleTranslationUnit(compiler.getASTContext());
  result.module = std::unique_ptr<llvm::Module>(generator->ReleaseModule());
  result.obstacle = errors.message();
}

/// Replaces each throw by a call of kThrows. The thrown object does not matter.
void end_at_throws(llvm::Module& module) {
  std::vector<llvm::Instruction*> throws;
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && (callee->getName() == "__cxa_allocate_exception" || callee->getName() == "__cxa_throw" ||
                     callee->getName() == "__cxa_rethrow"))
        throws.push_back(&instruction);
    }
  }
  if (throws.empty()) return;
  auto* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
  llvm::FunctionCallee ends = module.getOrInsertFunction(kThrows, type);
  llvm::cast<llvm::Function>(ends.getCallee())->setDoesNotReturn();
  for (llvm::Instruction* instruction : throws) {
    if (!instruction->getParent() || llvm::isa<llvm::UnreachableInst>(instruction)) continue;
    llvm::CallInst::Create(ends, "", instruction->getIterator())->setDoesNotReturn();
  }
  // A block may have several throws, so all are found before code is removed.
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || call->getCalledFunction() != ends.getCallee()) continue;
        llvm::changeToUnreachable(instruction.getNextNode());
        break;
      }
    }
  }
}

/// Removes the initialisers of variables that may change, so that the optimiser draws no conclusions from
/// them.
void forget_variables(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (variable.isConstant() || variable.isDeclaration() || variable.getName().starts_with("llvm."))
      continue;
    variable.setInitializer(nullptr);
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setComdat(nullptr);
  }
}

void inline_all(llvm::Module& module, const std::vector<llvm::Function*>& kept) {
  const auto is_kept = [&](const llvm::GlobalValue& value) {
    // Another definition may replace this function, so its body is not used.
    return !llvm::isa<llvm::Function>(value) || value.isInterposable() || llvm::is_contained(kept, &value);
  };
  llvm::internalizeModule(module, is_kept);
  for (llvm::Function& function : module) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (!function.isDeclaration() && !is_kept(function)) function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

/// The passes of LLVM, with their analyses of one module.
class Optimiser {
 public:
  Optimiser() : passes_(nullptr, without_vectors()) {
    passes_.registerModuleAnalyses(modules_);
    passes_.registerCGSCCAnalyses(components_);
    passes_.registerFunctionAnalyses(functions_);
    passes_.registerLoopAnalyses(loops_);
    passes_.crossRegisterProxies(loops_, functions_, components_, modules_);
  }

  /// Optimises as far as is needed to count the rounds of loops.
  void prepare(llvm::Module& module) {
    llvm::ModulePassManager pipeline;
    llvm::cantFail(passes_.parsePassPipeline(pipeline,
                                             "always-inline,globaldce,function(sroa,early-cse,simplifycfg,"
                                             "instcombine<no-verify-fixpoint>,loop-simplify,"
                                             "lcssa,loop(loop-rotate,indvars))"));
    pipeline.run(module, modules_);
  }

  void run(llvm::Module& module) {
    passes_.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2).run(module, modules_);
    if (!has_vectors(module)) return;
    llvm::ModulePassManager scalars;
    llvm::cantFail(passes_.parsePassPipeline(scalars, "function(scalarizer<load-store>)"));
    scalars.run(module, modules_);
  }

  unsigned rounds(llvm::Function& function, llvm::Loop& loop) {
    return functions_.getResult<llvm::ScalarEvolutionAnalysis>(function).getSmallConstantTripCount(&loop);
  }
  const llvm::LoopInfo& loops(llvm::Function& function) {
    return functions_.getResult<llvm::LoopAnalysis>(function);
  }

 private:
  /// Whether the module has vectors. The calling convention passes two floats as one vector.
  static bool has_vectors(const llvm::Module& module) {
    for (const llvm::Function& function : module) {
      for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        if (instruction.getType()->isVectorTy()) return true;
      }
    }
    return false;
  }

  static llvm::PipelineTuningOptions without_vectors() {
    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = false;
    tuning.SLPVectorization = false;
    return tuning;
  }

  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder passes_;
};

/// The most instructions of the unrolled loops of a function.
constexpr std::uint64_t kMostUnrolled = 60'000;

/// The assumed number of rounds of a loop that depends on the loops around it.
constexpr std::uint64_t kUsualRounds = 16;

std::uint64_t unrolled_size(llvm::Function& function, llvm::Loop& loop, Optimiser& optimiser) {
  std::uint64_t size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
  for (llvm::Loop* inner : loop.getSubLoops()) size += unrolled_size(function, *inner, optimiser);
  const std::uint64_t rounds = optimiser.rounds(function, loop);
  return std::min(kMostUnrolled + 1, size * (rounds == 0 ? kUsualRounds : rounds));
}

/// Marks the loops of each function for unrolling, if the unrolled loops are not too large.
void mark_loops(llvm::Module& module, Optimiser& optimiser) {
  llvm::LLVMContext& context = module.getContext();
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::LoopInfo& loops = optimiser.loops(function);
    std::uint64_t size = 0;
    for (llvm::Loop* loop : loops) size += unrolled_size(function, *loop, optimiser);
    llvm::MDNode* const how = llvm::MDNode::get(
        context, llvm::MDString::get(
                     context, size > kMostUnrolled ? "llvm.loop.unroll.disable" : "llvm.loop.unroll.full"));
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      llvm::MDNode* const id = llvm::MDNode::getDistinct(context, {nullptr, how});
      id->replaceOperandWith(0, id);
      loop->setLoopID(id);
    }
  }
}

}  // namespace

LawModule emitted_module(clang::CompilerInstance& compiler,
                         const std::vector<clang::FunctionDecl*>& functions, bool checks) {
  LawModule result;
  const CalledFunctions called = called_functions(functions);
  result.obstacle = called.obstacle;
  if (result.obstacle.empty()) emit(compiler, functions, called, checks, result);
  if (result.obstacle.empty()) {
    const llvm::DataLayout& layout = result.module->getDataLayout();
    if (layout.isBigEndian() || layout.getIndexSizeInBits(0) != 64)
      result.obstacle = "this processor's memory";
  }
  if (!result.obstacle.empty()) result.module.reset();
  return result;
}

LawModule law_module(clang::CompilerInstance& compiler, const std::vector<clang::FunctionDecl*>& functions,
                     const LawModuleOptions& options) {
  LawModule result = emitted_module(compiler, functions, options.checks);
  if (!result.module) return result;
  for (llvm::Function* function : result.functions) {
    if (function->arg_size() < 2) continue;
    llvm::Argument* const argument = function->getArg(1);
    argument->replaceAllUsesWith(llvm::ConstantInt::get(argument->getType(), options.asked));
  }
  result.context->setDiagnosticHandler(std::make_unique<Silence>());
  end_at_throws(*result.module);
  forget_variables(*result.module);
  inline_all(*result.module, result.functions);
  Optimiser optimiser;
  optimiser.prepare(*result.module);
  mark_loops(*result.module, optimiser);
  optimiser.run(*result.module);
  return result;
}

}  // namespace autoshard::tool
