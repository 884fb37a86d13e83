#include "tool/laws/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tool/laws/blame.h"
#include "tool/laws/counterexample.h"
#include "tool/laws/trial/samples.h"
#include "tool/laws/trial/trier.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

using Arguments = Evaluator::Arguments;

/// Functions as those of a probe, for values that a prover found. Bytes that it did not need are zero.
constexpr std::string_view kReplay = R"(
namespace $scope$ {
inline constexpr unsigned char kInput[1 << 20] = {$input$};
inline bool holds(int, int, int) { return $holds$_for($made$(kInput)); }
$for text$
inline Text $name$(int, int, int) { return $of$_for($made$(kInput)); }
$end$
}
)";

constexpr std::string_view kUpToRounding =
    "up to rounding, as each sum or product errs by at most 1.1e-16 of itself (6e-8 for floats)";

/// The text without the arguments of templates: without what stands between < and >.
std::string without_arguments(std::string_view text) {
  std::string result;
  int depth = 0;
  for (const char at : text) {
    if (at == '<') ++depth;
    if (depth == 0) result += at;
    if (at == '>') --depth;
  }
  return result;
}

/// `obstacle` in terms of what the developer wrote: a function that the stand-ins only declare.
std::string for_developer(const std::string& obstacle) {
  if (obstacle.find("autoshard_one_key::") == std::string::npos) return obstacle;
  const std::string plain = without_arguments(obstacle);
  const std::size_t end = plain.rfind('\''), begin = plain.rfind("::", end) + 2;
  const std::string name = plain.substr(begin, end - begin);
  if (name.starts_with("not_followed"))
    return "it uses keys, texts or values that the prover does not follow";
  return fmt::format("it uses '{}' of a set, a map or a text, which the prover does not follow", name);
}

/// Where the methods or folds that `law` is about may mix the keys of sets and maps.
std::optional<Escape> mixed_keys(const Entity& entity, const Law& law) {
  if (!law.method) return law.property->sharding->mixed_keys;
  if (law.method->mixed_keys) return law.method->mixed_keys;
  for (const std::string& member : law.method->touches) {
    const Property& property = *entity.property(member);
    // The fold of a number sees no key.
    if (law.kind != Law::Kind::kCommutes || !property.sharding || !has_stand_in(property.type)) continue;
    if (property.sharding->mixed_keys) return property.sharding->mixed_keys;
  }
  return std::nullopt;
}

/// The trial of `law` in `probe`; null where there is none.
const Probe::Trial* trial_of(const Law& law, const Probe& probe) {
  if (law.method) {
    const auto update = std::ranges::find(probe.updates, law.method, &Probe::Update::method);
    return update == probe.updates.end() ? nullptr : &update->law;
  }
  const auto fold = std::ranges::find(probe.folds, law.property, &Probe::Fold::property);
  if (fold == probe.folds.end()) return nullptr;
  switch (law.kind) {
    case Law::Kind::kCommutative:
      return &fold->commutative;
    case Law::Kind::kAssociative:
      return &fold->associative;
    case Law::Kind::kAdds:
      return &fold->adds;
    default:
      return &fold->neutral;
  }
}

/// Whether `law` is proved for all values, not only for those that updates reach.
bool is_proved_for_all(const Law& law) { return law.is_proved() && law.how != Law::How::kInduction; }

/// Whether the law of this kind about the fold of `member` is proved: for all values or, if `within` is true,
/// at least for those that updates reach.
bool is_proved(const std::vector<Law>& laws, const std::string& member, Law::Kind kind, bool within) {
  return std::ranges::any_of(laws, [&](const Law& law) {
    return law.property && law.property->name == member && law.kind == kind &&
           (within ? law.is_proved() : is_proved_for_all(law));
  });
}

/// The update of `law`, if it commutes with the folds because of its effect: because it folds what it makes
/// of the neutral value. The folds must be proved commutative and associative, for all values or, if `within`
/// is true, for those that updates reach. Null if they are not.
const Probe::Update* folding_update(const Law& law, const std::vector<Law>& laws, const Probe& probe,
                                    bool within) {
  const auto update = std::ranges::find(probe.updates, law.method, &Probe::Update::method);
  if (law.kind != Law::Kind::kCommutes || update == probe.updates.end()) return nullptr;
  const bool are_right = std::ranges::all_of(law.method->touches, [&](const std::string& member) {
    return is_proved(laws, member, Law::Kind::kCommutative, within) &&
           is_proved(laws, member, Law::Kind::kAssociative, within);
  });
  return are_right ? &*update : nullptr;
}

/// Whether one of the members that `law` is about has floating-point numbers.
bool rounds(const Law& law, const Entity& entity) {
  return law.method ? std::ranges::any_of(
                          law.method->touches,
                          [&](const std::string& member) { return has_reals(entity.property(member)->type); })
                    : has_reals(law.property->type);
}

class Judge {
 public:
  Judge(const Entity& entity, const Evaluable& evaluable, Evaluator& evaluator, Prover* prover,
        const Probe& probe, const Control& control)
      : entity_(entity),
        evaluable_(evaluable),
        evaluator_(evaluator),
        prover_(prover),
        probe_(probe),
        control_(control),
        trier_(evaluator) {}

  void run(std::vector<Law>& laws, const std::string& problem) {
    laws_ = &laws;
    if (problem.empty()) prove(laws);
    for (Law& law : laws) {
      if (is_open(law)) law.method ? judge_update(law, problem) : judge_fold(law, problem);
      if (law.property && law.verdict == Law::Verdict::kBroken && !is_disabled(control_, rule_of(law.kind)))
        broken_.push_back(law.property->name);
    }
  }

 private:
  /// Proves what is open and provable among `laws`.
  void prove(const std::vector<Law>& laws) {
    std::vector<std::string> functions;
    for (const Law& law : laws) {
      const Probe::Trial* const trial = is_open(law) ? trial_of(law, probe_) : nullptr;
      if (trial && !trial->always.empty()) functions.push_back(trial->always);
    }
    if (!prover_ || functions.empty()) return;
    std::vector<Proof> found = prover_->prove(functions);
    for (std::size_t at = 0; at < functions.size(); ++at) proofs_[functions[at]] = std::move(found[at]);
  }

  void judge_fold(Law& law, const std::string& problem) {
    if (const auto why = evaluable_.why_not(law.property->type)) {
      law.reason = *why;
    } else if (const Probe::Trial* trial = problem.empty() ? trial_of(law, probe_) : nullptr) {
      settle(law, *trial);
    } else {
      law.reason = problem;
    }
  }

  void judge_update(Law& law, const std::string& problem) {
    if (!law.method->has_body) {
      law.verdict = Law::Verdict::kNotJudged;
      law.reason = "it is defined in a source that was not read";
      return;
    }
    for (const std::string& member : law.method->touches) {
      if (law.kind == Law::Kind::kReplaces) break;  // folds nothing
      if (std::ranges::find(broken_, member) == broken_.end()) continue;
      law.verdict = Law::Verdict::kNotJudged;
      law.reason = fmt::format("the fold of '{}' has to be right first", member);
      law.waits_for_fold = true;
      return;
    }
    law.reason = why_left_to_tests(*law.method, problem);
    if (!law.reason.empty()) return;
    if (const Probe::Trial* trial = trial_of(law, probe_)) settle(law, *trial);
  }

  std::string why_left_to_tests(const Method& method, const std::string& problem) const {
    for (const std::string& member : method.touches) {
      if (const auto why = evaluable_.why_not(entity_.property(member)->type)) return *why;
    }
    for (const Parameter& parameter : method.parameters) {
      if (const auto why = why_no_samples(parameter.type, evaluable_.containers())) return *why;
    }
    return problem;
  }

  void settle(Law& law, const Probe::Trial& trial) {
    const auto found = proofs_.find(trial.always);
    const Proof proof = found == proofs_.end() ? Proof{.obstacle = why_not_proved(law)} : found->second;
    if (proof.outcome == Proof::Outcome::kProved) {
      law.verdict = Law::Verdict::kHolds;
      law.how = Law::How::kSolver;
      if (proof.rounds) law.reason = kUpToRounding;
      return;
    }
    if (proof.outcome == Proof::Outcome::kOpen && follows_another_way(law)) return;
    law.obstacle = proof.obstacle;
    if (proof.outcome == Proof::Outcome::kRefuted && holds_for_reachable(law, trial)) return;
    const Outcome outcome = trier_.run(trial);
    law.combinations = outcome.combinations;
    law.tried = outcome.tried;
    if (outcome.broken) {
      // The values that were tried need not be reachable either.
      if (proof.outcome == Proof::Outcome::kRefuted || !holds_for_reachable(law, trial))
        refute(law, trial, *outcome.broken);
    } else if (proof.outcome == Proof::Outcome::kRefuted && refuted_by(law, trial, proof.input)) {
      return;
    } else if (outcome.tried > 0) {
      law.verdict = Law::Verdict::kHolds;
    } else {
      law.reason = fmt::format("the compiler cannot evaluate it: {}", outcome.problem);
    }
  }

  /// Whether `law` follows from other laws and from formulas that are shorter.
  bool follows_another_way(Law& law) {
    if (!prover_ || !(law.kind == Law::Kind::kAssociative ? fold_chooses(law) : effect_is_folded(law)))
      return false;
    law.verdict = Law::Verdict::kHolds;
    law.how = Law::How::kSolver;
    if (rounds(law, entity_)) law.reason = kUpToRounding;
    return true;
  }

  bool are_proved(const std::vector<std::string>& functions) {
    return std::ranges::all_of(prover_->prove(functions),
                               [](const Proof& proof) { return proof.outcome == Proof::Outcome::kProved; });
  }

  /// Whether a commutative fold chooses one of its arguments, by an order.
  bool fold_chooses(const Law& law) {
    const auto fold = std::ranges::find(probe_.folds, law.property, &Probe::Fold::property);
    const bool is_commutative =
        is_proved(*laws_, law.property->name, Law::Kind::kCommutative, /*within=*/false);
    return is_commutative && fold != probe_.folds.end() && !fold->chooses.empty() &&
           are_proved(fold->chooses);
  }

  bool effect_is_folded(const Law& law) {
    const Probe::Update* const update = folding_update(law, *laws_, probe_, /*within=*/false);
    return update && !update->effect.empty() && are_proved({update->effect}) &&
           prover_->is_defined(update->updates_neutral);
  }

  bool effect_is_folded_within(const Law& law, std::uint64_t given) {
    const Probe::Update* const update = folding_update(law, *laws_, probe_, /*within=*/true);
    return update && !update->effect_within.empty() && prover_->holds_within(update->effect_within, given) &&
           prover_->is_defined(update->updates_neutral);
  }

  /// Whether `law`, which fails for some values, holds for all that updates can reach from the neutral one.
  bool holds_for_reachable(Law& law, const Probe::Trial& trial) {
    if (!prover_ || trial.within.empty()) return false;
    std::uint64_t given = 0;
    std::size_t shift = 0;
    std::vector<std::string> texts;
    for (const std::string& member : trial.members) {
      const auto fold = std::ranges::find(probe_.folds, entity_.property(member), &Probe::Fold::property);
      const std::uint64_t kept = invariants_of(*fold);
      if (never_changes(*fold, kept)) return false;
      given |= kept << shift;
      shift += fold->invariants.size();
      for (std::size_t at = 0; at < fold->invariants.size(); ++at) {
        if (((kept >> at) & 1) != 0) texts.push_back(fold->invariants[at].text);
      }
    }
    if (given == 0) return false;
    if (!effect_is_folded_within(law, given) && !prover_->holds_within(trial.within, given)) return false;
    law.verdict = Law::Verdict::kHolds;
    law.how = Law::How::kInduction;
    law.reason = fmt::format("as updates keep {}", list(texts));
    if (rounds(law, entity_)) law.reason += fmt::format("; {}", kUpToRounding);
    return true;
  }

  /// Whether updates keep the member as it was at first. Then there are others, which are out of sight.
  static bool never_changes(const Probe::Fold& fold, std::uint64_t kept) {
    for (std::size_t at = 0; at < fold.invariants.size(); ++at) {
      if (fold.invariants[at].is_of_neutral && ((kept >> at) & 1) == 0) return false;
    }
    return true;
  }

  /// Which invariants of a fold every update keeps.
  std::uint64_t invariants_of(const Probe::Fold& fold) {
    const auto [found, is_new] = kept_.try_emplace(fold.property, 0);
    if (is_new) found->second = prover_->kept(fold.steps, static_cast<unsigned>(fold.invariants.size()));
    return found->second;
  }

  void refute(Law& law, const Probe::Trial& trial, const Arguments& broken) {
    law.verdict = Law::Verdict::kBroken;
    law.counterexample = counterexample(entity_, law, trial, broken, trier_);
  }

  /// Looks with the compiler's evaluator whether `law` is broken for the values in `input`, as the prover
  /// says: if that erred, no right class is refused.
  bool refuted_by(Law& law, const Probe::Trial& trial, const std::vector<unsigned char>& input) {
    const Probe::Trial again = replay(trial, input);
    const Evaluator::Value holds = evaluator_.call(again.holds, {});
    if (holds.known && !holds.truth) {
      refute(law, again, {});
      return true;
    }
    law.obstacle = holds.known ? "the prover errs: it holds for the values that it found"
                               : "values for which it may not hold could not be evaluated";
    return false;
  }

  /// The functions of `trial` for the values in `input` alone.
  Probe::Trial replay(const Probe::Trial& trial, const std::vector<unsigned char>& input) {
    // The functions that are replayed have names of their own.
    const std::string scope =
        fmt::format("{}::replay{}", trial.made.substr(0, trial.made.rfind("::")), replays_++);
    Probe::Trial again{.holds = scope + "::holds", .left = scope + "::left", .right = scope + "::right"};
    Rounds texts = {{{"name", "left"}, {"of", trial.left}}, {{"name", "right"}, {"of", trial.right}}};
    for (const std::string& shown : trial.shown) {
      const std::string name = "shown" + std::to_string(again.shown.size());
      again.shown.push_back(scope + "::" + name);
      texts.push_back({{"name", name}, {"of", shown}});
    }
    const auto byte = [](unsigned char one) { return std::to_string(static_cast<unsigned>(one)); };
    evaluator_.compile("", "",
                       fill(kReplay,
                            {{"scope", scope},
                             {"input", joined(input, ", ", byte)},
                             {"made", trial.made},
                             {"holds", trial.holds}},
                            {{"text", texts}}));
    return again;
  }

  std::string why_not_proved(const Law& law) const {
    const std::vector<std::string> members =
        law.method ? law.method->touches : std::vector{law.property->name};
    for (const std::string& member : members) {
      if (const auto why = why_unprovable(entity_.property(member)->type)) return *why;
    }
    if (law.method) {
      for (const Parameter& parameter : law.method->parameters) {
        if (const auto why = why_unprovable(parameter.type)) return *why;
      }
    }
    return "the prover was not asked";
  }

  const Entity& entity_;
  const Evaluable& evaluable_;
  Evaluator& evaluator_;
  Prover* prover_;
  const Probe& probe_;
  const Control& control_;
  Trier trier_;
  const std::vector<Law>* laws_ = nullptr;
  std::map<std::string, Proof> proofs_;            ///< by the functions that the prover was asked about
  std::map<const Property*, std::uint64_t> kept_;  ///< invariants, by the member
  std::vector<std::string> broken_;                ///< members whose fold breaks a law
  std::size_t replays_ = 0;
};

}  // namespace

void judge_by_probe(std::vector<Law>& laws, const Entity& entity, const Probe& probe,
                    const std::string& problem, const Evaluable& evaluable, Evaluator& evaluator,
                    Prover* prover, const Control& control) {
  Judge(entity, evaluable, evaluator, prover, probe, control).run(laws, problem);
}

void prove_by_key(std::vector<Law>& laws, const Entity& entity, const Probe& probe, const Twin& twin,
                  Prover& prover) {
  std::vector<Law*> open;
  std::vector<std::string> functions;
  for (Law& law : laws) {
    const bool is_right = law.verdict == Law::Verdict::kHolds || law.verdict == Law::Verdict::kLeftToTests;
    const Probe::Trial* const trial = is_right && !law.is_proved() ? trial_of(law, probe) : nullptr;
    if (!trial || trial->always.empty()) continue;
    if (const std::optional<Escape> mixed = mixed_keys(entity, law)) {
      if (law.obstacle.starts_with("the prover does not know"))
        law.obstacle = fmt::format("it {}", mixed->what);
      continue;
    }
    open.push_back(&law);
    functions.push_back(twin.name_of(trial->always));
  }
  if (open.empty()) return;
  const std::vector<Proof> proofs = prover.prove(functions);
  for (std::size_t at = 0; at < open.size(); ++at) {
    Law& law = *open[at];
    if (proofs[at].outcome == Proof::Outcome::kProved) {
      law.verdict = Law::Verdict::kHolds;
      law.how = Law::How::kByKey;
      law.combinations = law.tried = 0;
      law.reason = proofs[at].rounds ? kUpToRounding : "";
    } else if (!proofs[at].obstacle.empty()) {
      law.obstacle = for_developer(proofs[at].obstacle);
    }
  }
}

}  // namespace autoshard::tool
