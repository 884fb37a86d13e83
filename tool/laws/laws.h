#pragma once

/// What annotations promise, tried out at build time.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/check/check.h"
#include "tool/laws/evaluator.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// One promise: of a sharded member's fold, or of a shard method.
struct Law {
  enum class Kind { kCommutative, kAssociative, kNeutral, kCommutes };
  enum class Verdict {
    kHolds,        ///< on every sample that could be evaluated
    kBroken,       ///< there is a counterexample
    kLeftToTests,  ///< the compiler cannot evaluate it, a test program can
    kNotJudged,    ///< neither can
  };

  Kind kind = Kind::kCommutative;
  const Property* property = nullptr;  ///< whose fold; null for kCommutes
  const Method* method = nullptr;      ///< of kCommutes
  Verdict verdict = Verdict::kLeftToTests;
  std::size_t tried = 0;  ///< how many combinations of samples were evaluated
  std::string reason{};   ///< why it was not judged here
  std::optional<Diagnostic> counterexample{};
};

/// The laws of one entity, folds first, in the order of the class. Points into the model.
struct EntityLaws {
  const Entity* entity = nullptr;
  std::vector<Law> laws;
};

/// The rules that report a counterexample.
inline constexpr std::string_view kLawRules[] = {
    "autoshard-fold-not-commutative", "autoshard-fold-not-associative", "autoshard-neutral-not-identity",
    "autoshard-method-does-not-commute"};

/// Tries every law of every entity. The model must have passed every check, and must outlive the result. What
/// cannot be evaluated is no error: the verdict says so.
std::vector<EntityLaws> judge(const Model& model, Evaluator& evaluator);

/// The counterexamples, in the order of the files' text.
Diagnostics counterexamples(const std::vector<EntityLaws>& laws);

/// How a person calls the fold of `property`: `foldVotes`, or `the fold of votes_`.
std::string fold_name(const Entity& entity, const Property& property);

}  // namespace autoshard::tool
