#include "tool/advise/objections.h"

#include <algorithm>
#include <functional>

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

bool has_method(const Suggestion& suggestion, const Method& method) {
  const auto is_it = [&](const Method* one) { return one->name == method.name && one->type == method.type; };
  return std::ranges::any_of(suggestion.methods, is_it) || std::ranges::any_of(suggestion.writes, is_it);
}

/// The suggestions that a problem at `span` concerns; null stands for the whole class.
std::vector<const Suggestion*> concerned_at(const ClassAdvice& advice, const Entity& entity,
                                            const Span& span) {
  std::vector<const Suggestion*> all;
  for (const Suggestion& suggestion : advice.suggestions) {
    const Property* property = entity.property(suggestion.property->name);
    bool concerned = property && is_about(*property, span);
    for (const Method& method : entity.methods)
      concerned |= contains(method.declaration, span) && has_method(suggestion, method);
    if (concerned) all.push_back(&suggestion);
  }
  if (all.empty()) all.push_back(nullptr);
  // There is another pattern than a group, which may be all that is wrong.
  const auto is_group = [](const Suggestion* one) { return one && one->pattern.is_group(); };
  if (std::ranges::any_of(all, is_group)) std::erase_if(all, std::not_fn(is_group));
  return all;
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
    for (const Suggestion* one : concerned_at(*suggested, *entity, problem.span)) {
      Objection objection{.entity = entity->qualified_name, .member = {}, .reason = problem.message};
      if (one) {
        objection.member = one->property->name;
        objection.pattern = one->pattern;
      }
      trial.objections.push_back(std::move(objection));
    }
  }
  return trial;
}

}  // namespace autoshard::tool
