#include "native.h"

#include <clang/AST/Decl.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/Analysis/CFG.h>
#if __has_include(<llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>)
#include <llvm/ExecutionEngine/Orc/AbsoluteSymbols.h>
#else
#include <llvm/ExecutionEngine/Orc/Core.h>
#endif
#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/TargetSelect.h>

#include <array>
#include <cctype>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <set>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "tool/frontend/compiler/lookup.h"
#include "tool/frontend/proof/law_module.h"

namespace autoshard::tool {
namespace {

/// Beyond this many loop rounds and calls, and this much stack, a call is given up.
constexpr std::int64_t kMostTicks = 1'000'000;
constexpr std::ptrdiff_t kMostStack = 2'000'000;
/// All calls for one function together.
constexpr std::int64_t kMostTicksOfAll = 400'000'000;

/// What the machine code reaches, which runs one call at a time.
struct Run {
  bool calls = false;
  sigjmp_buf out;
  std::int64_t ticks = 0;
  const char* stack = nullptr;
  std::uint64_t random = 1;
  std::array<std::uint64_t, 8> recent{};
  std::size_t made = 0;
  std::vector<std::uint64_t> constants;
  std::vector<unsigned char> input = std::vector<unsigned char>(1 << 20);
};

Run& run() {
  static Run the_run;
  return the_run;
}

[[noreturn]] void leave() { siglongjmp(run().out, 1); }

/// What has no meaning traps. A mutant that reaches outside of an object may also hit what is not there.
class WithSignals {
 public:
  WithSignals() {
    static std::vector<char> stack(1 << 16);
    stack_t other{};
    other.ss_sp = stack.data();
    other.ss_size = stack.size();
    sigaltstack(&other, nullptr);
    struct sigaction action {};
    action.sa_flags = SA_ONSTACK | SA_NODEFER;
    action.sa_handler = [](int signal) {
      if (run().calls) leave();
      std::signal(signal, SIG_DFL);
    };
    for (std::size_t at = 0; at < kSignals.size(); ++at) sigaction(kSignals[at], &action, &usual_[at]);
  }
  WithSignals(const WithSignals&) = delete;
  WithSignals& operator=(const WithSignals&) = delete;
  ~WithSignals() {
    for (std::size_t at = 0; at < kSignals.size(); ++at) sigaction(kSignals[at], &usual_[at], nullptr);
  }

 private:
  static constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  std::array<struct sigaction, kSignals.size()> usual_{};
};

void tick() {
  char here = 0;
  if (--run().ticks < 0 || run().stack - &here > kMostStack) leave();
}

/// Clang's check of an index does not mind the place behind the last element where a reference is made.
void check_index(std::uint64_t index, std::uint64_t size) {
  if (index >= size) leave();
}

std::uint64_t next_random() {
  std::uint64_t z = run().random += 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

/// Small ones, ones at the edges of the types, ones in the text, equal ones, and any.
std::uint64_t number(unsigned width) {
  Run& values = run();
  const std::uint64_t random = next_random();
  const std::uint64_t more = random >> 16;
  switch (random % 16) {
    case 0:
    case 1:
    case 2:
      return more % 4;
    case 3:
      return 0 - more % 4;
    case 4:
    case 5:
      return more % 128;
    case 6:
      return (std::uint64_t{1} << (width - 1)) - more % 3;
    case 7:
      return (std::uint64_t{1} << (width - 1)) + more % 3;
    case 8:
      return (std::uint64_t{1} << (more / 4 % width)) + more % 3 - 1;
    case 9:
    case 10:
      return values.constants.empty() ? more % 1000
                                      : values.constants[more / 4 % values.constants.size()] + more % 3 - 1;
    case 11:
    case 12:
      return values.recent[more % values.recent.size()];
    default:
      return next_random();
  }
}

void fill(unsigned char* at, std::uint32_t size) {
  Run& values = run();
  if (at + 16 > values.input.data() + values.input.size()) leave();
  const std::array<std::uint64_t, 2> bits = {number(size < 8 ? 8 * size : 64), next_random() % 2 - 1};
  values.recent[values.made++ % values.recent.size()] = bits[0];
  std::memcpy(at, bits.data(), size);
}

/// A law, or a function that tells which properties hold, with no question about any.
bool returned_by(bool (*law)(const unsigned char*)) { return law(run().input.data()); }
std::uint64_t returned_by(std::uint64_t (*step)(const unsigned char*, std::uint64_t)) {
  return step(run().input.data(), 0);
}

/// The values of one call.
template <class Result, class... Arguments>
std::optional<Result> call(Result (*function)(Arguments...)) {
  const char here = 0;
  run().stack = &here;
  run().ticks = kMostTicks;
  run().made = 0;
  run().recent = {};
  if (sigsetjmp(run().out, 0) != 0) {
    run().calls = false;
    return std::nullopt;
  }
  run().calls = true;
  const Result result = returned_by(function);
  run().calls = false;
  return result;
}

std::vector<std::uint64_t> numbers_in(std::string_view text) {
  std::set<std::uint64_t> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) continue;
    const bool is_word =
        at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 || text[at - 1] == '_');
    std::string digits;
    while (at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '\''))
      digits += text[at] == '\'' ? "" : std::string(1, text[at]), ++at;
    if (!is_word) found.insert(std::strtoull(digits.c_str(), nullptr, 0));
  }
  return {found.begin(), found.end()};
}

/// Whether a function of this name throws, or ends the program.
bool is_way_out(llvm::StringRef name) {
  return name == "__cxa_throw" || name == "__cxa_rethrow" || name == "abort" || name == "exit" ||
         name == "_ZSt9terminatev" || name == "__assert_fail" ||
         (name.starts_with("_ZSt") && name.contains("__throw_")) || name.contains("__glibcxx_assert_fail") ||
         name == "__clang_call_terminate";
}

/// Has each index of an array checked.
void check_indices(llvm::Function& function, llvm::FunctionCallee check) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const element = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
    const auto* array = element ? llvm::dyn_cast<llvm::ArrayType>(element->getSourceElementType()) : nullptr;
    if (!array || element->getNumIndices() != 2) continue;
    llvm::IRBuilder<> builder(element);
    llvm::Value* const index = builder.CreateSExt(element->getOperand(2), builder.getInt64Ty());
    builder.CreateCall(check, {index, builder.getInt64(array->getNumElements())});
  }
}

/// Has each `make` of a number write that number first, and loops and functions count.
void instrument(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* const pointer = llvm::PointerType::getUnqual(context);
  auto* const nothing = llvm::Type::getVoidTy(context);
  const llvm::FunctionCallee fills =
      module.getOrInsertFunction("autoshard_fill", nothing, pointer, llvm::Type::getInt32Ty(context));
  const llvm::FunctionCallee ticks = module.getOrInsertFunction("autoshard_tick", nothing);
  auto* const wide = llvm::Type::getInt64Ty(context);
  const llvm::FunctionCallee checks =
      module.getOrInsertFunction("autoshard_check_index", nothing, wide, wide);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    check_indices(function, checks);
    llvm::SmallVector<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, 8> edges;
    llvm::FindFunctionBackedges(function, edges);
    std::set<llvm::BasicBlock*> counted = {&function.getEntryBlock()};
    for (const auto& [from, to] : edges) counted.insert(const_cast<llvm::BasicBlock*>(to));
    for (llvm::BasicBlock* block : counted) {
      llvm::BasicBlock::iterator place = block->getFirstInsertionPt();
      llvm::IRBuilder<>(block, place).CreateCall(ticks);
    }
    const llvm::Type* const result = function.getReturnType();
    if (!function.getName().starts_with("_ZN14autoshard_laws4makeI") || !result->isIntegerTy()) continue;
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
    llvm::Value* const next = builder.CreateLoad(pointer, function.getArg(0));
    builder.CreateCall(fills, {next, builder.getInt32((result->getIntegerBitWidth() + 7) / 8)});
  }
}

llvm::orc::LLJIT& jit() {
  static const std::unique_ptr<llvm::orc::LLJIT> the_jit = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto machine = llvm::cantFail(llvm::orc::JITTargetMachineBuilder::detectHost());
    machine.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
    auto made =
        llvm::cantFail(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(machine)).create());
    made->getExecutionSession().setErrorReporter(llvm::consumeError);  // the caller gets the error, too
    return made;
  }();
  return *the_jit;
}

template <class Function>
llvm::orc::ExecutorSymbolDef symbol(Function* function) {
  return {llvm::orc::ExecutorAddr::fromPtr(function), llvm::JITSymbolFlags::Exported};
}

std::string text_of(llvm::Error error) { return llvm::toString(std::move(error)); }

}  // namespace

/// Each function with all that it calls, unless they can be compiled together.
class WithoutSubnormals {
 public:
#ifdef __SSE2__
  WithoutSubnormals() { _mm_setcsr(before_ | 0x8040); }  // flush to zero, and take for zero
  ~WithoutSubnormals() { _mm_setcsr(before_); }
  WithoutSubnormals(const WithoutSubnormals&) = delete;
  WithoutSubnormals& operator=(const WithoutSubnormals&) = delete;

 private:
  unsigned before_ = _mm_getcsr();
#endif
};

/// Whether what a law computes in two ways is the same but for rounding. Random numbers are of all sizes:
/// what became infinite or 0 on one way alone has left the range of the type, where nothing is proved.
/// Numbers that are too small to be exact are taken for 0.
template <class Real>
bool same_reals(Real one, Real other) {
  if (!std::isfinite(one) || !std::isfinite(other) || one == 0 || other == 0) return true;
  return std::abs(one - other) <= Real(1e-5) * (std::abs(one) + std::abs(other));
}

class NativeFunctions::Code {
 public:
  Code(clang::CompilerInstance& compiler, const std::vector<std::string>& names) : compiler_(compiler) {
    if (names.empty() || compile(names)) return;
    for (const std::string& name : names) compile({name});
  }
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;
  ~Code() {
    for (llvm::orc::JITDylib* library : libraries_)
      llvm::cantFail(jit().getExecutionSession().removeJITDylib(*library));
  }

  template <class Result>
  Sampled sample(const std::string& name, std::size_t tries, std::uint64_t seed,
                 const std::function<bool(Result)>& objects) const {
    Sampled result;
    const auto found = functions_.find(name);
    if (found == functions_.end()) {
      const auto why = obstacles_.find(name);
      result.obstacle = why == obstacles_.end() ? "it does not compile" : why->second;
      return result;
    }
    using Function = std::conditional_t<std::is_same_v<Result, bool>, bool(const unsigned char*),
                                        Result(const unsigned char*, std::uint64_t)>;
    auto* const function = found->second.toPtr<Function*>();
    run().random = seed;
    const WithSignals with_signals;
    const WithoutSubnormals without_subnormals;
    std::int64_t left = kMostTicksOfAll;
    for (std::size_t at = 0; at < tries && left > 0; ++at) {
      const std::optional<Result> returned = call(function);
      left -= kMostTicks - run().ticks;
      if (!returned) continue;
      ++result.counted;
      if (!objects(*returned)) continue;
      result.is_broken = true;
      result.broken.assign(run().input.begin(), run().input.begin() + 256);
      return result;
    }
    return result;
  }

 private:
  bool compile(const std::vector<std::string>& names) {
    std::vector<clang::FunctionDecl*> declarations;
    for (const std::string& name : names) {
      auto* const function =
          llvm::dyn_cast_or_null<clang::FunctionDecl>(find_declaration(compiler_.getASTContext(), name));
      if (!function || !function->hasBody()) return refuse(names, "it does not compile");
      declarations.push_back(function->getDefinition());
    }
    LawModule module = emitted_module(compiler_, declarations, /*checks=*/true);
    if (!module.module) return refuse(names, module.obstacle);
    return add(names, std::move(module));
  }

  bool add(const std::vector<std::string>& names, LawModule module) {
    std::vector<std::string> mangled;
    for (const llvm::Function* function : module.functions) mangled.push_back(function->getName().str());
    instrument(*module.module);
    llvm::orc::SymbolMap symbols = {
        {jit().mangleAndIntern("autoshard_fill"), symbol(&fill)},
        {jit().mangleAndIntern("autoshard_tick"), symbol(&tick)},
        {jit().mangleAndIntern("autoshard_check_index"), symbol(&check_index)},
        {jit().mangleAndIntern("_ZN14autoshard_laws10same_realsEff"), symbol(&same_reals<float>)},
        {jit().mangleAndIntern("_ZN14autoshard_laws10same_realsEdd"), symbol(&same_reals<double>)}};
    for (const llvm::Function& function : *module.module) {
      if (function.isDeclaration() && is_way_out(function.getName()))
        symbols[jit().mangleAndIntern(function.getName())] = symbol(&leave);
    }
    static int number = 0;
    llvm::orc::JITDylib& library =
        llvm::cantFail(jit().createJITDylib("functions" + std::to_string(number++)));
    libraries_.push_back(&library);
    library.addGenerator(llvm::cantFail(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
        jit().getDataLayout().getGlobalPrefix())));
    llvm::cantFail(library.define(llvm::orc::absoluteSymbols(std::move(symbols))));
    llvm::orc::ThreadSafeModule safe(std::move(module.module), std::move(module.context));
    if (auto error = jit().addIRModule(library, std::move(safe)))
      return refuse(names, text_of(std::move(error)));
    for (std::size_t at = 0; at < names.size(); ++at) {
      auto address = jit().lookup(library, mangled[at]);
      if (!address) return refuse(names, text_of(address.takeError()));
      functions_[names[at]] = *address;
    }
    return true;
  }

  bool refuse(const std::vector<std::string>& names, const std::string& why) {
    for (const std::string& name : names) {
      functions_.erase(name);
      obstacles_[name] = why;
    }
    return false;
  }

  clang::CompilerInstance& compiler_;
  std::vector<llvm::orc::JITDylib*> libraries_;
  std::map<std::string, llvm::orc::ExecutorAddr> functions_;
  std::map<std::string, std::string> obstacles_;
};

NativeFunctions::NativeFunctions(clang::CompilerInstance& compiler, const std::vector<std::string>& names,
                                 std::string_view text)
    : code_(std::make_unique<Code>(compiler, names)) {
  run().constants = numbers_in(text);
}

NativeFunctions::~NativeFunctions() = default;

Sampled NativeFunctions::sample_law(const std::string& name, std::size_t tries, std::uint64_t seed) const {
  return code_->sample<bool>(name, tries, seed, [](bool holds) { return !holds; });
}

Sampled NativeFunctions::sample_bits(const std::string& name, std::size_t tries, std::uint64_t seed,
                                     const std::function<bool(std::uint64_t)>& objects) const {
  return code_->sample<std::uint64_t>(name, tries, seed, objects);
}

}  // namespace autoshard::tool
