#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

void check(const Argument& shards, bool fixable, Findings& findings) {
  if (shards.number) return;
  Diagnostic& found =
      findings.add(shards.value_span, "the number of shards is not a constant that is known here");
  if (shards.value == "dynamic") {
    found.message += "; for dynamic sharding, leave 'shards' out";
  } else if (const auto name = shards.value.substr(0, shards.value.find('('));
             !nearest(name, {"adaptive"}).empty()) {
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
  for (const Property& property : entity.properties) {
    const Argument* shards = shards_of(property);
    if (!shards) continue;
    if (!is_adaptive(*shards)) check(*shards, !property.annotation("shardable")->from_macro, findings);
    for (const Argument& limit : shards->arguments) check(limit, false, findings);
  }
}

}  // namespace autoshard::tool::rules
