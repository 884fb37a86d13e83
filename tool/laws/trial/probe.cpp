#include "tool/laws/trial/probe.h"

#include <algorithm>
#include <cstddef>
#include <set>

#include "tool/emit/emit.h"
#include "tool/laws/trial/probe_templates.h"
#include "tool/laws/trial/reached.h"
#include "tool/laws/trial/samples.h"
#include "tool/model/shard_names.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

using Samples = std::vector<std::string>;

/// Returns `entity` without members that cannot be evaluated, and without methods that touch them.
Entity evaluable_part(const Entity& entity, const Evaluable& evaluable) {
  Entity part = entity;
  std::erase_if(part.properties, [&](const Property& property) {
    return property.is_sharded() && evaluable.why_not(property.type).has_value();
  });
  std::erase_if(part.methods, [&](const Method& method) {
    return method.is_shard_method() &&
           !std::ranges::all_of(method.touches, [&](const std::string& name) { return part.property(name); });
  });
  return part;
}

Rounds rounds_of_names(std::string_view name, const std::vector<std::string>& values) {
  Rounds rounds;
  for (const std::string& value : values) rounds.push_back({{name, value}});
  return rounds;
}

/// Writes the text of one probe.
class ProbeWriter {
 public:
  ProbeWriter(const Entity& entity, const std::vector<SourceFile>& files, const Evaluable& evaluable,
              std::size_t number, const std::set<std::string>& unmoved)
      : entity_(entity),
        part_(evaluable_part(entity, evaluable)),
        files_(files),
        containers_(evaluable.containers()),
        constants_(constants_of(entity)),
        scope_("autoshard_laws::e" + std::to_string(number)),
        unmoved_(unmoved) {}

  Probe run() {
    std::string functions;
    for (const Property& property : part_.properties) {
      if (property.is_sharded() && !property.is_group()) functions += add_fold(property);
    }
    for (const Method& method : part_.methods) {
      if (method.is_shard_method() && !without_groups(method.touches).empty())
        functions += add_update(method);
    }
    probe_.text =
        fill(R"(
$shard$
namespace $scope$ {
using Shard = $entity$::Shard;
template <class Calls>
inline Shard reached(Calls calls) {
  Shard shard;
  calls(shard);
  return shard;
}
$functions$
}
)",
             {{"shard", unmoved_.empty()
                            ? shard_struct(part_, files_, entity_.qualified_name + "::Shard", Bodies::kAll)
                            : ""},
              {"scope", scope_},
              {"entity", entity_.qualified_name},
              {"functions", functions}});
    return std::move(probe_);
  }

 private:
  Samples samples(const Type& type) const { return samples_of(type, constants_, containers_); }

  /// The values that updates of `members` reach; none if samples of the types are tried instead.
  ReachedShards reached(const std::vector<std::string>& members) const {
    const auto is_unmoved = [&](const std::string& member) { return unmoved_.contains(member); };
    if (containers_ != Containers::kStandIns || std::ranges::any_of(members, is_unmoved)) return {};
    return reached_shards(part_, members, constants_);
  }

  /// The values of `property` that are tried. `shards` are the values that updates reach.
  Samples values_of(const Property& property, const ReachedShards& shards) const {
    Samples values = shards.shards;
    for (std::string& value : values) value += "." + property.name;
    return values.empty() ? samples(property.type) : values;
  }

  const Property& original(const Property& property) const { return *entity_.property(property.name); }

  /// The function that compares two values of `property`.
  static std::string same_of(const Property& property) {
    return property.sharding->any_order ? "autoshard_laws::same_elements" : "autoshard_laws::same";
  }

  /// The functions of a law in `scope`. The functions that make its values are in `outer`.
  static Probe::Trial trial(const std::string& scope, const std::string& outer, bool provable,
                            std::vector<std::size_t> samples, std::vector<std::string> shown) {
    for (std::string& name : shown) name.insert(0, outer + "::");
    return {.holds = scope + "::holds",
            .left = scope + "::left",
            .right = scope + "::right",
            .samples = std::move(samples),
            .shown = std::move(shown),
            .always = provable ? scope + "::holds_always" : "",
            .made = outer + "::made"};
  }

  /// The number of `values` for a law. A law of three values is tried on fewer containers, because their
  /// combinations take long.
  std::size_t count_of(const FoldLaw& law, const Samples& values) const {
    constexpr std::size_t kMostOfThree = 4;
    const bool is_less = containers_ == Containers::kStandIns && law.samples == 3;
    return is_less ? std::min(values.size(), kMostOfThree) : values.size();
  }

  std::string add_fold(const Property& property) {
    const std::string inner = "fold_" + property.name;
    const std::string scope = scope_ + "::" + inner;
    const ReachedShards shards = reached({property.name});
    const Samples values = values_of(property, shards);
    const bool provable = !why_unprovable(property.type, containers_);
    Probe::Fold fold{.property = &original(property)};
    fold.stays = scope + "::stays";
    if (provable && !property.sharding->any_order && !has_reals(property.type))
      fold.chooses = {scope + "::chooses", scope + "::chooses_in_order"};
    if (provable && containers_ == Containers::kReal && is_inductive(property)) {
      fold.invariants = possible_invariants(property, constants_);
      fold.steps = {scope + "::kept_at_first", scope + "::kept_by_fold"};
    }
    const bool inductive = !fold.invariants.empty();
    Rounds initial_rounds;
    for (const InitialValue& value : property.initial_values)
      initial_rounds.push_back({{"number", std::to_string(value.number) + "LL"}});
    Rounds invariant_rounds;
    for (const Invariant& invariant : fold.invariants)
      invariant_rounds.push_back(
          {{"test", invariant.test}, {"number", std::to_string(invariant_rounds.size())}});
    std::vector<FoldLaw> laws = {kCommutative, kAssociative, kNeutral};
    const auto trial_of = [&](const FoldLaw& law, std::vector<std::string> shown) {
      const std::string of_law = scope + "::" + std::string(law.name);
      Probe::Trial made =
          trial(of_law, scope, provable, std::vector(law.samples, count_of(law, values)), std::move(shown));
      made.large_from = shards.large_from;
      if (inductive) made.within = of_law + "::holds_within";
      made.members = {property.name};
      return made;
    };
    fold.commutative = trial_of(kCommutative, {"first_value", "second_value"});
    fold.associative = trial_of(kAssociative, {"first_value", "second_value", "third_value"});
    fold.neutral = trial_of(kNeutral, {"first_value", "shown_neutral"});
    if (property.sharding->is_bounded()) {
      laws.push_back(kAdds);
      fold.adds = trial_of(kAdds, {"first_value", "second_value"});
    }
    probe_.folds.push_back(std::move(fold));

    Rounds sample_rounds;
    for (const std::string& value : values)
      sample_rounds.push_back({{"at", std::to_string(sample_rounds.size())}, {"sample", value}});
    Rounds law_rounds;
    for (const FoldLaw& law : laws) {
      law_rounds.push_back({{"law", std::string(law.name)},
                            {"left", std::string(law.left)},
                            {"right", std::string(law.right)}});
    }
    return fill(kFold,
                {{"scope", inner},
                 {"property", property.name},
                 {"fold", fold_name(property)},
                 {"same", same_of(property)},
                 {"samples", kSamples},
                 {"provable", provable ? "yes" : ""},
                 {"real", has_reals(property.type) ? "yes" : ""},
                 {"exact", has_reals(property.type) ? "" : "yes"},
                 {"inductive", inductive ? "yes" : ""}},
                {{"sample", sample_rounds},
                 {"invariant", invariant_rounds},
                 {"initial", initial_rounds},
                 {"law", law_rounds},
                 {"shown", rounds_of_names(
                               "shown", {"first_value", "second_value", "third_value", "shown_neutral"})}});
  }

  /// Whether the initial value of `property` is known, and a prover can follow all its updates.
  bool is_inductive(const Property& property) const {
    return !property.begins_with_any && std::ranges::all_of(entity_.methods, [&](const Method& method) {
      if (!method.is_shard_method()) return true;
      if (!method.has_body) return false;
      if (std::ranges::find(method.touches, property.name) == method.touches.end()) return true;
      return is_provable(method);
    });
  }

  bool is_provable(const Method& method) const {
    return std::ranges::none_of(
               method.parameters,
               [&](const Parameter& one) { return why_unprovable(one.type, containers_).has_value(); }) &&
           std::ranges::all_of(method.touches, [&](const std::string& name) {
             const Property* const property = part_.property(name);
             return property && !property->is_group() && !why_unprovable(property->type, containers_);
           });
  }

  /// The members that `method` touches, with the position of their invariants among all.
  Rounds inductive_members(const Method& method) {
    Rounds rounds;
    std::size_t shift = 0;
    for (const std::string& member : method.touches) {
      const auto fold = std::ranges::find(probe_.folds, entity_.property(member), &Probe::Fold::property);
      if (fold == probe_.folds.end() || fold->invariants.empty()) return {};
      rounds.push_back({{"member", member}, {"shift", std::to_string(shift)}});
      shift += fold->invariants.size();
    }
    return shift < 63 ? rounds : Rounds();
  }

  /// Removes the groups from `members`: an addition to a group does not influence other members.
  std::vector<std::string> without_groups(std::vector<std::string> members) const {
    std::erase_if(members, [&](const std::string& member) { return part_.property(member)->is_group(); });
    return members;
  }

  /// The functions that make, fold, compare and show members. The samples of the members of one method
  /// differ.
  Rounds rounds_of(const std::vector<std::string>& members) const {
    Rounds rounds;
    for (const std::string& member : members) {
      const Property& property = *part_.property(member);
      const std::string label = (rounds.empty() ? "{" : ", ") + member + " = ";
      rounds.push_back({{"member", member},
                        {"same", same_of(property)},
                        {"shift", std::to_string(rounds.size())},
                        {"count", std::to_string(values_of(property, reached({member})).size())},
                        {"label", string_literal(members.size() > 1 ? label : "")}});
    }
    return rounds;
  }

  std::string add_update(const Method& method) {
    const std::vector<Samples> parameters = samples_of_parameters(method);
    if (std::ranges::any_of(parameters, &Samples::empty)) return {};
    const Rounds calls = calls_of(method, parameters);
    const bool replaces = method.is_shard_write();
    const std::vector<std::string> touched = without_groups(method.touches);
    const std::vector<std::string> compared = replaces ? without_groups(method.writes) : touched;
    const ReachedShards shards = reached(touched);
    const Samples& states = shards.shards;
    std::size_t values = std::max(states.size(), std::size_t{1});
    for (const std::string& member : touched) {
      if (states.empty()) values = std::max(values, samples(part_.property(member)->type).size());
    }
    Rounds state_rounds;
    for (const std::string& state : states)
      state_rounds.push_back({{"at", std::to_string(state_rounds.size())}, {"state", state}});
    const bool provable = is_provable(method);
    const Rounds inductive = provable ? inductive_members(method) : Rounds();

    const std::string inner = "update" + std::to_string(probe_.updates.size());
    const std::string scope = scope_ + "::" + inner;
    Probe::Trial law = trial(scope, scope, provable, {values, values, calls.size()},
                             {"first_value", "second_value", "third_value"});
    law.large_from = shards.large_from;
    if (!inductive.empty()) {
      law.within = scope + "::holds_within";
      law.members = method.touches;
      for (const std::string& member : method.touches)
        std::ranges::find(probe_.folds, entity_.property(member), &Probe::Fold::property)
            ->steps.push_back(scope + "::keeps_" + member);
    }
    const bool is_folded =
        provable && !replaces && std::ranges::none_of(touched, [&](const std::string& name) {
          return part_.property(name)->sharding->any_order;
        });
    probe_.updates.push_back(
        {.method = &*std::ranges::find(entity_.methods, method.span, &Method::span),
         .law = std::move(law),
         .effect = is_folded ? scope + "::is_effect_folded" : "",
         .effect_within = is_folded && !inductive.empty() ? scope + "::is_effect_folded_within" : "",
         .updates_neutral = is_folded ? scope + "::updates_neutral" : ""});
    return fill(
        kUpdate,
        {{"scope", inner},
         {"method", method.name},
         {"samples", kSamples},
         {"provable", provable ? "yes" : ""},
         {"folded", is_folded ? "yes" : ""},
         {"inductive", inductive.empty() ? "" : "yes"},
         {"several_touched", touched.size() > 1 ? "yes" : ""},
         {"several_compared", compared.size() > 1 ? "yes" : ""},
         {"left", replaces ? "updated(given.x, given)" : "updated(folded(given.x, given.y), given)"},
         {"right", replaces ? "updated(given.y, given)" : "folded(updated(given.x, given), given.y)"},
         {"parameters", std::to_string(parameters.size())},
         {"made", joined(method.parameters, "",
                         [](const Parameter& one) { return ", make<" + one.type.qualified + ">(from)"; })}},
        {{"touched", rounds_of(touched)},
         {"state", state_rounds},
         {"sampled", states.empty() ? rounds_of(touched) : Rounds()},
         {"compared", rounds_of(compared)},
         {"call", calls},
         {"inductive_member", inductive},
         {"form", forms_of(method)},
         {"parameter", parameters_of(method)},
         {"shown",
          rounds_of_names("shown", {"left", "right", "first_value", "second_value", "third_value"})}});
  }

  std::vector<Samples> samples_of_parameters(const Method& method) const {
    std::vector<Samples> result;
    for (const Parameter& parameter : method.parameters) result.push_back(samples(parameter.type));
    return result;
  }

  static Rounds parameters_of(const Method& method) {
    Rounds rounds;
    for (const Parameter& parameter : method.parameters) {
      const std::string number = std::to_string(rounds.size());
      rounds.push_back({{"type", parameter.type.qualified}, {"argument", "a" + number}, {"number", number}});
    }
    return rounds;
  }

  /// The least number of arguments of a call.
  static std::size_t least_arguments(const Method& method) {
    std::size_t least = 0;
    while (least < method.parameters.size() && method.parameters[least].default_argument.empty()) ++least;
    return least;
  }

  /// The forms of a call, with and without default arguments.
  static Rounds forms_of(const Method& method) {
    Rounds forms;
    std::string list;
    for (std::size_t passed = 0; passed <= method.parameters.size(); ++passed) {
      if (passed >= least_arguments(method))
        forms.push_back({{"passed", std::to_string(passed)}, {"list", list}});
      if (passed == method.parameters.size()) break;
      const std::string name = "a" + std::to_string(passed);
      const bool rvalue = method.parameters[passed].passing == Passing::kRvalueReference;
      list +=
          (passed == 0 ? "" : ", ") + (rvalue ? "static_cast<decltype(" + name + ")&&>(" + name + ")" : name);
    }
    return forms;
  }

  /// The calls that a method is tried with. They combine several values of each parameter in different ways.
  Rounds calls_of(const Method& method, const std::vector<Samples>& parameters) const {
    Rounds calls;
    if (containers_ == Containers::kStandIns) {
      for (std::size_t passed = least_arguments(method); passed <= parameters.size(); ++passed) {
        std::set<Samples> known;
        for (const Samples& arguments : arguments_of(method, constants_)) {
          // Default arguments are not passed, so they do not make a call different.
          if (!known.insert({arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(passed)})
                   .second)
            continue;
          calls.push_back({{"at", std::to_string(calls.size())},
                           {"passed", std::to_string(passed)},
                           {"arguments", joined(arguments, "", [](const std::string& argument) {
                              return ", " + argument;
                            })}});
        }
      }
      return calls;
    }
    for (std::size_t passed = least_arguments(method); passed <= parameters.size(); ++passed) {
      std::size_t variations = 1;
      for (std::size_t at = 0; at < passed; ++at) variations = std::max(variations, parameters[at].size());
      for (std::size_t variation = 0; variation < variations; ++variation) {
        std::string arguments;
        for (std::size_t at = 0; at < parameters.size(); ++at)
          arguments += ", " + parameters[at][(variation + 3 * at) % parameters[at].size()];
        calls.push_back({{"at", std::to_string(calls.size())},
                         {"passed", std::to_string(passed)},
                         {"arguments", arguments}});
      }
    }
    return calls;
  }

  const Entity& entity_;
  const Entity part_;
  const std::vector<SourceFile>& files_;
  Containers containers_;
  Constants constants_;
  std::string scope_;
  const std::set<std::string>& unmoved_;
  Probe probe_;
};

}  // namespace

Probe make_probe(const Entity& entity, const std::vector<SourceFile>& files, const Evaluable& evaluable,
                 std::size_t number, const std::set<std::string>& unmoved) {
  return ProbeWriter(entity, files, evaluable, number, unmoved).run();
}

}  // namespace autoshard::tool
