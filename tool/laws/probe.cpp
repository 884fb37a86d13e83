#include "tool/laws/probe.h"

#include <algorithm>

#include "tool/emit/emit.h"
#include "tool/laws/samples.h"
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

/// The body of a function that returns the sample of number `at`.
std::string choice(const Samples& samples) {
  std::string cases;
  for (std::size_t at = 0; at < samples.size(); ++at) {
    cases +=
        fill("if (at == $at$) return $sample$;\n", {{"at", std::to_string(at)}, {"sample", samples[at]}});
  }
  return cases;
}

/// Writes one probe.
class ProbeWriter {
 public:
  ProbeWriter(const Entity& entity, const std::vector<SourceFile>& files, const Evaluable& evaluable,
              std::size_t number)
      : entity_(entity),
        part_(evaluable_part(entity, evaluable)),
        files_(files),
        constants_(constants_of(entity, files)),
        scope_("autoshard_laws::e" + std::to_string(number)) {}

  Probe run() {
    probe_.text += shard_struct(part_, files_, entity_.qualified_name + "::Shard", Bodies::kAll);
    probe_.text += "namespace " + scope_ + " {\nusing Shard = " + entity_.qualified_name + "::Shard;\n";
    for (const Property& property : part_.properties) {
      if (property.is_sharded() && !property.is_group()) add_fold(property);
    }
    for (const Method& method : part_.methods) {
      if (method.is_shard_method() && !without_groups(method.touches).empty()) add_update(method);
    }
    probe_.text += "}\n";
    return std::move(probe_);
  }

 private:
  std::string qualified(const std::string& function) const { return scope_ + "::" + function; }

  Samples samples(const Type& type) const { return samples_of(type, constants_); }

  void add_fold(const Property& property) {
    const Samples values = samples(property.type);
    probe_.text += fill(R"(
using T_$p$ = decltype(Shard::$p$);
inline T_$p$ value_$p$(int at) {
  $choice$
  return {};
}
inline T_$p$ fold_$p$(const T_$p$& x, const T_$p$& y) { return Shard::fold_$p$(x, y); }
inline Text first_$p$(int i, int, int) { return shown(value_$p$(i)); }
inline Text second_$p$(int, int j, int) { return shown(value_$p$(j)); }
inline Text third_$p$(int, int, int k) { return shown(value_$p$(k)); }
inline Text neutral_$p$(int, int, int) { return shown(Shard{}.$p$); }
)",
                        {{"p", property.name}, {"choice", choice(values)}});
    Probe::Fold fold{.property = &original(property)};
    const std::string& p = property.name;
    const std::string x = "value_" + p + "(i)";
    const std::string y = "value_" + p + "(j)";
    const std::string z = "value_" + p + "(k)";
    const std::string f = "fold_" + p;
    const Samples shown = {qualified("first_" + p), qualified("second_" + p), qualified("third_" + p)};
    const std::string same = same_of(property);
    fold.commutative = add_trial("commutative_" + p, same, "shown", f + "(" + x + ", " + y + ")",
                                 f + "(" + y + ", " + x + ")");
    fold.commutative.samples = {values.size(), values.size()};
    fold.commutative.shown = {shown[0], shown[1]};
    fold.associative =
        add_trial("associative_" + p, same, "shown", f + "(" + f + "(" + x + ", " + y + "), " + z + ")",
                  f + "(" + x + ", " + f + "(" + y + ", " + z + "))");
    fold.associative.samples = {values.size(), values.size(), values.size()};
    fold.associative.shown = shown;
    fold.neutral = add_trial("neutral_law_" + p, same, "shown", f + "(" + x + ", Shard{}." + p + ")", x);
    fold.neutral.samples = {values.size()};
    fold.neutral.shown = {shown[0], qualified("neutral_" + p)};
    if (property.sharding->is_bounded()) {
      fold.adds = add_trial("adds_" + p, same, "shown", f + "(" + x + ", " + y + ")",
                            "static_cast<T_" + p + ">(" + x + " + " + y + ")");
      fold.adds.samples = {values.size(), values.size()};
      fold.adds.shown = {shown[0], shown[1]};
    }
    probe_.folds.push_back(std::move(fold));
  }

  const Property& original(const Property& property) const { return *entity_.property(property.name); }

  /// What compares two values of `property`.
  static std::string same_of(const Property& property) {
    return property.sharding->any_order ? "autoshard_laws::same_elements" : "autoshard_laws::same";
  }

  /// `same` and `shown` are the functions that compare and show the sides.
  Probe::Trial add_trial(const std::string& name, const std::string& same, const std::string& shown,
                         const std::string& left, const std::string& right) {
    probe_.text += fill(R"(
inline bool $name$(int i, [[maybe_unused]] int j, [[maybe_unused]] int k) { return $same$($left$, $right$); }
inline Text left_$name$(int i, [[maybe_unused]] int j, [[maybe_unused]] int k) { return $shown$($left$); }
inline Text right_$name$(int i, [[maybe_unused]] int j, [[maybe_unused]] int k) { return $shown$($right$); }
)",
                        {{"name", name}, {"same", same}, {"shown", shown}, {"left", left}, {"right", right}});
    return {.holds = qualified(name), .left = qualified("left_" + name), .right = qualified("right_" + name)};
  }

  /// What a method adds to a group has no influence on the other members.
  std::vector<std::string> without_groups(std::vector<std::string> members) const {
    std::erase_if(members, [&](const std::string& member) { return part_.property(member)->is_group(); });
    return members;
  }

  /// The shards that a method is tried on differ in all the members that it touches.
  void add_update(const Method& method) {
    const std::string m = std::to_string(probe_.updates.size());
    std::string make;
    std::string fold;
    std::string same = "true";
    std::size_t shards = 1;
    const bool replaces = method.is_shard_write();
    const std::vector<std::string> touched = without_groups(method.touches);
    const std::vector<std::string> compared = replaces ? without_groups(method.writes) : touched;
    for (const std::string& member : touched) {
      const std::size_t count = samples(part_.property(member)->type).size();
      make += fill("shard.$p$ = value_$p$((at + $shift$) % $count$);\n",
                   {{"p", member},
                    {"shift", std::to_string(&member - touched.data())},
                    {"count", std::to_string(count)}});
      fold += fill("x.$p$ = fold_$p$(x.$p$, y.$p$);\n", {{"p", member}});
      shards = std::max(shards, count);
    }
    for (const std::string& member : compared)
      same += " && " + same_of(*part_.property(member)) + "(one." + member + ", other." + member + ")";
    const std::vector<Samples> parameters = samples_of_parameters(method);
    if (std::ranges::any_of(parameters, &Samples::empty)) return;
    const std::vector<Call> calls = calls_of(method, parameters);

    probe_.text += fill(R"(
struct Shard$m$ {
  Shard shard;
};
inline bool same$m$(const Shard$m$& left, const Shard$m$& right) {
  const Shard& one = left.shard;
  const Shard& other = right.shard;
  return $same$;
}
inline Text shown$m$(const Shard$m$& value) {
  Text text;
  $show$
  return text;
}
inline Text result$m$(const Shard$m$& value) {
  Text text;
  $result$
  return text;
}
inline Shard$m$ shard$m$(int at) {
  Shard shard;
  $make$
  return {shard};
}
inline Shard$m$ folded$m$(const Shard$m$& one, const Shard$m$& other) {
  Shard x = one.shard;
  const Shard& y = other.shard;
  $fold$
  return {x};
}
inline Shard$m$ updated$m$(Shard$m$ value, int at) {
  Shard& shard = value.shard;
  $calls$
  return value;
}
inline Text arguments$m$(int, int, int at) {
  Text text;
  $arguments$
  return text;
}
inline Text first$m$(int i, int, int) { return shown$m$(shard$m$(i)); }
inline Text second$m$(int, int j, int) { return shown$m$(shard$m$(j)); }
)",
                        {{"m", m},
                         {"same", same},
                         {"show", show_members(touched)},
                         {"result", show_members(compared)},
                         {"make", make},
                         {"fold", fold},
                         {"calls", statements(calls)},
                         {"arguments", arguments(calls)}});
    Probe::Update update{.method = &*std::ranges::find(entity_.methods, method.span, &Method::span)};
    const auto updated = [&](const std::string& shard) { return "updated" + m + "(" + shard + ", k)"; };
    const auto folded = [&](const std::string& shard, const std::string& other) {
      return "folded" + m + "(" + shard + ", " + other + ")";
    };
    const std::string i = "shard" + m + "(i)";
    const std::string j = "shard" + m + "(j)";
    update.law = add_trial("law" + m, "same" + m, "result" + m, updated(replaces ? i : folded(i, j)),
                           replaces ? updated(j) : folded(updated(i), j));
    update.law.samples = {shards, shards, calls.size()};
    update.law.shown = {qualified("first" + m), qualified("second" + m), qualified("arguments" + m)};
    probe_.updates.push_back(std::move(update));
  }

  static std::string show_members(const std::vector<std::string>& members) {
    std::string text;
    for (const std::string& member : members) {
      const std::string name = (text.empty() ? "{" : ", ") + member + " = ";
      if (members.size() > 1) text += "text.add(" + string_literal(name) + ");\n";
      text += "autoshard_laws::show(text, value.shard." + member + ");\n";
    }
    return members.size() > 1 ? text + "text.add('}');\n" : text;
  }

  std::vector<Samples> samples_of_parameters(const Method& method) const {
    std::vector<Samples> result;
    for (const Parameter& parameter : method.parameters) result.push_back(samples(parameter.type));
    return result;
  }

  /// One way to call a method.
  struct Call {
    std::string statement;
    std::string arguments;  ///< statements that show them
  };

  /// With and without the default arguments; several values of each parameter, in changing company.
  std::vector<Call> calls_of(const Method& method, const std::vector<Samples>& parameters) const {
    std::size_t least = 0;
    while (least < method.parameters.size() && method.parameters[least].default_argument.empty()) ++least;
    std::vector<Call> calls;
    for (std::size_t passed = least; passed <= parameters.size(); ++passed) {
      std::size_t variations = 1;
      for (std::size_t at = 0; at < passed; ++at) variations = std::max(variations, parameters[at].size());
      for (std::size_t variation = 0; variation < variations; ++variation) {
        calls.push_back(call(method, parameters, passed, variation));
      }
    }
    return calls;
  }

  static Call call(const Method& method, const std::vector<Samples>& parameters, std::size_t passed,
                   std::size_t variation) {
    Call result;
    std::string list;
    for (std::size_t at = 0; at < passed; ++at) {
      const std::string name = "a" + std::to_string(at);
      const std::string& sample = parameters[at][(variation + 3 * at) % parameters[at].size()];
      const bool rvalue = method.parameters[at].passing == Passing::kRvalueReference;
      result.statement += "auto " + name + " = " + sample + "; ";
      if (at > 0) result.arguments += "text.add(\", \"); ";
      result.arguments += "autoshard_laws::show(text, " + sample + "); ";
      list += (at == 0 ? "" : ", ") + (rvalue ? "static_cast<decltype(" + name + ")&&>(" + name + ")" : name);
    }
    result.statement += "static_cast<void>(shard." + method.name + "(" + list + "));";
    return result;
  }

  static std::string statements(const std::vector<Call>& calls) {
    std::string text;
    for (std::size_t at = 0; at < calls.size(); ++at) {
      text += "if (at == " + std::to_string(at) + ") { " + calls[at].statement + " }\n";
    }
    return text;
  }

  static std::string arguments(const std::vector<Call>& calls) {
    std::string text;
    for (std::size_t at = 0; at < calls.size(); ++at) {
      text += "if (at == " + std::to_string(at) + ") { " + calls[at].arguments + " }\n";
    }
    return text;
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
