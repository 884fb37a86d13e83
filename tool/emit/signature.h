#pragma once

/// How a shard method is declared, in `Shard` and in the companion.

#include <string>
#include <string_view>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Where a parameter list stands. A wrapper passes every parameter on, and so needs names for them; default
/// arguments stand inside a class.
enum class Where { kShard, kShardOutside, kWrapper };

std::string parameter_list(const Method& method, Where where);

/// Whether the class declares something of this name.
bool has_member(const Entity& entity, std::string_view name);

/// Whether the return type stands before the name in a definition outside of the class: if it is a built-in
/// one, or if a parameter would hide it behind the name. Names of the class are found only behind the
/// method's name.
bool return_type_leads(const Method& method);

/// The return type of the method in `Shard`: a method that returns the object itself returns the shard there.
std::string return_type_in_shard(const Method& method);

/// `qualifiers` without `&` and `&&`: a shard is always an lvalue.
std::string_view without_ref_qualifier(std::string_view qualifiers);

/// `qualifiers` with a blank before them, if there are any.
std::string behind_blank(std::string_view qualifiers);

/// Whether the generated methods are constexpr. If the shard cannot occur in a constant expression, neither
/// can a call, and the rewriter removes the word.
bool is_constexpr(const Entity& entity, const Method& method);

}  // namespace autoshard::tool
