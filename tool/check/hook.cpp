#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

/// Why the mapper could not call it, or nothing.
std::string objection(const Method& method) {
  if (method.is_shard_method() || method.is_shard_fold()) return "is an update or a fold";
  if (method.is_constructor) return "is a constructor, a destructor or an assignment";
  if (method.is_static) return "is static";
  if (method.is_template) return "is a template";
  if (!method.parameters.empty()) return "takes a parameter";
  if (method.result != Result::kNothing) return "returns something";
  const std::string before_noexcept = method.qualifiers.substr(0, method.qualifiers.find("noexcept"));
  if (before_noexcept.find("&&") != std::string::npos) return "is for rvalues only";
  return {};
}

}  // namespace

/// A hook is called once for every save or load: an update in it would count each of them.
void hook(const Entity& entity, Findings& findings) {
  for (const Method& method : entity.methods) {
    for (const std::string_view name : {"before_save", "after_load"}) {
      if (!method.annotation(name)) continue;
      if (const std::string why = objection(method); !why.empty()) {
        findings.add(method.span, quoted(method.name) + " " + why + "; " + quoted_attribute(name) +
                                      " is for a method such as 'void " + std::string(name) + "()'");
      } else if (method.calls_shard_methods) {
        findings.add(method.span, quoted(method.name) + " calls a shard method, so that each " +
                                      (name == "before_save" ? "save" : "load") +
                                      " would count as an update; do that where the update is meant");
      }
    }
  }
}

}  // namespace autoshard::tool::rules
