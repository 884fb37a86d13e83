#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

/// `shardable` has words for what is no number.
void check(const Argument& shards, const Annotation& annotation, bool fixable, Findings& findings) {
  if (shards.number) return;
  const bool has_words = annotation.name == "shardable";
  Diagnostic& found =
      findings.add(shards.value_span, "the number of shards is not a constant that is known here");
  if (has_words && shards.value == "dynamic") {
    found.message += "; for dynamic sharding, leave 'shards' out";
  } else if (const auto name = shards.value.substr(0, shards.value.find('('));
             has_words && !nearest(name, {"adaptive"}).empty()) {
    found.message += "; did you mean 'adaptive'?";
    const std::uint32_t begin = shards.value_span.begin;
    if (fixable)
      found.fixes.push_back(
          {{shards.value_span.file, begin, begin + static_cast<std::uint32_t>(name.size())}, "adaptive"});
  } else {
    found.message += "; write a constant expression of integers";
  }
}

}  // namespace

/// The number of shards is read by the generator.
void shards_not_constant(const Entity& entity, Findings& findings) {
  for_each_shards(entity, [&](const Annotation& annotation, const Argument& shards) {
    const bool adapts = annotation.name == "shardable" && is_adaptive(shards);
    if (!adapts) return check(shards, annotation, !annotation.from_macro, findings);
    for (const Argument& limit : shards.arguments) check(limit, annotation, false, findings);
  });
}

}  // namespace autoshard::tool::rules
