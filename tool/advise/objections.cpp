#include "tool/advise/objections.h"

#include <algorithm>

namespace autoshard::tool {
namespace {

bool contains(const Span& outer, const Span& inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.begin < outer.end;
}

bool is_about(const Property& property, const Span& span) {
  return contains(property.span, span) ||
         std::ranges::any_of(property.annotations,
                             [&](const Annotation& one) { return contains(one.span, span); });
}

bool updates(const Suggestion& suggestion, const Method& method) {
  return std::ranges::any_of(suggestion.methods, [&](const Method* one) {
    return one->name == method.name && one->type == method.type;
  });
}

/// The suggested members that a problem at `span` concerns; the empty name stands for the whole class.
std::vector<std::string> members_at(const ClassAdvice& advice, const Entity& entity, const Span& span) {
  std::vector<std::string> members;
  for (const Suggestion& suggestion : advice.suggestions) {
    const Property* property = entity.property(suggestion.property->name);
    bool concerned = property && is_about(*property, span);
    for (const Method& method : entity.methods)
      concerned |= contains(method.declaration, span) && updates(suggestion, method);
    if (concerned) members.push_back(suggestion.property->name);
  }
  if (members.empty()) members.emplace_back();
  return members;
}

}  // namespace

Trial judge_suggestions(const std::vector<ClassAdvice>& advice, const Model& annotated,
                        const Diagnostics& problems) {
  Trial trial;
  for (const Diagnostic& problem : problems) {
    if (problem.severity != Diagnostic::Severity::kError) continue;
    const auto is_in = [&](const Entity& entity) { return contains(entity.definition, problem.span); };
    const auto entity = std::ranges::find_if(annotated.entities, is_in);
    const auto suggested = std::ranges::find_if(advice, [&](const ClassAdvice& one) {
      return entity != annotated.entities.end() && one.is_complete() &&
             one.entity->qualified_name == entity->qualified_name;
    });
    if (suggested == advice.end()) {
      trial.unrelated.push_back(problem);
      continue;
    }
    for (const std::string& member : members_at(*suggested, *entity, problem.span))
      trial.objections.push_back({entity->qualified_name, member, problem.message});
  }
  return trial;
}

}  // namespace autoshard::tool
