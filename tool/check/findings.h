#pragma once

/// What rules have in common: where their findings go, and how they talk.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/check/check.h"
#include "tool/text/wording.h"

namespace autoshard::tool {

/// Collects what the rules find.
class Findings {
 public:
  /// What is found from here on, is found by `rule`.
  void set_rule(std::string_view rule) { rule_ = rule; }

  /// The reference holds until the next finding.
  Diagnostic& add(const Span& span, std::string message);

  /// What does not keep anything from being generated.
  Diagnostic& warn(const Span& span, std::string message) {
    Diagnostic& found = add(span, std::move(message));
    found.severity = Diagnostic::Severity::kWarning;
    return found;
  }

  /// In the order of the files' text; what stands at the same place, in the order of the rules.
  Diagnostics take() &&;

 private:
  std::string rule_;
  Diagnostics diagnostics_;
};

/// Says "did you mean" with a fix-it where there is a near word, and which words there are otherwise.
void suggest(Diagnostic& diagnostic, std::string_view word, const Span& span, bool fixable,
             const std::vector<std::string_view>& candidates);

/// Calls `visit` with every annotation of the entity and of its members.
void for_each_annotation(const Entity& entity, const std::function<void(const Annotation&)>& visit);

/// Whether the argument is there, be it with a typing error, which autoshard-unknown-argument tells.
bool is_given(const Annotation& annotation, std::string_view name);

/// Calls `visit` with every argument `shards = …` of the entity, and the annotation that it is of.
void for_each_shards(const Entity& entity,
                     const std::function<void(const Annotation&, const Argument&)>& visit);

/// That of its `shardable`, where there is one.
const Argument* shards_of(const Property& property);

}  // namespace autoshard::tool
