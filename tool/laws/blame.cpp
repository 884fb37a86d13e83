#include "tool/laws/blame.h"

#include "tool/model/law_tags.h"

namespace autoshard::tool {
namespace {

const Method* fold_method(const Entity& entity, const Property& property) {
  if (property.marks.shardable && property.marks.shardable->fold) return nullptr;
  const std::vector<const Method*> folds = folds_of(entity, property);
  return folds.empty() ? nullptr : folds.front();
}

Span place_of_neutral(const Property& property) {
  const std::optional<Argument>& neutral = property.marks.shardable->neutral;
  return neutral ? neutral->value_span : property.span;
}

}  // namespace

std::string_view rule_of(Law::Kind kind) {
  switch (kind) {
    case Law::Kind::kCommutative:
      return tags::kFoldNotCommutative;
    case Law::Kind::kAssociative:
      return tags::kFoldNotAssociative;
    case Law::Kind::kNeutral:
      return tags::kNeutralNotIdentity;
    case Law::Kind::kCommutes:
      return tags::kMethodDoesNotCommute;
    case Law::Kind::kReplaces:
      return tags::kWriteNotReplacing;
    case Law::Kind::kAdds:
      return tags::kBoundedFold;
  }
  return {};
}

Span place_of_fold(const Entity& entity, const Property& property) {
  if (const Method* method = fold_method(entity, property)) return method->span;
  const std::optional<Argument>& fold = property.marks.shardable->fold;
  return fold ? fold->value_span : property.span;
}

Span place_of(const Entity& entity, const Law& law) {
  if (law.method) return law.method->span;
  return law.kind == Law::Kind::kNeutral ? place_of_neutral(*law.property)
                                         : place_of_fold(entity, *law.property);
}

std::string written_fold(const Entity& entity, const Property& property) {
  const Method* method = fold_method(entity, property);
  return method ? method->name : "fold";
}

}  // namespace autoshard::tool
