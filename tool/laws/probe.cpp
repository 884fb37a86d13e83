#include "tool/laws/probe.h"

#include <algorithm>

#include "tool/emit/emit.h"
#include "tool/laws/samples.h"
#include "tool/model/shard_names.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

using Samples = std::vector<std::string>;

/// `entity` without the members that cannot be evaluated, and without the methods that touch them.
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

/// The numbers of up to three samples.
constexpr std::string_view kSamples =
    "[[maybe_unused]] int i, [[maybe_unused]] int j, [[maybe_unused]] int k";

/// The two sides of a law, whose functions come after `MemberValue`, `value` and `fold_values`.
struct FoldLaw {
  std::string_view name;
  std::string_view left;
  std::string_view right;
  std::size_t samples = 0;
};
constexpr FoldLaw kCommutative = {"commutative", "fold_values(value(i), value(j))",
                                  "fold_values(value(j), value(i))", 2};
constexpr FoldLaw kAssociative = {"associative", "fold_values(fold_values(value(i), value(j)), value(k))",
                                  "fold_values(value(i), fold_values(value(j), value(k)))", 3};
constexpr FoldLaw kNeutral = {"neutral", "fold_values(value(i), neutral_value())", "value(i)", 1};
constexpr FoldLaw kAdds = {"adds", "fold_values(value(i), value(j))",
                           "static_cast<MemberValue>(value(i) + value(j))", 2};

constexpr std::string_view kFold = R"(
namespace $scope$ {

using MemberValue = decltype(Shard::$property$);

inline MemberValue value(int at) {
  $for sample$
  if (at == $at$) return $sample$;
  $end$
  return {};
}
inline MemberValue neutral_value() { return Shard{}.$property$; }
inline MemberValue fold_values(const MemberValue& x, const MemberValue& y) { return Shard::$fold$(x, y); }

inline Text first_sample(int i, int, int) { return shown(value(i)); }
inline Text second_sample(int, int j, int) { return shown(value(j)); }
inline Text third_sample(int, int, int k) { return shown(value(k)); }
inline Text neutral_sample(int, int, int) { return shown(neutral_value()); }

$for law$
namespace $law$ {
inline bool holds($samples$) { return $same$($left$, $right$); }
inline Text left($samples$) { return shown($left$); }
inline Text right($samples$) { return shown($right$); }
}
$end$

}
)";

constexpr std::string_view kUpdate = R"(
namespace $scope$ {

struct Touched {
  Shard shard;
};

inline Touched value(int at) {
  Shard shard;
  $for touched$
  shard.$member$ = fold_$member$::value((at + $shift$) % $count$);
  $end$
  return {shard};
}

inline Touched folded(const Touched& one, const Touched& other) {
  Shard x = one.shard;
  const Shard& y = other.shard;
  $for touched$
  x.$member$ = fold_$member$::fold_values(x.$member$, y.$member$);
  $end$
  return {x};
}

inline Touched updated(Touched value, int at) {
  Shard& shard = value.shard;
  $for call$
  if (at == $at$) { $statement$ }
  $end$
  return value;
}

inline bool is_same(const Touched& left, const Touched& right) {
  const Shard& one = left.shard;
  const Shard& other = right.shard;
  $for compared$
  if (!$same$(one.$member$, other.$member$)) return false;
  $end$
  return true;
}

inline Text shown_value(const Touched& value) {
  Text text;
  $for touched$
  text.add($label$);
  autoshard_laws::show(text, value.shard.$member$);
  $end$
  $if several_touched$
  text.add('}');
  $end$
  return text;
}

inline Text shown_result(const Touched& value) {
  Text text;
  $for compared$
  text.add($label$);
  autoshard_laws::show(text, value.shard.$member$);
  $end$
  $if several_compared$
  text.add('}');
  $end$
  return text;
}

inline Text first_sample(int i, int, int) { return shown_value(value(i)); }
inline Text second_sample(int, int j, int) { return shown_value(value(j)); }
inline Text arguments(int, int, int at) {
  Text text;
  $for call$
  if (at == $at$) { $arguments$ }
  $end$
  return text;
}

inline bool holds($samples$) { return is_same($left$, $right$); }
inline Text left($samples$) { return shown_result($left$); }
inline Text right($samples$) { return shown_result($right$); }

}
)";

/// Writes one probe.
class ProbeWriter {
 public:
  ProbeWriter(const Entity& entity, const std::vector<SourceFile>& files, const Evaluable& evaluable,
              std::size_t number)
      : entity_(entity),
        part_(evaluable_part(entity, evaluable)),
        files_(files),
        constants_(constants_of(entity)),
        scope_("autoshard_laws::e" + std::to_string(number)) {}

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
$functions$
}
)",
             {{"shard", shard_struct(part_, files_, entity_.qualified_name + "::Shard", Bodies::kAll)},
              {"scope", scope_},
              {"entity", entity_.qualified_name},
              {"functions", functions}});
    return std::move(probe_);
  }

 private:
  Samples samples(const Type& type) const { return samples_of(type, constants_); }

  const Property& original(const Property& property) const { return *entity_.property(property.name); }

  /// What compares two values of `property`.
  static std::string same_of(const Property& property) {
    return property.sharding->any_order ? "autoshard_laws::same_elements" : "autoshard_laws::same";
  }

  /// The functions of a law, which stand in `scope`.
  static Probe::Trial trial(const std::string& scope, std::vector<std::size_t> samples,
                            std::vector<std::string> shown) {
    return {.holds = scope + "::holds",
            .left = scope + "::left",
            .right = scope + "::right",
            .samples = std::move(samples),
            .shown = std::move(shown)};
  }

  std::string add_fold(const Property& property) {
    const std::string inner = "fold_" + property.name;
    const std::string scope = scope_ + "::" + inner;
    const Samples values = samples(property.type);
    const std::string first = scope + "::first_sample", second = scope + "::second_sample";
    const auto trial_of = [&](const FoldLaw& law, std::vector<std::string> shown) {
      return trial(scope + "::" + std::string(law.name), std::vector(law.samples, values.size()),
                   std::move(shown));
    };
    Probe::Fold fold{.property = &original(property)};
    std::vector<FoldLaw> laws = {kCommutative, kAssociative, kNeutral};
    fold.commutative = trial_of(kCommutative, {first, second});
    fold.associative = trial_of(kAssociative, {first, second, scope + "::third_sample"});
    fold.neutral = trial_of(kNeutral, {first, scope + "::neutral_sample"});
    if (property.sharding->is_bounded()) {
      laws.push_back(kAdds);
      fold.adds = trial_of(kAdds, {first, second});
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
                 {"samples", kSamples}},
                {{"sample", sample_rounds}, {"law", law_rounds}});
  }

  /// What a method adds to a group has no influence on the other members.
  std::vector<std::string> without_groups(std::vector<std::string> members) const {
    std::erase_if(members, [&](const std::string& member) { return part_.property(member)->is_group(); });
    return members;
  }

  /// How members are made, folded, compared and shown. Those that a method is tried on differ.
  Rounds rounds_of(const std::vector<std::string>& members) const {
    Rounds rounds;
    for (const std::string& member : members) {
      const Property& property = *part_.property(member);
      const std::string label = (rounds.empty() ? "{" : ", ") + member + " = ";
      rounds.push_back({{"member", member},
                        {"same", same_of(property)},
                        {"shift", std::to_string(rounds.size())},
                        {"count", std::to_string(samples(property.type).size())},
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
    std::size_t values = 1;
    for (const std::string& member : touched)
      values = std::max(values, samples(part_.property(member)->type).size());

    const std::string inner = "update" + std::to_string(probe_.updates.size());
    const std::string scope = scope_ + "::" + inner;
    probe_.updates.push_back(
        {.method = &*std::ranges::find(entity_.methods, method.span, &Method::span),
         .law = trial(scope, {values, values, calls.size()},
                      {scope + "::first_sample", scope + "::second_sample", scope + "::arguments"})});
    return fill(kUpdate,
                {{"scope", inner},
                 {"samples", kSamples},
                 {"several_touched", touched.size() > 1 ? "yes" : ""},
                 {"several_compared", compared.size() > 1 ? "yes" : ""},
                 {"left", replaces ? "updated(value(i), k)" : "updated(folded(value(i), value(j)), k)"},
                 {"right", replaces ? "updated(value(j), k)" : "folded(updated(value(i), k), value(j))"}},
                {{"touched", rounds_of(touched)}, {"compared", rounds_of(compared)}, {"call", calls}});
  }

  std::vector<Samples> samples_of_parameters(const Method& method) const {
    std::vector<Samples> result;
    for (const Parameter& parameter : method.parameters) result.push_back(samples(parameter.type));
    return result;
  }

  /// The ways to call a method: with and without the default arguments, several values of each parameter, in
  /// changing company.
  static Rounds calls_of(const Method& method, const std::vector<Samples>& parameters) {
    std::size_t least = 0;
    while (least < method.parameters.size() && method.parameters[least].default_argument.empty()) ++least;
    Rounds calls;
    for (std::size_t passed = least; passed <= parameters.size(); ++passed) {
      std::size_t variations = 1;
      for (std::size_t at = 0; at < passed; ++at) variations = std::max(variations, parameters[at].size());
      for (std::size_t variation = 0; variation < variations; ++variation) {
        Round round = call(method, parameters, passed, variation);
        round.emplace_back("at", std::to_string(calls.size()));
        calls.push_back(std::move(round));
      }
    }
    return calls;
  }

  /// One way: a statement that calls the method, and statements that show its arguments.
  static Round call(const Method& method, const std::vector<Samples>& parameters, std::size_t passed,
                    std::size_t variation) {
    std::string values;
    std::string list;
    std::string arguments;
    for (std::size_t at = 0; at < passed; ++at) {
      const std::string name = "a" + std::to_string(at);
      const std::string& sample = parameters[at][(variation + 3 * at) % parameters[at].size()];
      const bool rvalue = method.parameters[at].passing == Passing::kRvalueReference;
      values += "auto " + name + " = " + sample + "; ";
      if (at > 0) arguments += "text.add(\", \"); ";
      arguments += "autoshard_laws::show(text, " + sample + "); ";
      list += (at == 0 ? "" : ", ") + (rvalue ? "static_cast<decltype(" + name + ")&&>(" + name + ")" : name);
    }
    return {{"statement", values + "static_cast<void>(shard." + method.name + "(" + list + "));"},
            {"arguments", arguments}};
  }

  const Entity& entity_;
  const Entity part_;
  const std::vector<SourceFile>& files_;
  Constants constants_;
  std::string scope_;
  Probe probe_;
};

}  // namespace

Probe make_probe(const Entity& entity, const std::vector<SourceFile>& files, const Evaluable& evaluable,
                 std::size_t number) {
  return ProbeWriter(entity, files, evaluable, number).run();
}

}  // namespace autoshard::tool
