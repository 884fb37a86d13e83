#include "tool/laws/explain.h"

#include <algorithm>

#include "tool/check/findings.h"
#include "tool/emit/emit.h"
#include "tool/output/text.h"

namespace autoshard::tool {
namespace {

std::string key_of(const Entity& entity) { return "02 " + string_literal(entity.kind) + " 00 01  id  "; }

std::string records(const Entity& entity) {
  std::vector<std::string> properties;
  std::string shards;
  for (const Property* property : entity.all_properties()) {
    if (property->is_id() || property->is_transient()) continue;
    if (!property->is_sharded()) {
      properties.push_back(property->stored_name);
      continue;
    }
    shards += wrapped(4, key_of(entity) + "02 " + string_literal(property->stored_name) + " 00 01  nn nn");
    shards +=
        wrapped(6, "up to " + count(property->sharding->shards, "shard record") + " of " +
                       property->stored_name + ", each with its part of the " + property->type.qualified);
  }
  return "  records\n" + wrapped(4, key_of(entity) + "01") +
         wrapped(6, properties.empty() ? "the main record, which has no property"
                                       : "the main record: " + list(properties)) +
         shards;
}

std::string strategies(const Entity& entity) {
  std::string text;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    std::vector<std::string> updates;
    for (const Method& method : entity.methods) {
      const bool touches = std::ranges::find(method.touches, property.name) != method.touches.end();
      const bool listed = std::ranges::find(updates, method.name) != updates.end();
      if (method.is_shard_method() && touches && !listed) updates.push_back(method.name);
    }
    text +=
        wrapped(4, property.name + ": static sharding over " + count(property.sharding->shards, "record") +
                       "; neutral " + property.sharding->neutral + "; fold " + property.sharding->fold +
                       "; " + (property.sharding->any_order ? "its elements in any order; " : "") +
                       (updates.empty() ? "no shard method updates it" : "updated by " + list(updates)));
  }
  return text.empty() ? "" : "  strategies\n" + text;
}

std::string name_of(const Entity& entity, const Law& law) {
  if (law.kind == Law::Kind::kCommutes) return law.method->name + " commutes with the fold";
  const std::string fold = law.property->name + ": " + fold_name(entity, *law.property);
  if (law.kind == Law::Kind::kCommutative) return fold + " is commutative";
  if (law.kind == Law::Kind::kAssociative) return fold + " is associative";
  return law.property->name + ": " + law.property->sharding->neutral + " is neutral";
}

std::string laws_with(const EntityLaws& all, Law::Verdict verdict, const char* title) {
  std::string text;
  for (const Law& law : all.laws) {
    if (law.verdict != verdict) continue;
    std::string line = name_of(*all.entity, law);
    if (law.tried > 0 && !law.counterexample) line += " (" + count(law.tried, "combination") + " of values)";
    if (law.counterexample) line += ": " + law.counterexample->message;
    if (!law.reason.empty()) line += ": " + law.reason;
    text += wrapped(4, line);
  }
  return text.empty() ? "" : "  " + std::string(title) + "\n" + text;
}

std::string explain(const EntityLaws& all) {
  const Entity& entity = *all.entity;
  return wrapped(0, entity.qualified_name + ", kind " + string_literal(entity.kind)) + records(entity) +
         strategies(entity) + laws_with(all, Law::Verdict::kBroken, "laws that do not hold") +
         laws_with(all, Law::Verdict::kHolds, "laws checked at build time") +
         laws_with(all, Law::Verdict::kLeftToTests, "laws left to the law tests") +
         laws_with(all, Law::Verdict::kNotJudged, "laws that could not be judged");
}

}  // namespace

std::string explain(const std::vector<EntityLaws>& laws) {
  std::string text;
  for (const EntityLaws& entity : laws) text += (text.empty() ? "" : "\n") + explain(entity);
  return text;
}

}  // namespace autoshard::tool
