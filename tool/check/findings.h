#pragma once

/// Where rules put their findings, and how rules look at annotations.

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/check/rule.h"
#include "tool/text/wording.h"

namespace autoshard::tool {

/// Names an argument of a message: `"name"_a = entity.name` fills `{name}`.
using fmt::literals::operator""_a;

/// Collects the findings of the rules.
class Findings {
 public:
  /// The findings from here on are those of `rule`, which is in group number `group` of the table.
  void set_rule(const Rule& rule, std::size_t group) {
    rule_ = &rule;
    group_ = group;
  }

  /// The message says what is wrong and what to do about it. The reference holds until the next finding.
  template <typename... Arguments>
  Diagnostic& add(const Span& span, fmt::format_string<Arguments...> message, Arguments&&... arguments) {
    return add_text(span, fmt::vformat(message, fmt::make_format_args(arguments...)));
  }

  /// Points at one more place. The message says what is there.
  template <typename... Arguments>
  static void note(Diagnostic& found, const Span& span, fmt::format_string<Arguments...> message,
                   Arguments&&... arguments) {
    found.notes.push_back({span, fmt::vformat(message, fmt::make_format_args(arguments...))});
  }

  /// In the order in which one would mend them: by file, then by class, then by group of rules, then by
  /// position. An attribute that does not exist hides what later groups find in its class.
  Diagnostics take(const Model& model) &&;

 private:
  struct Finding {
    Diagnostic diagnostic;
    std::size_t group;
    bool hides_later;
  };

  Diagnostic& add_text(const Span& span, std::string message);

  const Rule* rule_ = nullptr;
  std::size_t group_ = 0;
  std::vector<Finding> findings_;
};

/// Appends "did you mean" with a fix-it to the message if a candidate resembles `word`, or else the list of
/// the candidates.
void suggest(Diagnostic& diagnostic, std::string_view word, const Span& span, bool fixable,
             const std::vector<std::string_view>& candidates);

/// Calls `visit` with every annotation of the entity and of its members.
void for_each_annotation(const Entity& entity, const std::function<void(const Annotation&)>& visit);

/// Whether the argument is given, be it misspelt, which autoshard-unknown-argument reports.
bool is_given(const Annotation& annotation, std::string_view name);

/// Calls `visit` with every argument `shards = …` of the entity, and its annotation.
void for_each_shards(const Entity& entity,
                     const std::function<void(const Annotation&, const Argument&)>& visit);

/// The argument of its `shardable`; null if it has none, or is not marked so.
const Argument* shardable_argument(const Property& property, std::optional<Argument> Shardable::*argument);

/// Calls `visit` with every shard method of the entity, except those that are marked as a fold, too.
void for_each_shard_method(const Entity& entity, const std::function<void(const Method&)>& visit);

}  // namespace autoshard::tool
