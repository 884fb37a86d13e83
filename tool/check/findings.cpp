#include "tool/check/findings.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace autoshard::tool {
namespace {

bool contains(const Span& outer, const Span& inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.begin < outer.end;
}

/// The begin of the annotated class that contains `span`; the begin of `span` if no class contains it.
std::uint32_t class_begin(const Model& model, const Span& span) {
  for (const std::vector<Entity>* classes : {&model.entities, &model.parts}) {
    for (const Entity& entity : *classes) {
      if (contains(entity.definition, span)) return entity.definition.begin;
    }
  }
  return span.begin;
}

}  // namespace

Diagnostic& Findings::add_text(const Span& span, std::string message) {
  Diagnostic diagnostic{std::string(rule_->tag), span, std::move(message), {}, {}, rule_->severity};
  return findings_.emplace_back(Finding{std::move(diagnostic), group_, rule_->hides_later}).diagnostic;
}

Diagnostics Findings::take(const Model& model) && {
  const auto class_of = [&](const Finding& one) {
    const Span& span = one.diagnostic.span;
    return std::pair(span.file, class_begin(model, span));
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> last_group;  // reported, by class
  for (const Finding& one : findings_) {
    if (one.hides_later) last_group.try_emplace(class_of(one), one.group);
  }
  std::erase_if(findings_, [&](const Finding& one) {
    const auto last = last_group.find(class_of(one));
    return last != last_group.end() && one.group > last->second;
  });
  std::ranges::stable_sort(findings_, {}, [&](const Finding& one) {
    return std::tuple(class_of(one), one.group, one.diagnostic.span.begin);
  });
  Diagnostics diagnostics;
  for (Finding& one : findings_) diagnostics.push_back(std::move(one.diagnostic));
  return diagnostics;
}

void suggest(Diagnostic& diagnostic, std::string_view word, const Span& span, bool fixable,
             const std::vector<std::string_view>& candidates) {
  const std::string_view near = nearest(word, candidates);
  if (near.empty()) {
    diagnostic.message += fmt::format("; use {}", any_of_these(candidates));
    return;
  }
  diagnostic.message += fmt::format("; did you mean '{}'?", near);
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

const Argument* shardable_argument(const Property& property, std::optional<Argument> Shardable::*argument) {
  const std::optional<Shardable>& shardable = property.marks.shardable;
  return shardable && (*shardable).*argument ? &*((*shardable).*argument) : nullptr;
}

void for_each_shard_method(const Entity& entity, const std::function<void(const Method&)>& visit) {
  for (const Method& method : entity.methods) {
    if (method.is_shard_method() && !method.is_shard_fold()) visit(method);
  }
}

}  // namespace autoshard::tool
