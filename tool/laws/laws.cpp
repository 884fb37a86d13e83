#include "tool/laws/laws.h"

#include <algorithm>
#include <set>

#include "tool/emit/emit.h"
#include "tool/laws/blame.h"
#include "tool/laws/counterexample.h"
#include "tool/laws/known.h"
#include "tool/laws/law_tests.h"
#include "tool/laws/probe.h"
#include "tool/laws/samples.h"
#include "tool/laws/trier.h"
#include "tool/laws/twin.h"
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

/// The laws of one entity, before anything has been tried.
std::vector<Law> laws_of(const Entity& entity) {
  std::vector<Law> laws;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.is_group()) continue;
    for (const Law::Kind kind : {Law::Kind::kCommutative, Law::Kind::kAssociative, Law::Kind::kNeutral}) {
      laws.push_back({.kind = kind, .property = &property});
    }
    if (property.sharding->is_bounded()) laws.push_back({.kind = Law::Kind::kAdds, .property = &property});
  }
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method()) continue;
    const Law::Kind kind = method.is_shard_write() ? Law::Kind::kReplaces : Law::Kind::kCommutes;
    laws.push_back({.kind = kind, .method = &method, .touches = method.touches});
  }
  return laws;
}

/// Whether `law` is yet to be tried.
bool is_open(const Law& law) { return law.verdict == Law::Verdict::kLeftToTests; }
bool has_open(const EntityLaws& entity) { return std::ranges::any_of(entity.laws, is_open); }

std::string name_among_all(const Entity& entity, const Law& law) {
  const std::string of = law.method ? method_key(*law.method) : law.property->name;
  return entity.qualified_name + "/" + of + "/" + std::to_string(static_cast<int>(law.kind));
}

/// What a prover says about the laws of one probe, by the functions that it was asked about.
using Proofs = std::map<std::string, Proof>;

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

/// Proves what is open and provable among `laws`.
Proofs prove(const std::vector<Law>& laws, const Probe& probe, Prover& prover) {
  std::vector<std::string> functions;
  for (const Law& law : laws) {
    const Probe::Trial* const trial = is_open(law) ? trial_of(law, probe) : nullptr;
    if (trial && !trial->always.empty()) functions.push_back(trial->always);
  }
  Proofs proofs;
  if (functions.empty()) return proofs;
  std::vector<Proof> found = prover.prove(functions);
  for (std::size_t at = 0; at < functions.size(); ++at) proofs[functions[at]] = std::move(found[at]);
  return proofs;
}

class Judge {
 public:
  Judge(const Entity& entity, const Evaluable& evaluable, Evaluator& evaluator, Prover& prover,
        const Probe& probe, const Proofs& proofs, const Control& control)
      : entity_(entity),
        evaluable_(evaluable),
        evaluator_(evaluator),
        prover_(prover),
        probe_(probe),
        proofs_(proofs),
        control_(control),
        trier_(evaluator) {}

  /// Judges those of `laws` that are open. `problem` is why the probe could not be compiled; empty if it
  /// could.
  void run(std::vector<Law>& laws, const std::string& problem) {
    for (Law& law : laws) {
      if (law.property && law.verdict == Law::Verdict::kBroken) broken_.push_back(law.property->name);
      if (!is_open(law)) continue;
      if (law.method) {
        judge_update(law, problem);
      } else {
        judge_fold(law, problem);
      }
    }
  }

 private:
  void judge_fold(Law& law, const std::string& problem) {
    if (const auto why = evaluable_.why_not(law.property->type)) {
      law.reason = *why;
    } else if (const Probe::Trial* trial = problem.empty() ? trial_of(law, probe_) : nullptr) {
      settle(law, *trial);
    } else {
      law.reason = problem;
    }
    if (law.verdict == Law::Verdict::kBroken && !is_disabled(control_, rule_of(law.kind)))
      broken_.push_back(law.property->name);
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
      law.reason = "the fold of '" + member + "' has to be right first";
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
    law.obstacle = proof.obstacle;
    if (proof.outcome == Proof::Outcome::kRefuted && holds_for_reachable(law, trial)) return;
    const Outcome outcome = trier_.run(trial);
    law.combinations = outcome.combinations;
    law.tried = outcome.tried;
    if (outcome.broken) {
      refute(law, trial, *outcome.broken);
    } else if (proof.outcome == Proof::Outcome::kRefuted && refuted_by(law, trial, proof.input)) {
      return;
    } else if (outcome.tried > 0) {
      law.verdict = Law::Verdict::kHolds;
    } else {
      law.reason = "the compiler cannot evaluate it: " + outcome.problem;
    }
  }

  /// Whether `law`, which fails for some values, holds for all that updates can reach from the neutral one.
  bool holds_for_reachable(Law& law, const Probe::Trial& trial) {
    if (trial.within.empty()) return false;
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
    if (given == 0 || !prover_.holds_within(trial.within, given)) return false;
    law.verdict = Law::Verdict::kHolds;
    law.how = Law::How::kInduction;
    law.reason = "as updates keep " + list(texts);
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
    if (is_new) found->second = prover_.kept(fold.steps, static_cast<unsigned>(fold.invariants.size()));
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
        trial.made.substr(0, trial.made.rfind("::")) + "::replay" + std::to_string(replays_++);
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
  Prover& prover_;
  const Probe& probe_;
  const Proofs& proofs_;
  const Control& control_;
  Trier trier_;
  std::map<const Property*, std::uint64_t> kept_;  ///< invariants, by the member
  std::vector<std::string> broken_;                ///< members whose fold breaks a law
  std::size_t replays_ = 0;
};

/// What the annotations may use beyond what the user's headers include: generated code includes it.
constexpr const char* kGeneratedIncludes = "#include <functional>\n#include <limits>\n#include <utility>\n";

/// Whether any annotation that is tried may need them, which take a while to read.
bool uses_standard_library(const std::vector<EntityLaws>& entities) {
  const auto is_used = [](const Property& property) {
    return property.sharding && property.sharding->uses_std;
  };
  return std::ranges::any_of(entities, [&](const EntityLaws& one) {
    return has_open(one) && std::ranges::any_of(one.entity->properties, is_used);
  });
}

/// What was left to the tests, but is nothing for them.
void give_up(const Entity& entity, Law& law) {
  if (!is_open(law)) return;
  const auto why = law.method ? why_untestable(entity, *law.method) : why_untestable(entity);
  if (!why) return;
  law.verdict = Law::Verdict::kNotJudged;
  law.reason = *why;
}

/// Whether stand-ins may help with `law`, which is open.
bool needs_stand_ins(const Entity& entity, const Law& law) {
  const std::vector<std::string> members = law.method ? law.method->touches : std::vector{law.property->name};
  return std::ranges::any_of(
             members, [&](const std::string& name) { return has_stand_in(entity.property(name)->type); }) ||
         (law.method && std::ranges::any_of(law.method->parameters, [](const Parameter& parameter) {
            return has_stand_in(parameter.type);
          }));
}

/// The members that have their neutral value in each sample, although they were updated.
std::set<std::string> unmoved_members(const Probe& probe, Evaluator& evaluator) {
  std::set<std::string> unmoved;
  for (const Probe::Fold& fold : probe.folds) {
    bool moves = false;
    for (std::size_t at = 0; at < fold.neutral.samples.front() && !moves; ++at) {
      const Evaluator::Value stays = evaluator.call(fold.stays, {static_cast<int>(at)});
      moves = !stays.known || !stays.truth;
    }
    if (!moves) unmoved.insert(fold.property->name);
  }
  return unmoved;
}

/// Tries what is open among the laws of entities in `file` with its twin.
void judge_with_twin(const Model& model, std::uint32_t file, std::vector<EntityLaws>& all, bool is_first,
                     Evaluator& evaluator, Prover& prover, const Control& control) {
  Twin twin(model, file, is_first, evaluator);
  if (!twin.problem().empty() || !twin.compile("", "", kProbeSupport).empty()) return;
  const Evaluable evaluable(model, twin, Containers::kStandIns);
  for (std::size_t number = 0; number < all.size(); ++number) {
    const Entity& entity = *all[number].entity;
    if (entity.span.file != file) continue;
    std::vector<Law> laws = all[number].laws;
    if (std::ranges::none_of(laws,
                             [&](const Law& law) { return is_open(law) && needs_stand_ins(entity, law); }))
      continue;
    for (Law& law : laws) {
      if (is_open(law)) law.reason.clear();
    }
    Probe probe = make_probe(entity, model.files, evaluable, number);
    std::string problem = twin.compile(entity.qualified_name, "Shard", probe.text);
    const std::set<std::string> unmoved =
        problem.empty() ? unmoved_members(probe, twin) : std::set<std::string>();
    if (!unmoved.empty()) {
      probe = make_probe(entity, model.files, evaluable, all.size() + number, unmoved);
      problem = twin.compile("", "", probe.text);
    }
    Judge(entity, evaluable, twin, prover, probe, {}, control).run(laws, problem);
    for (std::size_t at = 0; at < laws.size(); ++at) {
      if (!laws[at].reason.empty() || !is_open(laws[at])) all[number].laws[at] = std::move(laws[at]);
    }
  }
}

/// Tries what is open in `all` with the twins of its headers.
void judge_with_twins(const Model& model, std::vector<EntityLaws>& all, Evaluator& evaluator, Prover& prover,
                      const Control& control) {
  std::set<std::uint32_t> files;
  for (const EntityLaws& entity : all) {
    if (model.files[entity.entity->span.file].is_input &&
        std::ranges::any_of(entity.laws, [&](const Law& law) {
          return is_open(law) && needs_stand_ins(*entity.entity, law);
        }))
      files.insert(entity.entity->span.file);
  }
  for (const std::uint32_t file : files)
    judge_with_twin(model, file, all, file == *files.begin(), evaluator, prover, control);
}

}  // namespace

const Argument* Law::trusted() const {
  const std::optional<Argument>& why = method ? method->marks.trusted : property->marks.shardable->trusted;
  return why ? &*why : nullptr;
}

std::vector<EntityLaws> judge(const Model& model, Evaluator& evaluator, Prover& prover,
                              const Control& control, Trying trying) {
  std::vector<EntityLaws> result;
  for (const Entity& entity : model.entities) {
    result.push_back({&entity, laws_of(entity)});
    for (Law& law : result.back().laws) {
      if (trying == Trying::kEverything || !follows_from_form(entity, law)) continue;
      law.verdict = Law::Verdict::kHolds;
      law.how = Law::How::kForm;
    }
  }
  if (std::ranges::none_of(result, has_open)) return result;

  if (uses_standard_library(result)) evaluator.compile("", "", kGeneratedIncludes);
  const std::string unsupported = evaluator.compile("", "", kProbeSupport);
  const Evaluable evaluable(model, evaluator);
  for (std::size_t number = 0; number < result.size(); ++number) {
    if (!has_open(result[number])) continue;
    const Entity& entity = *result[number].entity;
    const Probe probe = make_probe(entity, model.files, evaluable, number);
    std::string problem = unsupported;
    if (problem.empty()) problem = evaluator.compile(entity.qualified_name, "Shard", probe.text);
    if (!problem.empty()) problem = "it cannot be compiled on its own: " + problem;
    const Proofs proofs = problem.empty() ? prove(result[number].laws, probe, prover) : Proofs();
    Judge(entity, evaluable, evaluator, prover, probe, proofs, control).run(result[number].laws, problem);
  }
  judge_with_twins(model, result, evaluator, prover, control);
  for (EntityLaws& entity : result) {
    for (Law& law : entity.laws) give_up(*entity.entity, law);
  }
  return result;
}

Verdicts verdicts_of(const std::vector<EntityLaws>& laws) {
  Verdicts verdicts;
  for (const EntityLaws& entity : laws) {
    for (const Law& law : entity.laws) {
      KnownVerdict& verdict = verdicts[name_among_all(*entity.entity, law)];
      verdict = {law.verdict, law.combinations, law.tried, law.reason, law.how, law.obstacle};
      if (law.method && law.method->has_body) verdict.touches = law.touches;
    }
  }
  return verdicts;
}

void complete(std::vector<EntityLaws>& laws, const Verdicts& known) {
  for (EntityLaws& entity : laws) {
    for (Law& law : entity.laws) {
      const auto found = known.find(name_among_all(*entity.entity, law));
      if (found == known.end()) continue;
      const auto& [verdict, combinations, tried, reason, how, obstacle, touches] = found->second;
      if (touches) law.touches = *touches;
      if (law.verdict != Law::Verdict::kNotJudged && verdict != Law::Verdict::kHolds) continue;
      law.verdict = verdict;
      law.combinations = combinations;
      law.tried = tried;
      law.reason = reason;
      law.how = how;
      law.obstacle = obstacle;
    }
  }
}

Diagnostics counterexamples(const std::vector<EntityLaws>& laws) {
  Diagnostics found;
  for (const EntityLaws& entity : laws) {
    for (const Law& law : entity.laws) {
      if (law.counterexample) found.push_back(*law.counterexample);
    }
  }
  std::ranges::stable_sort(found, {},
                           [](const Diagnostic& one) { return std::pair(one.span.file, one.span.begin); });
  return found;
}

}  // namespace autoshard::tool
