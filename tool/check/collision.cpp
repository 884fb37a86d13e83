#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/shard_names.h"

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

/// A body in the Shard means these by their names, and not what the class or its namespace calls so.
void check_notes(const Entity& entity, const Property& property, Findings& findings) {
  for (const std::string& name : notes_in_shard(entity, property)) {
    const auto check = [&](const std::string& taken, const Span& span) {
      if (taken != name) return;
      findings.add(span, quoted(name) + " is the name of something that the companion class adds for " +
                             quoted(property.name) + "; rename this");
    };
    for (const Property& other : entity.properties) check(other.name, other.span);
    for (const Name& other : entity.other_names) check(other.name, other.span);
    for (const Method& method : entity.methods) {
      check(method.name, method.span);
      if (!method.is_shard_write()) continue;
      for (const Parameter& parameter : method.parameters) check(parameter.name, method.span);
    }
  }
}

/// There, the name of a shard method hides the class's own fold of that name.
void check_fold(const Entity& entity, const Property& property, Findings& findings) {
  const Annotation* shardable = property.annotation("shardable");
  const Argument* fold = shardable ? shardable->argument("fold") : nullptr;
  if (!fold) return;
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method() || method.name != fold->value) continue;
    findings.add(fold->value_span,
                 quoted(fold->value) +
                     " is also the name of a shard method, which hides the fold in the shard; "
                     "rename one of the two");
    return;
  }
}

/// In the nested Shard stand the sharded members, the shard methods and, for each member, its fold.
void check_shard(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.is_group()) continue;
    check_notes(entity, property, findings);
    check_fold(entity, property, findings);
    const std::string fold = fold_name(property);
    for (const Method& method : entity.methods) {
      if (!method.is_shard_method() || method.name != fold) continue;
      findings.add(method.span, quoted(fold) + " is the name of the generated fold of " +
                                    quoted(property.name) + "; rename this shard method");
    }
    for (const Name& other : entity.other_names) {
      if (other.name != fold) continue;
      findings.add(other.span, quoted(fold) + " is the name of the generated fold of " +
                                   quoted(property.name) + "; rename this");
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
  if (entity.suspicions.sharded_in_namespace) {
    findings.add(*entity.suspicions.sharded_in_namespace,
                 "'sharded' is the name of the namespace that the companion of " + quoted(entity.name) +
                     " gets; rename this");
  }
}

}  // namespace autoshard::tool::rules
