#pragma once

/// What annotations promise, proved or tried out at build time.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/check/control.h"
#include "tool/model/diagnostic.h"
#include "tool/model/evaluator.h"
#include "tool/model/model.h"
#include "tool/model/prover.h"

namespace autoshard::tool {

/// One promise: of a sharded member's fold, or of a shard method.
struct Law {
  enum class Kind {
    kCommutative,
    kAssociative,
    kNeutral,
    kCommutes,  ///< of a shard method: the value is the same on whichever shard it runs
    kReplaces,  ///< of a shard_write: what it leaves does not depend on what was there
    kAdds,      ///< of the fold of a bounded property
  };
  enum class Verdict {
    kHolds,        ///< for all values, or on every sample that could be evaluated
    kBroken,       ///< there is a counterexample
    kLeftToTests,  ///< the compiler cannot evaluate it, a test program can
    kNotJudged,    ///< neither can
  };
  /// How it is known that a law holds.
  enum class How {
    kForm,       ///< it follows from how the methods are written
    kSolver,     ///< a solver found no value for which it does not
    kInduction,  ///< it does for all values that updates can reach
    kByKey,      ///< a solver found no key of a set or map, and no value there, for which it does not
    kTried,      ///< on samples only
  };

  Kind kind = Kind::kCommutative;
  const Property* property = nullptr;  ///< whose fold; null for kCommutes and kReplaces
  const Method* method = nullptr;      ///< of these
  std::vector<std::string> touches{};  ///< the sharded members that the method uses
  Verdict verdict = Verdict::kLeftToTests;
  std::size_t combinations = 0;  ///< of samples
  std::size_t tried = 0;         ///< how many of them could be evaluated
  std::string reason{};          ///< why it was not tried here
  How how = How::kTried;
  std::string obstacle{};       ///< why it was not proved, where it was not
  bool waits_for_fold = false;  ///< it cannot be judged before a fold is mended
  std::optional<Diagnostic> counterexample{};

  /// Whether it holds for all values.
  bool is_proved() const { return verdict == Verdict::kHolds && how != How::kTried; }

  /// Why it holds, as the annotation says; null where that says nothing.
  const Argument* trusted() const;
};

/// The laws of one entity, folds first, in the order of the class. Points into the model.
struct EntityLaws {
  const Entity* entity = nullptr;
  std::vector<Law> laws;
};

/// Proves the laws of every entity, and tries those that cannot be proved. The model must have passed every
/// check, and must outlive the result. A law that cannot be evaluated is no error: its verdict says so. The
/// laws of an update are not judged while a fold that it needs is wrong, unless `control` disables the rule
/// of that fold.
std::vector<EntityLaws> judge(const Model& model, Evaluator& evaluator, Prover& prover,
                              const Control& control = {});

/// What one translation unit found out about laws, for another one with fewer bodies.
struct KnownVerdict {
  Law::Verdict verdict = Law::Verdict::kNotJudged;
  std::size_t combinations = 0;
  std::size_t tried = 0;
  std::string reason{};
  Law::How how = Law::How::kTried;
  std::string obstacle{};
  std::optional<std::vector<std::string>> touches{};  ///< of a method, where its body was read
};
using Verdicts = std::map<std::string, KnownVerdict>;  ///< by the law's name among all

Verdicts verdicts_of(const std::vector<EntityLaws>& laws);

/// Copies verdicts from `known` to laws of the same name: to laws that were not judged, and to all laws that
/// hold in `known`.
void complete(std::vector<EntityLaws>& laws, const Verdicts& known);

/// The counterexamples, in the order of the files' text.
Diagnostics counterexamples(const std::vector<EntityLaws>& laws);

}  // namespace autoshard::tool
