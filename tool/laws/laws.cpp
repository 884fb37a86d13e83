#include "tool/laws/laws.h"

#include <algorithm>
#include <set>

#include "tool/emit/emit.h"
#include "tool/laws/judge.h"
#include "tool/laws/known.h"
#include "tool/laws/law_tests.h"
#include "tool/laws/trial/generated_includes.h"
#include "tool/laws/trial/probe.h"
#include "tool/laws/trial/samples.h"
#include "tool/laws/trial/twin.h"

namespace autoshard::tool {
namespace {

/// The laws of one entity, without verdicts.
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

bool has_open(const EntityLaws& entity) { return std::ranges::any_of(entity.laws, is_open); }

std::string name_among_all(const Entity& entity, const Law& law) {
  const std::string of = law.method ? method_key(*law.method) : law.property->name;
  return entity.qualified_name + "/" + of + "/" + std::to_string(static_cast<int>(law.kind));
}

/// Whether an annotation of an open law may need the standard headers of generated code. Reading these
/// headers takes time, so they are read only then.
bool uses_standard_library(const std::vector<EntityLaws>& entities) {
  const auto is_used = [](const Property& property) {
    return property.sharding && property.sharding->uses_std;
  };
  return std::ranges::any_of(entities, [&](const EntityLaws& one) {
    return has_open(one) && std::ranges::any_of(one.entity->properties, is_used);
  });
}

/// Gives up an open law that the law tests cannot try, either.
void give_up(const Entity& entity, Law& law) {
  if (!is_open(law)) return;
  const auto why = law.method ? why_untestable(entity, *law.method) : why_untestable(entity);
  if (!why) return;
  law.verdict = Law::Verdict::kNotJudged;
  law.reason = *why;
}

/// Whether stand-ins may help to judge `law`.
bool needs_stand_ins(const Entity& entity, const Law& law) {
  const std::vector<std::string> members = law.method ? law.method->touches : std::vector{law.property->name};
  return std::ranges::any_of(
             members, [&](const std::string& name) { return has_stand_in(entity.property(name)->type); }) ||
         (law.method && std::ranges::any_of(law.method->parameters, [](const Parameter& parameter) {
            return has_stand_in(parameter.type);
          }));
}

/// The members that have their neutral value in each sample, although updates were run.
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

/// Tries the open laws of entities in `file` with its twin.
void judge_with_twin(const Model& model, std::uint32_t file, std::vector<EntityLaws>& all, bool is_first,
                     Evaluator& evaluator, const Control& control) {
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
    // These stand-ins are for the evaluator only, so there is no prover.
    judge_by_probe(laws, entity, probe, problem, evaluable, twin, nullptr, control);
    for (std::size_t at = 0; at < laws.size(); ++at) {
      if (!laws[at].reason.empty() || !is_open(laws[at])) all[number].laws[at] = std::move(laws[at]);
    }
  }
}

/// Support for probes with sets, maps and texts that a prover follows.
constexpr const char* kFollowedSupport = R"(
#pragma clang diagnostic ignored "-Winvalid-constexpr"
namespace autoshard_laws {
template <class T>
  requires requires { typename T::FollowsOneKey; typename T::mapped_type; }
struct Fields<T> {
  static constexpr bool kKnown = true;
  static constexpr bool same(const T& one, const T& other) {
    if (one.followed().has_value() != other.followed().has_value()) return false;
    return !one.followed().has_value() ||
           autoshard_laws::same<typename T::mapped_type>(one.followed()->second, other.followed()->second);
  }
  static constexpr T make(Bytes& from) {
    T result;
    const bool has_it = autoshard_laws::make<bool>(from);
    const auto value = autoshard_laws::make<typename T::mapped_type>(from);
    if (has_it) result.follow(value);
    return result;
  }
  static constexpr void show(Text&, const T&) {}
};
template <class T>
  requires(requires { typename T::FollowsOneKey; } && !requires { typename T::mapped_type; })
struct Fields<T> {
  static constexpr bool kKnown = true;
  static constexpr bool same(const T& one, const T& other) { return one.has_followed() == other.has_followed(); }
  static constexpr T make(Bytes& from) {
    T result;
    result.follow(autoshard_laws::make<bool>(from));
    return result;
  }
  static constexpr void show(Text&, const T&) {}
};
template <>
struct Fields<autoshard_one_key::string> {
  static constexpr bool kKnown = true;
  static constexpr bool same(const autoshard_one_key::string& one, const autoshard_one_key::string& other) {
    return one == other;
  }
  static constexpr autoshard_one_key::string make(Bytes& from) {
    return autoshard_one_key::string(autoshard_laws::make<unsigned long long>(from));
  }
  static constexpr void show(Text&, const autoshard_one_key::string&) {}
};
}
)";

/// Whether `law` is not proved yet, and a proof for one key of each set and map may prove it.
bool may_hold_by_key(const Entity& entity, const Law& law) {
  const bool is_right = law.verdict == Law::Verdict::kHolds || is_open(law);
  return is_right && !law.is_proved() && needs_stand_ins(entity, law) &&
         (!law.method || law.method->has_body);
}

/// Proves laws of entities in `file` that are not proved yet. Uses a twin that follows one key of each set
/// and map.
void prove_with_twin(const Model& model, std::uint32_t file, std::vector<EntityLaws>& all, bool is_first,
                     Evaluator& evaluator, Prover& prover) {
  Twin twin(model, file, is_first, evaluator, Follower::kProver);
  if (!twin.problem().empty() || !twin.compile("", "", kProbeSupport).empty() ||
      !twin.compile("", "", kFollowedSupport).empty())
    return;
  const Evaluable evaluable(model, twin, Containers::kOneKey);
  for (std::size_t number = 0; number < all.size(); ++number) {
    const Entity& entity = *all[number].entity;
    if (entity.span.file != file ||
        std::ranges::none_of(all[number].laws, [&](const Law& law) { return may_hold_by_key(entity, law); }))
      continue;
    const Probe probe = make_probe(entity, model.files, evaluable, number);
    if (twin.compile(entity.qualified_name, "Shard", probe.text).empty())
      prove_by_key(all[number].laws, entity, probe, twin, prover);
  }
}

/// Calls `work` with each file that has an entity with a law that is `wanted`.
template <class Wanted, class Work>
void for_each_twin(const Model& model, const std::vector<EntityLaws>& all, const Wanted& wanted,
                   const Work& work) {
  std::set<std::uint32_t> files;
  for (const EntityLaws& entity : all) {
    if (model.files[entity.entity->span.file].is_input &&
        std::ranges::any_of(entity.laws, [&](const Law& law) { return wanted(*entity.entity, law); }))
      files.insert(entity.entity->span.file);
  }
  for (const std::uint32_t file : files) work(file, file == *files.begin());
}

/// Tries the open laws in `all` with the twins of their headers, and proves the laws that are not proved yet.
void judge_with_twins(const Model& model, std::vector<EntityLaws>& all, Evaluator& evaluator, Prover& prover,
                      const Control& control) {
  for_each_twin(
      model, all,
      [](const Entity& entity, const Law& law) { return is_open(law) && needs_stand_ins(entity, law); },
      [&](std::uint32_t file, bool is_first) {
        judge_with_twin(model, file, all, is_first, evaluator, control);
      });
  for_each_twin(model, all, may_hold_by_key, [&](std::uint32_t file, bool is_first) {
    prove_with_twin(model, file, all, is_first, evaluator, prover);
  });
}

}  // namespace

const Argument* Law::trusted() const {
  const std::optional<Argument>& why = method ? method->marks.trusted : property->marks.shardable->trusted;
  return why ? &*why : nullptr;
}

std::vector<EntityLaws> judge(const Model& model, Evaluator& evaluator, Prover& prover,
                              const Control& control) {
  std::vector<EntityLaws> result;
  for (const Entity& entity : model.entities) {
    result.push_back({&entity, laws_of(entity)});
    for (Law& law : result.back().laws) {
      if (!follows_from_form(entity, law)) continue;
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
    judge_by_probe(result[number].laws, entity, probe, problem, evaluable, evaluator, &prover, control);
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
