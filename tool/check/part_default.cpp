#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A load makes an object first and fills in its members then.
void part_default(const Entity& part, Findings& findings) {
  if (part.default_constructible) return;
  const bool mapped = part.role == Role::kMapped;
  findings.add(part.span, std::string(mapped ? "mapped" : "embedded") + " class " + quoted(part.name) +
                              " has no default constructor, which a load needs; add one, " +
                              (mapped ? "which may be protected" : "which must be public"));
}

}  // namespace autoshard::tool::rules
