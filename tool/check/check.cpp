#include "tool/check/check.h"

#include <utility>

#include "tool/check/findings.h"
#include "tool/check/rule.h"

namespace autoshard::tool {
namespace {

/// Whether the place of the class allows rules of subjects other than Subject::kPlace.
bool is_well_placed(const Entity& entity) {
  return entity.place == Place::kNamespace && !entity.suspicions.is_union && !entity.from_macro;
}

bool applies(const Rule& rule, const Entity& entity) {
  const bool is_entity = entity.role == Role::kEntity;
  switch (rule.subject) {
    case Subject::kPlace:
      return true;
    case Subject::kEntity:
      return is_entity && is_well_placed(entity);
    case Subject::kPart:
      return !is_entity && is_well_placed(entity);
    case Subject::kClass:
      return is_well_placed(entity);
    case Subject::kModel:
    case Subject::kValue:
    case Subject::kLaw:
      return false;
  }
  return false;
}

void apply(const Rule& rule, const Model& model, Findings& findings) {
  if (rule.find_in_model) rule.find_in_model(model, findings);
  if (!rule.find) return;
  for (const std::vector<Entity>* classes : {&model.entities, &model.parts}) {
    for (const Entity& entity : *classes) {
      if (applies(rule, entity)) rule.find(entity, findings);
    }
  }
}

}  // namespace

Diagnostics check(const Model& model) {
  Findings findings;
  std::size_t number = 0;
  for (const RuleGroup* group : rule_groups()) {
    for (const Rule& rule : group->rules) {
      findings.set_rule(rule, number);
      apply(rule, model, findings);
    }
    ++number;
  }
  return std::move(findings).take(model);
}

}  // namespace autoshard::tool
