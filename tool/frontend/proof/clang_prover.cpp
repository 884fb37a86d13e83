#include "tool/frontend/proof/clang_prover.h"

#include <llvm/Config/llvm-config.h>

#include "tool/frontend/compiler/lookup.h"
#include "tool/frontend/proof/claims.h"
#include "tool/frontend/proof/law_module.h"
#include "tool/frontend/solver/small_values.h"
#include "tool/frontend/solver/solver.h"

namespace autoshard::tool {
namespace {

/// A law that fails for some values is an error unless it holds for all that can be reached: that is worth
/// more.
constexpr unsigned kMostStepsWithin = 10 * Solver::kMostSteps;

/// Of a question for smaller values than those found.
constexpr unsigned kStepsForReaders = 100'000;

constexpr const char* kRounding =
    "its two sides are sums or products of floating-point numbers that the solver does not find equal";

constexpr const char* kWideProduct = "a product or a quotient of unknown numbers";

class ClangProver : public Prover {
 public:
  explicit ClangProver(clang::CompilerInstance& compiler) : compiler_(compiler) {}

  std::vector<Proof> prove(const std::vector<std::string>& names) override {
    std::vector<Proof> proofs(names.size());
    const std::vector<clang::FunctionDecl*> functions = functions_of(names);
    if (functions.empty()) return std::vector(names.size(), Proof{.obstacle = "it does not compile"});
    prove(functions, proofs);
    return proofs;
  }

  bool is_defined(const std::string& name) override {
    const std::vector<clang::FunctionDecl*> functions =
        has_solver() ? functions_of({name}) : std::vector<clang::FunctionDecl*>();
    const LawModule module =
        functions.empty() ? LawModule() : law_module(compiler_, functions, {.checks = true});
    if (!module.module) return false;
    try {
      Terms terms;
      const Returned all = returned_by(*module.functions.front(), terms);
      return all.obstacle.empty() &&
             Solver(kMostStepsWithin).is_possible(terms.negation(all.returns)) == false;
    } catch (const Unfollowed&) {
      return false;
    }
  }

  std::uint64_t kept(const std::vector<std::string>& names, unsigned candidates) override {
    const std::vector<clang::FunctionDecl*> functions =
        has_solver() ? functions_of(names) : std::vector<clang::FunctionDecl*>();
    if (functions.empty()) return 0;
    try {
      return greatest_kept(functions, candidates);
    } catch (const Unfollowed&) {
      return 0;
    }
  }

  bool holds_within(const std::string& name, std::uint64_t given) override {
    const std::vector<clang::FunctionDecl*> functions =
        has_solver() ? functions_of({name}) : std::vector<clang::FunctionDecl*>();
    const LawModule module =
        functions.empty() ? LawModule() : law_module(compiler_, functions, {.asked = given});
    if (!module.module) return false;
    try {
      return is_implied(*module.functions.front(), given);
    } catch (const Unfollowed&) {
      return false;
    }
  }

 private:
  static bool is_implied(llvm::Function& function, std::uint64_t given) {
    Terms terms;
    const Returned law = returned_by(function, terms);
    if (!law.obstacle.empty()) return false;
    const Term broken = terms.both(assumed(terms, law, given), terms.negation(terms.bit(law.value, 63)));
    Solver solver(kMostStepsWithin);
    return is_possible(broken, terms, solver) == false;
  }

  /// Those that some step does not keep, if all others hold before it, are dropped until none is left.
  std::uint64_t greatest_kept(const std::vector<clang::FunctionDecl*>& functions, unsigned candidates) {
    std::uint64_t kept = (std::uint64_t{1} << candidates) - 1;
    for (std::uint64_t before = 0; before != kept;) {
      before = kept;
      const LawModule module = law_module(compiler_, functions, {.asked = kept});
      if (!module.module) return 0;
      Terms terms;
      Solver solver;
      for (llvm::Function* function : module.functions) {
        const Returned step = returned_by(*function, terms);
        if (!step.obstacle.empty()) return 0;
        for (unsigned at = 0; at < candidates; ++at) {
          if (((kept >> at) & 1) == 0) continue;
          const Term lost =
              terms.both(assumed(terms, step, before), terms.negation(terms.bit(step.value, 32 + at)));
          if (is_possible(lost, terms, solver) != false) kept &= ~(std::uint64_t{1} << at);
        }
      }
    }
    return kept;
  }

  /// The definitions of `names`; none if one of them has none.
  std::vector<clang::FunctionDecl*> functions_of(const std::vector<std::string>& names) {
    std::vector<clang::FunctionDecl*> functions;
    for (const std::string& name : names) {
      auto* const function =
          llvm::dyn_cast_or_null<clang::FunctionDecl>(find_declaration(compiler_.getASTContext(), name));
      if (!function || !function->hasBody()) return {};
      functions.push_back(function->getDefinition());
    }
    return functions;
  }

  /// Whether a function returns, and found the properties in `given` to hold before.
  static Term assumed(Terms& terms, const Returned& step, std::uint64_t given) {
    Term all = step.returns;
    for (unsigned at = 0; at < 63; ++at) {
      if (((given >> at) & 1) != 0) all = terms.both(all, terms.bit(step.value, at));
    }
    return all;
  }

  void prove(const std::vector<clang::FunctionDecl*>& functions, llvm::MutableArrayRef<Proof> proofs) {
    const std::string missing = has_solver() ? "" : "this generator was built without a solver";
    const LawModule module =
        missing.empty() ? law_module(compiler_, functions) : LawModule{.obstacle = missing};
    if (!module.module && functions.size() > 1 && missing.empty()) {
      // What one of them does is in the way of that one only.
      for (std::size_t at = 0; at < proofs.size(); ++at) prove({functions[at]}, proofs.slice(at, 1));
      return;
    }
    for (std::size_t at = 0; at < proofs.size(); ++at)
      proofs[at] = module.module ? prove(*module.functions[at]) : Proof{.obstacle = module.obstacle};
  }

  static Proof prove(llvm::Function& function) {
    try {
      return solved(function);
    } catch (const Unfollowed& unfollowed) {
      return {.obstacle = unfollowed.what};
    }
  }

  static Proof solved(llvm::Function& function) {
    Terms terms;
    const Claims claims = claims_of(function, terms);
    if (!claims.obstacle.empty()) return {.obstacle = claims.obstacle};
    if (claims.claims.empty()) return {.outcome = Proof::Outcome::kProved, .rounds = claims.rounds};
    Solver solver;
    bool is_open = false;  // because of a product, which another claim may not need to be refuted
    for (const Claim& claim : claims.claims) {
      if (solver.is_possible(terms.order_of(claim.nearly)) == false) continue;
      if (solver.is_possible(claim.nearly) == false) continue;
      const std::optional<bool> possible = is_possible(claim.refuted, terms, solver);
      if (possible == false) continue;
      if (!possible) return {.obstacle = "it takes the solver too many steps"};
      if (terms.is_rounded(claim.refuted)) return {.obstacle = kRounding};
      if (terms.has_wide_product(claim.refuted)) {
        is_open = true;
        continue;
      }
      Solver reader(kStepsForReaders);
      const bool is_read_with_ease = find_small_values(claim.refuted, claims.input, terms, reader);
      return {.outcome = Proof::Outcome::kRefuted,
              .input = input(is_read_with_ease ? reader : solver, claims)};
    }
    if (is_open) return {.obstacle = kWideProduct};
    return {.outcome = Proof::Outcome::kProved, .rounds = claims.rounds};
  }

  /// Whether there are values for which `formula` is true. Sums of many bits under conditions take the solver
  /// many steps, and it does not know what a sum of floating-point numbers is. So these are tried case by
  /// case, too: in most cases, both sides of an equation are the same formula.
  static std::optional<bool> is_possible(Term formula, Terms& terms, Solver& solver) {
    const std::optional<bool> possible = solver.is_possible(formula);
    if (possible == false || (possible && !terms.is_rounded(formula))) return possible;
    const std::optional<bool> by_cases = solver.is_possible(terms.by_cases(formula));
    return by_cases ? by_cases : possible;
  }

  /// The bytes of a counterexample. Those that make no difference are 0.
  static std::vector<unsigned char> input(Solver& solver, const Claims& claims) {
    std::vector<unsigned char> bytes;
    for (const auto& [at, symbol] : claims.input) {
      if (at < 0) continue;
      const auto begin = static_cast<std::size_t>(at);
      const llvm::APInt value = solver.value(symbol);
      bytes.resize(std::max(bytes.size(), begin + symbol->width / 8));
      for (unsigned byte = 0; byte < symbol->width / 8; ++byte)
        bytes[begin + byte] = static_cast<unsigned char>(value.extractBitsAsZExtValue(8, 8 * byte));
    }
    return bytes;
  }

  clang::CompilerInstance& compiler_;
};

}  // namespace

bool has_solver() { return LLVM_WITH_Z3; }

std::unique_ptr<Prover> make_prover(clang::CompilerInstance& compiler) {
  return std::make_unique<ClangProver>(compiler);
}

}  // namespace autoshard::tool
