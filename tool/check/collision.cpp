#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

constexpr std::string_view kState = "autoshard_";
constexpr std::string_view kShard = "Shard";

void collide(std::string_view name, const Span& span, Findings& findings) {
  if (name != kState && name != kShard) return;
  findings.add(span, quoted(name) + " is the name of something that the companion class adds; rename this");
}

void check_members(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) collide(property.name, property.span, findings);
  for (const Method& method : entity.methods) collide(method.name, method.span, findings);
  for (const Name& other : entity.other_names) collide(other.name, other.span, findings);
  for (const Method& method : entity.methods) {
    for (const Parameter& parameter : method.parameters) {
      if (method.is_shard_method() && parameter.name == kState) collide(kState, method.span, findings);
    }
  }
  if (entity.name == kShard) collide(entity.name, entity.span, findings);
}

/// In the nested Shard stand the sharded members, the shard methods and, for each member, its fold.
void check_shard(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    const std::string fold = "fold_" + property.name;
    for (const Method& method : entity.methods) {
      if (!method.is_shard_method() || method.name != fold) continue;
      findings.add(method.span, quoted(fold) + " is the name of the generated fold of " +
                                    quoted(property.name) + "; rename this shard method");
    }
    for (const Property& other : entity.properties) {
      if (!other.is_sharded() || other.name != fold) continue;
      findings.add(other.span, quoted(fold) + " is the name of the generated fold of " +
                                   quoted(property.name) + "; rename this member");
    }
  }
}

}  // namespace

/// Generated code needs a few names for itself.
void collision(const Entity& entity, Findings& findings) {
  check_members(entity, findings);
  check_shard(entity, findings);
  if (entity.sharded_in_namespace) {
    findings.add(*entity.sharded_in_namespace,
                 "'sharded' is the name of the namespace that the companion of " + quoted(entity.name) +
                     " gets; rename this");
  }
}

}  // namespace autoshard::tool::rules
