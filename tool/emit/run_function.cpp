#include "tool/emit/run_function.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "tool/emit/emit.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

/// Whether the address of `method` needs a type, because there are overloads. An assignment operator always
/// has overloads: the compiler declares the ones that copy and move.
bool is_overloaded(const Entity& entity, const Method& method) {
  return method.name == "operator=" || std::ranges::count(entity.methods, method.name, &Method::name) > 1;
}

/// Whether a plain method has the same name.
bool has_plain_overload(const Entity& entity, const Method& method) {
  return method.name == "operator=" || std::ranges::any_of(entity.methods, [&](const Method& other) {
           return other.name == method.name && !other.is_shard_method();
         });
}

/// The condition that `kMethod` is `method` or another shard method of its name. The arguments select one of
/// them.
std::string is_method(const Entity& entity, const Method& method) {
  if (!is_overloaded(entity, method)) {
    // Without parentheses, libFormat takes the bracket before an operator for a comparison.
    const bool is_operator = method.name.starts_with("operator");
    return "kSameMethod<kMethod, " +
           (is_operator ? "(&Entity::" + method.name + ")" : "&Entity::" + method.name) + ">";
  }
  const std::string same =
      "requires kSameMethod<kMethod, static_cast<Method>(&Entity::" + method.name + ")>;";
  if (!has_plain_overload(entity, method)) return "requires { " + same + " }";
  return "requires { " + same + " static_cast<InShard<Method, Shard>>(&Shard::" + method.name + "); }";
}

/// A branch for each name of shard methods.
Rounds branches(const Entity& entity) {
  Rounds rounds;
  std::set<std::string_view> names;
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method() || !names.insert(method.name).second) continue;
    const std::string call = "shard." + method.name + "(std::forward<Args>(args)...)";
    const bool is_discarded = std::ranges::any_of(entity.methods, [&](const Method& one) {
      return one.name == method.name && one.is_shard_method() && may_be_nodiscard(one);
    });
    rounds.push_back({{"otherwise", rounds.empty() ? "" : "} else "},
                      {"condition", is_method(entity, method)},
                      {"call", is_discarded ? "static_cast<void>(" + call + ")" : call}});
  }
  return rounds;
}

}  // namespace

std::string run_function(const Entity& entity) {
  const Rounds methods = branches(entity);
  const bool has_overloads = std::ranges::any_of(entity.methods, [&](const Method& method) {
    return method.is_shard_method() && is_overloaded(entity, method);
  });
  return fill(
      R"(
template <auto kMethod, class... Args>
static void run(Shard&$shard$, Args&&...$args$) {
  $if overloads$
  using Method = decltype(kMethod);
  $end$
  $for method$
  $otherwise$if constexpr ($condition$) {
    $call$;
  $end$
  $if method$
  } else {
  $end$
    static_assert(kNotAShardMethod<kMethod>, $refusal$);
  $if method$
  }
  $end$
}
)",
      {{"shard", methods.empty() ? "" : " shard"},
       {"args", methods.empty() ? "" : " args"},
       {"overloads", has_overloads ? "some" : ""},
       {"refusal", string_literal("this is no [[autoshard::shard_method]] of " + entity.qualified_name)}},
      {{"method", methods}});
}

}  // namespace autoshard::tool
