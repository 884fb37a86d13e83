#pragma once

/// The rules, each in a file of its name, and each tag is that name: [autoshard-no-id] is no_id() in
/// no_id.cpp.

#include <functional>

#include "tool/model/model.h"

namespace autoshard::tool {

class Findings;

namespace rules {

/// How many records the updates of a property can be spread over.
inline constexpr std::int64_t kMostShards = 4096;

/// Whether a value of this type can be an id: its order is that of some bytes.
bool is_key(const Type& type);

/// Whether a value of this type consists of elements that can be records of their own.
bool is_group_type(const Type& type);

// Whether a class can be an entity at all. The other rules are for those that can.
void entity_place(const Entity& entity, Findings& findings);
void entity_template(const Entity& entity, Findings& findings);
void entity_union(const Entity& entity, Findings& findings);
void entity_macro(const Entity& entity, Findings& findings);

// What an entity and its members must keep.
void entity_abstract(const Entity& entity, Findings& findings);
void declarator(const Entity& entity, Findings& findings);
void copy_operation(const Entity& entity, Findings& findings);
void not_movable(const Entity& entity, Findings& findings);
void no_default(const Entity& entity, Findings& findings);
void decomposition(const Entity& entity, Findings& findings);
void base_members(const Entity& entity, Findings& findings);
void no_id(const Entity& entity, Findings& findings);
void id_type(const Entity& entity, Findings& findings);
void contradiction(const Entity& entity, Findings& findings);
void property_type(const Entity& entity, Findings& findings);
void const_property(const Entity& entity, Findings& findings);
void stored_name(const Entity& entity, Findings& findings);
void also_load(const Entity& entity, Findings& findings);
void not_copyable(const Entity& entity, Findings& findings);
void not_private(const Entity& entity, Findings& findings);
void missing_argument(const Entity& entity, Findings& findings);
void unknown_argument(const Entity& entity, Findings& findings);
void duplicate(const Entity& entity, Findings& findings);
void kind(const Entity& entity, Findings& findings);
void shards_not_constant(const Entity& entity, Findings& findings);
void shards_range(const Entity& entity, Findings& findings);
void adaptive_range(const Entity& entity, Findings& findings);
void bounded_type(const Entity& entity, Findings& findings);
void bounded_dynamic(const Entity& entity, Findings& findings);
void bounds_order(const Entity& entity, Findings& findings);
void bounds_initial(const Entity& entity, Findings& findings);
void window_duration(const Entity& entity, Findings& findings);
void window_buckets(const Entity& entity, Findings& findings);
void window_dynamic(const Entity& entity, Findings& findings);
void window_bounded(const Entity& entity, Findings& findings);
void group_type(const Entity& entity, Findings& findings);
void group_addition(const Entity& entity, Findings& findings);
void index_type(const Entity& entity, Findings& findings);
void index_member(const Entity& entity, Findings& findings);
void index_name(const Entity& entity, Findings& findings);
void index_elements(const Entity& entity, Findings& findings);
void index_unique(const Entity& entity, Findings& findings);
void index_staleness(const Entity& entity, Findings& findings);
void window_index(const Entity& entity, Findings& findings);
void expires(const Entity& entity, Findings& findings);
void hook(const Entity& entity, Findings& findings);
void fold_not_static(const Entity& entity, Findings& findings);
void fold_signature(const Entity& entity, Findings& findings);
void fold_member(const Entity& entity, Findings& findings);
void no_fold(const Entity& entity, Findings& findings);
void order(const Entity& entity, Findings& findings);
void ambiguous_fold(const Entity& entity, Findings& findings);
void shard_method_static(const Entity& entity, Findings& findings);
void shard_method_const(const Entity& entity, Findings& findings);
void shard_method_constructor(const Entity& entity, Findings& findings);
void shard_method_template(const Entity& entity, Findings& findings);
void shard_method_body(const Entity& entity, Findings& findings);
void shard_method_macro(const Entity& entity, Findings& findings);
void shard_method_members(const Entity& entity, Findings& findings);
void shard_method_escape(const Entity& entity, Findings& findings);
void shard_method_disclosure(const Entity& entity, Findings& findings);
void shard_method_effect(const Entity& entity, Findings& findings);
void shard_method_unseen_call(const Entity& entity, Findings& findings);  // only warns
void shard_method_result(const Entity& entity, Findings& findings);
void shard_method_parameter(const Entity& entity, Findings& findings);
void shard_method_name(const Entity& entity, Findings& findings);
void shard_method_no_update(const Entity& entity, Findings& findings);
void plain_write(const Entity& entity, Findings& findings);
void collision(const Entity& entity, Findings& findings);
void misplaced(const Entity& entity, Findings& findings);

// What mapped and embedded classes must keep.
void part_members(const Entity& part, Findings& findings);
void part_default(const Entity& part, Findings& findings);

// What is seen on all headers together.
void misplaced_stray(const Model& model, Findings& findings);  // in misplaced.cpp
void unknown_attribute(const Model& model, Findings& findings);
void same_kind(const Model& model, Findings& findings);
void forward_declaration(const Model& model, Findings& findings);
void plain_method_body(const Model& model, Findings& findings);  // only warns

}  // namespace rules

/// Calls `visit` with every shard method of the entity, less those that are said to be a fold as well.
void for_each_shard_method(const Entity& entity, const std::function<void(const Method&)>& visit);

}  // namespace autoshard::tool
