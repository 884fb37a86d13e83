#include <algorithm>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {
namespace {

bool names(const Method& fold, const Property& property) {
  return std::ranges::any_of(fold.annotation("shard_fold")->arguments,
                             [&](const Argument& argument) { return argument.value == property.name; });
}

}  // namespace

/// One member, one fold.
void ambiguous_fold(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* shardable = property.annotation("shardable");
    if (!shardable) continue;
    std::vector<const Method*> folds = folds_of(entity, property);
    const Argument* expression = shardable->argument("fold");
    if (expression) std::erase_if(folds, [&](const Method* fold) { return !names(*fold, property); });
    if (folds.size() + (expression ? 1 : 0) < 2) continue;
    Diagnostic& found =
        findings.add(property.span, "sharded member " + quoted(property.name) +
                                        " has more than one fold; name the member in one of them, as in "
                                        "'shard_fold(" +
                                        property.name + ")', or remove the others");
    for (const Method* fold : folds) found.notes.push_back({fold->span, quoted(fold->name) + " is one"});
    if (expression) found.notes.push_back({expression->span, "this is one"});
  }
}

}  // namespace autoshard::tool::rules
