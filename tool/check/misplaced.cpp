#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

std::string_view home_of(std::string_view attribute) {
  if (attribute == "entity") return "the definition of a class";
  if (attribute == "mapped") return "the definition of a base class of entities";
  if (attribute == "embedded") return "the definition of a class that is the type of properties";
  if (attribute == "sharded_index") return "the definition of an entity";
  if (attribute == "shard_method" || attribute == "shard_write" || attribute == "before_save" ||
      attribute == "after_load")
    return "a method of an entity";
  if (attribute == "shard_fold") return "a static method of an entity";
  return "a data member of an entity";
}

void check(const std::vector<Annotation>& annotations, const std::vector<std::string_view>& fitting,
           std::string_view on, Findings& findings) {
  for (const Annotation& annotation : annotations) {
    if (std::ranges::find(fitting, annotation.name) != fitting.end()) continue;
    findings.add(annotation.span, quoted_attribute(annotation.name) + " means nothing on " + std::string(on) +
                                      "; it belongs on " + std::string(home_of(annotation.name)));
  }
}

}  // namespace

/// An attribute where it means nothing would be taken for one that works.
void misplaced(const Entity& entity, Findings& findings) {
  check(entity.annotations, {"entity", "sharded_index"}, "a class", findings);
  for (const Property& property : entity.properties) {
    check(property.annotations,
          {"id", "shardable", "shard_group", "transient", "also_load", "index", "expires"}, "a data member",
          findings);
  }
  for (const Method& method : entity.methods) {
    check(method.annotations, {"shard_method", "shard_write", "shard_fold", "before_save", "after_load"},
          "a method", findings);
    const Annotation* fold = method.annotation("shard_fold");
    if (!fold || !method.is_shard_method()) continue;
    findings.add(fold->span,
                 quoted(method.name) + " cannot be both a shard method and a shard fold; keep one of them");
  }
}

void misplaced_stray(const Model& model, Findings& findings) {
  const Name* told = nullptr;
  for (const StrayAnnotation& stray : model.strays) {
    if (!stray.known) continue;
    // The members of one class, all for one reason.
    const Name* owner = stray.owner ? &*stray.owner : nullptr;
    if (owner && told && owner->span == told->span) continue;
    if (owner) told = owner;
    Diagnostic& found =
        findings.add(stray.annotation.span, quoted_attribute(stray.annotation.name) + " means nothing");
    found.message += stray.on.empty() ? " here" : " on " + stray.on;
    found.message += "; it belongs on " + std::string(home_of(stray.annotation.name));
    if (!owner || stray.annotation.name == "entity") continue;
    if (owner->name.empty()) continue;
    found.message += ", so mark " + quoted(owner->name) + " [[autoshard::entity]]";
    found.fixes.push_back(
        {{owner->span.file, owner->span.begin, owner->span.begin}, "[[autoshard::entity]] "});
  }
}

}  // namespace autoshard::tool::rules
