#include <algorithm>
#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

struct Allowed {
  std::vector<std::string_view> names;
  std::size_t bare = 0;  ///< how many without a name
};

const Allowed& allowed_for(std::string_view attribute) {
  static const Allowed kNone;
  static const Allowed kShardable{{"neutral", "shards", "fold", "min", "max", "order"}, 0};
  static const Allowed kEntity{{}, 1};
  static const Allowed kNames{{}, std::string_view::npos};
  if (attribute == "shardable") return kShardable;
  if (attribute == "entity") return kEntity;
  return attribute == "shard_fold" || attribute == "also_load" ? kNames : kNone;
}

void check_bare(const Annotation& annotation, const Argument& argument, const Allowed& allowed,
                std::size_t position, Findings& findings) {
  if (position < allowed.bare) return;
  Diagnostic& found = findings.add(argument.span, quoted_attribute(annotation.name));
  if (allowed.names.empty()) {
    found.message += allowed.bare == 0 ? " takes no arguments" : " takes one argument only";
  } else {
    found.message +=
        " takes named arguments; write 'neutral = …', 'shards = …', 'fold = …', 'min = …', 'max = …' or "
        "'order = any'";
  }
}

void check_named(const Annotation& annotation, const Argument& argument, const Allowed& allowed,
                 Findings& findings) {
  if (std::ranges::find(allowed.names, argument.name) != allowed.names.end()) return;
  Diagnostic& found = findings.add(
      argument.name_span, quoted_attribute(annotation.name) + " has no argument " + quoted(argument.name));
  if (allowed.names.empty()) return;
  suggest(found, argument.name, argument.name_span, !annotation.from_macro, allowed.names);
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
