#include "tool/check/findings.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace autoshard::tool {

Diagnostic& Findings::add(const Span& span, std::string message) {
  return diagnostics_.emplace_back(Diagnostic{rule_, span, std::move(message), {}, {}});
}

Diagnostics Findings::take() && {
  std::stable_sort(
      diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& one, const Diagnostic& other) {
        return std::tie(one.span.file, one.span.begin) < std::tie(other.span.file, other.span.begin);
      });
  return std::move(diagnostics_);
}

void suggest(Diagnostic& diagnostic, std::string_view word, const Span& span, bool fixable,
             const std::vector<std::string_view>& candidates) {
  std::string_view near = nearest(word, candidates);
  if (near.empty()) {
    diagnostic.message += "; use " + any_of_these(candidates);
    return;
  }
  diagnostic.message += "; did you mean " + quoted(near) + "?";
  if (fixable) diagnostic.fixes.push_back({span, std::string(near)});
}

void for_each_annotation(const Entity& entity, const std::function<void(const Annotation&)>& visit) {
  for (const Annotation& annotation : entity.annotations) visit(annotation);
  for (const Property& property : entity.properties) {
    for (const Annotation& annotation : property.annotations) visit(annotation);
  }
  for (const Method& method : entity.methods) {
    for (const Annotation& annotation : method.annotations) visit(annotation);
  }
}

bool is_given(const Annotation& annotation, std::string_view name) {
  return std::ranges::any_of(annotation.arguments, [&](const Argument& argument) {
    return argument.name == name || (!argument.name.empty() && nearest(argument.name, {name}) == name);
  });
}

void for_each_shards(const Entity& entity,
                     const std::function<void(const Annotation&, const Argument&)>& visit) {
  for_each_annotation(entity, [&](const Annotation& annotation) {
    if (const Argument* shards = annotation.argument("shards")) visit(annotation, *shards);
  });
}

const Argument* shards_of(const Property& property) {
  const Annotation* shardable = property.annotation("shardable");
  return shardable ? shardable->argument("shards") : nullptr;
}

}  // namespace autoshard::tool
