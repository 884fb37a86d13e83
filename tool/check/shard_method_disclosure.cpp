#include <algorithm>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A shard holds a part of the value. Which part depends on how the method is called.
void shard_method_disclosure(const Entity& entity, Findings& findings) {
  for_each_shard_method(entity, [&](const Method& method) {
    if (method.writes.empty()) return;  // it changes nothing, which is another rule's
    for (const Disclosure& one : method.disclosures) {
      // The object itself is no part of a value, and a reference is refused by itself.
      if (one.parameter.empty() && method.result != Result::kValue) continue;
      const auto is_it = [&](const Parameter& parameter) { return parameter.name == one.parameter; };
      const auto parameter = std::ranges::find_if(method.parameters, is_it);
      if (parameter != method.parameters.end() && parameter->shares_an_object)
        continue;  // which is refused by itself
      Diagnostic& found = findings.add(
          one.span,
          "shard method " + quoted(method.name) +
              (one.parameter.empty() ? " returns a value" : " stores a value in " + quoted(one.parameter)) +
              " that depends on the sharded member " + quoted(one.member) +
              ", but a shard holds only a part of that; return nothing, and read " + quoted(one.member) +
              " in a const method of a loaded entity");
      found.notes.push_back({one.read, quoted(one.member) + " is read here"});
    }
  });
}

}  // namespace autoshard::tool::rules
