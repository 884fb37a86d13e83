#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

struct Allowed {
  std::vector<std::string_view> names{};
  std::size_t bare = 0;                   ///< how many without a name
  std::vector<std::string_view> words{};  ///< what these can be, where they are not free
};

const Allowed& allowed_for(std::string_view attribute) {
  static const Allowed kNone;
  static const Allowed kShardable{
      .names = {"neutral", "shards", "fold", "min", "max", "order", "last", "bucket"}};
  static const Allowed kGroup{.names = {"shards"}};
  static const Allowed kShardedIndex{.names = {"name", "key", "order", "shards"}};
  static const Allowed kIndex{.names = {"staleness"}, .bare = 1, .words = {"unique", "elements"}};
  static const Allowed kEntity{.bare = 1};
  static const Allowed kNames{.bare = std::string_view::npos};
  if (attribute == "shardable") return kShardable;
  if (attribute == "shard_group") return kGroup;
  if (attribute == "sharded_index") return kShardedIndex;
  if (attribute == "index") return kIndex;
  if (attribute == "entity") return kEntity;
  return attribute == "shard_fold" || attribute == "also_load" ? kNames : kNone;
}

bool is_of_shardable(std::string_view argument) {
  const std::vector<std::string_view>& names = allowed_for("shardable").names;
  return std::ranges::find(names, argument) != names.end();
}

/// How named arguments are written.
std::string examples(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at > 0) text += at + 1 == names.size() ? " or " : ", ";
    text += quoted(std::string(names[at]) + " = …");
  }
  return text;
}

void check_word(const Annotation& annotation, const Argument& argument, const Allowed& allowed,
                Findings& findings) {
  const auto& words = allowed.words;
  if (words.empty() || std::ranges::find(words, argument.value) != words.end()) return;
  Diagnostic& found = findings.add(
      argument.span, quoted_attribute(annotation.name) + " does not know " + quoted(argument.value));
  suggest(found, argument.value, argument.span, !annotation.from_macro, words);
}

void check_bare(const Annotation& annotation, const Argument& argument, const Allowed& allowed,
                std::size_t position, Findings& findings) {
  if (position < allowed.bare) return check_word(annotation, argument, allowed, findings);
  Diagnostic& found = findings.add(argument.span, quoted_attribute(annotation.name));
  if (allowed.names.empty()) {
    found.message += allowed.bare == 0 ? " takes no arguments" : " takes one argument only";
  } else {
    found.message += " takes named arguments; write " + examples(allowed.names);
  }
}

void check_named(const Annotation& annotation, const Argument& argument, const Allowed& allowed,
                 Findings& findings) {
  if (std::ranges::find(allowed.names, argument.name) != allowed.names.end()) return;
  Diagnostic& found = findings.add(
      argument.name_span, quoted_attribute(annotation.name) + " has no argument " + quoted(argument.name));
  const auto& words = allowed.words;
  if (std::ranges::find(words, argument.name) != words.end()) {
    found.message += "; write " + quoted(argument.name);
  } else if (annotation.name == "shard_group" && is_of_shardable(argument.name)) {
    found.message += ", which is one of " + quoted_attribute("shardable") + "; remove it";
  } else if (!allowed.names.empty()) {
    suggest(found, argument.name, argument.name_span, !annotation.from_macro, allowed.names);
  }
}

}  // namespace

/// Compilers ignore arguments that nobody knows, so a typing error would go unseen.
void unknown_argument(const Entity& entity, Findings& findings) {
  for_each_annotation(entity, [&](const Annotation& annotation) {
    const Allowed& allowed = allowed_for(annotation.name);
    std::size_t bare = 0;
    for (const Argument& argument : annotation.arguments) {
      if (argument.name.empty()) {
        check_bare(annotation, argument, allowed, bare++, findings);
      } else {
        check_named(annotation, argument, allowed, findings);
      }
    }
  });
}

}  // namespace autoshard::tool::rules
