#include <algorithm>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// `mapper.apply<&Question::votes>(…)` would be ambiguous, and compilers do not say why.
void shard_method_name(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.name.starts_with("operator")) return;
    const auto other = std::ranges::find_if(
        entity.methods, [&](const Method& one) { return one.name == method.name && !one.is_shard_method(); });
    if (other == entity.methods.end()) return;
    Diagnostic& found = findings.warn(
        method.span, "shard method " + quoted(method.name) +
                         " has the name of a method that is none, so that '&" + entity.name +
                         "::" + method.name + "' is ambiguous where it is applied; rename one of the two");
    found.notes.push_back({other->span, "the other " + quoted(method.name) + " is here"});
  });
}

}  // namespace autoshard::tool::rules
