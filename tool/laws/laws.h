#pragma once

/// The laws that annotations promise. They are proved or tried at build time.

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

/// A law of a sharded member's fold, or of a shard method.
struct Law {
  enum class Kind {
    kCommutative,
    kAssociative,
    kNeutral,
    kCommutes,  ///< of a shard method: the total is the same on each shard that it runs on
    kReplaces,  ///< of a shard write: the new value does not depend on the old one
    kAdds,      ///< of the fold of a bounded property
  };
  enum class Verdict {
    kHolds,        ///< for all values, or for each sample that could be evaluated
    kBroken,       ///< there is a counterexample
    kLeftToTests,  ///< the compiler cannot evaluate the law, but a test program can
    kNotJudged,    ///< neither the compiler nor a test program can evaluate the law
  };
  /// The reason why a law holds.
  enum class How {
    kForm,       ///< the form of the code proves it
    kSolver,     ///< a solver proved that it holds for all values
    kInduction,  ///< a solver proved it for all values that updates can reach
    kByKey,      ///< a solver proved it for each key of a set or map
    kTried,      ///< it held for samples
  };

  Kind kind = Kind::kCommutative;
  const Property* property = nullptr;  ///< the property of the fold; null for kCommutes and kReplaces
  const Method* method = nullptr;      ///< the method of kCommutes and kReplaces; null for other kinds
  std::vector<std::string> touches{};  ///< the sharded members that the method uses
  Verdict verdict = Verdict::kLeftToTests;
  std::size_t combinations = 0;  ///< combinations of samples
  std::size_t tried = 0;         ///< the combinations that could be evaluated
  std::string reason{};          ///< why the law was not tried here; empty if it was
  How how = How::kTried;
  std::string obstacle{};       ///< why the law was not proved; empty if it was
  bool waits_for_fold = false;  ///< the law cannot be judged before a fold is corrected
  std::optional<Diagnostic> counterexample{};

  /// Whether the law is proved for all values.
  bool is_proved() const { return verdict == Verdict::kHolds && how != How::kTried; }

  /// The argument `trusted` of the annotation; null if there is none.
  const Argument* trusted() const;
};

/// The laws of one entity: first those of folds, in the order of the class. The pointers point into the
/// model.
struct EntityLaws {
  const Entity* entity = nullptr;
  std::vector<Law> laws;
};

/// Proves the laws of each entity, and tries those that it cannot prove. The model must have passed all
/// checks, and must outlive the result. A law that cannot be evaluated is no error: its verdict says so. If a
/// fold is wrong, the laws of updates that need it are not judged, unless `control` disables the rule of that
/// fold.
std::vector<EntityLaws> judge(const Model& model, Evaluator& evaluator, Prover& prover,
                              const Control& control = {});

/// The verdict of one translation unit on a law, for a translation unit with fewer bodies.
struct KnownVerdict {
  Law::Verdict verdict = Law::Verdict::kNotJudged;
  std::size_t combinations = 0;
  std::size_t tried = 0;
  std::string reason{};
  Law::How how = Law::How::kTried;
  std::string obstacle{};
  std::optional<std::vector<std::string>> touches{};  ///< of a method whose body was read; nothing otherwise
};
using Verdicts = std::map<std::string, KnownVerdict>;  ///< by a name that is unique among all laws

Verdicts verdicts_of(const std::vector<EntityLaws>& laws);

/// Copies verdicts from `known` to laws of the same name, if the law was not judged, or if it holds in
/// `known`.
void complete(std::vector<EntityLaws>& laws, const Verdicts& known);

/// Returns the counterexamples, in the order of their places in the files; empty if no law is broken.
Diagnostics counterexamples(const std::vector<EntityLaws>& laws);

}  // namespace autoshard::tool
