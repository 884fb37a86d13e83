#include "tool/check/check.h"

#include <algorithm>
#include <utility>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool {
namespace {

template <typename Subject>
struct Rule {
  const char* tag;
  void (*find)(const Subject& subject, Findings& findings);
};

constexpr Rule<Entity> kPlaceRules[] = {
    {"autoshard-entity-place", rules::entity_place},
    {"autoshard-entity-template", rules::entity_template},
    {"autoshard-entity-union", rules::entity_union},
    {"autoshard-entity-macro", rules::entity_macro},
};

constexpr Rule<Entity> kEntityRules[] = {
    {"autoshard-entity-abstract", rules::entity_abstract},
    {"autoshard-base-members", rules::base_members},
    {"autoshard-no-id", rules::no_id},
    {"autoshard-id-type", rules::id_type},
    {"autoshard-contradiction", rules::contradiction},
    {"autoshard-property-type", rules::property_type},
    {"autoshard-const-property", rules::const_property},
    {"autoshard-stored-name", rules::stored_name},
    {"autoshard-also-load", rules::also_load},
    {"autoshard-not-copyable", rules::not_copyable},
    {"autoshard-not-private", rules::not_private},
    {"autoshard-missing-argument", rules::missing_argument},
    {"autoshard-unknown-argument", rules::unknown_argument},
    {"autoshard-duplicate", rules::duplicate},
    {"autoshard-kind", rules::kind},
    {"autoshard-shards-not-constant", rules::shards_not_constant},
    {"autoshard-shards-range", rules::shards_range},
    {"autoshard-adaptive-range", rules::adaptive_range},
    {"autoshard-bounded-type", rules::bounded_type},
    {"autoshard-bounded-dynamic", rules::bounded_dynamic},
    {"autoshard-bounds-order", rules::bounds_order},
    {"autoshard-bounds-initial", rules::bounds_initial},
    {"autoshard-window-duration", rules::window_duration},
    {"autoshard-window-buckets", rules::window_buckets},
    {"autoshard-window-dynamic", rules::window_dynamic},
    {"autoshard-window-bounded", rules::window_bounded},
    {"autoshard-group-type", rules::group_type},
    {"autoshard-index-type", rules::index_type},
    {"autoshard-index-member", rules::index_member},
    {"autoshard-index-name", rules::index_name},
    {"autoshard-index-elements", rules::index_elements},
    {"autoshard-index-unique", rules::index_unique},
    {"autoshard-index-staleness", rules::index_staleness},
    {"autoshard-window-index", rules::window_index},
    {"autoshard-expires", rules::expires},
    {"autoshard-hook", rules::hook},
    {"autoshard-fold-not-static", rules::fold_not_static},
    {"autoshard-fold-signature", rules::fold_signature},
    {"autoshard-fold-member", rules::fold_member},
    {"autoshard-no-fold", rules::no_fold},
    {"autoshard-order", rules::order},
    {"autoshard-ambiguous-fold", rules::ambiguous_fold},
    {"autoshard-shard-method-static", rules::shard_method_static},
    {"autoshard-shard-method-const", rules::shard_method_const},
    {"autoshard-shard-method-constructor", rules::shard_method_constructor},
    {"autoshard-shard-method-template", rules::shard_method_template},
    {"autoshard-shard-method-body", rules::shard_method_body},
    {"autoshard-shard-method-macro", rules::shard_method_macro},
    {"autoshard-shard-method-members", rules::shard_method_members},
    {"autoshard-shard-method-escape", rules::shard_method_escape},
    {"autoshard-shard-method-effect", rules::shard_method_effect},
    {"autoshard-shard-method-unseen-call", rules::shard_method_unseen_call},
    {"autoshard-shard-method-result", rules::shard_method_result},
    {"autoshard-shard-method-disclosure", rules::shard_method_disclosure},
    {"autoshard-shard-method-parameter", rules::shard_method_parameter},
    {"autoshard-group-addition", rules::group_addition},
    {"autoshard-shard-method-name", rules::shard_method_name},
    {"autoshard-shard-method-no-update", rules::shard_method_no_update},
    {"autoshard-plain-write", rules::plain_write},
    {"autoshard-copy-operation", rules::copy_operation},
    {"autoshard-not-movable", rules::not_movable},
    {"autoshard-no-default", rules::no_default},
    {"autoshard-decomposition", rules::decomposition},
    {"autoshard-declarator", rules::declarator},
    {"autoshard-collision", rules::collision},
    {"autoshard-misplaced", rules::misplaced},
};

constexpr Rule<Entity> kPartRules[] = {
    {"autoshard-base-members", rules::base_members},
    {"autoshard-id-type", rules::id_type},
    {"autoshard-contradiction", rules::contradiction},
    {"autoshard-property-type", rules::property_type},
    {"autoshard-const-property", rules::const_property},
    {"autoshard-unknown-argument", rules::unknown_argument},
    {"autoshard-duplicate", rules::duplicate},
    {"autoshard-index-type", rules::index_type},
    {"autoshard-index-staleness", rules::index_staleness},
    {"autoshard-expires", rules::expires},
    {"autoshard-part-members", rules::part_members},
    {"autoshard-part-default", rules::part_default},
};

constexpr Rule<Model> kModelRules[] = {
    {"autoshard-misplaced", rules::misplaced_stray},
    {"autoshard-unknown-attribute", rules::unknown_attribute},
    {"autoshard-same-kind", rules::same_kind},
    {"autoshard-forward-declaration", rules::forward_declaration},
    {"autoshard-plain-method-body", rules::plain_method_body},
};

template <typename Subject, std::size_t count>
void apply(const Rule<Subject> (&table)[count], const Subject& subject, Findings& findings) {
  for (const Rule<Subject>& rule : table) {
    findings.set_rule(rule.tag);
    rule.find(subject, findings);
  }
}

template <typename Subject, std::size_t count>
void append_tags(const Rule<Subject> (&table)[count], std::vector<std::string_view>& tags) {
  for (const Rule<Subject>& rule : table) tags.push_back(rule.tag);
}

bool is_well_placed(const Entity& entity) {
  return entity.place == Place::kNamespace && !entity.suspicions.is_union && !entity.from_macro;
}

}  // namespace

void for_each_shard_method(const Entity& entity, const std::function<void(const Method&)>& visit) {
  for (const Method& method : entity.methods) {
    if (method.is_shard_method() && !method.is_shard_fold()) visit(method);
  }
}

std::vector<std::string_view> checked_rules() {
  std::vector<std::string_view> tags;
  append_tags(kPlaceRules, tags);
  append_tags(kEntityRules, tags);
  append_tags(kPartRules, tags);
  append_tags(kModelRules, tags);
  return tags;
}

Diagnostics check(const Model& model) {
  Findings findings;
  for (const Entity& entity : model.entities) {
    apply(kPlaceRules, entity, findings);
    if (is_well_placed(entity)) apply(kEntityRules, entity, findings);
  }
  for (const Entity& part : model.parts) {
    apply(kPlaceRules, part, findings);
    if (is_well_placed(part)) apply(kPartRules, part, findings);
  }
  apply(kModelRules, model, findings);
  return std::move(findings).take();
}

}  // namespace autoshard::tool
