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

/// Whether `name` stands in `text` as a word of its own.
bool mentions(std::string_view text, std::string_view name);
bool mentions_parameter(std::string_view text, const Method& method);

/// Outside of the class, the return type leads where it is a built-in one; any other is found in the class
/// only behind the method's name. Unless a parameter hides it there: then it stands as the user wrote it.
bool return_type_leads(const Method& method);

/// What returns the object itself, returns the shard there.
std::string return_type_in_shard(const Method& method);

/// A shard is always called as an lvalue, whatever the user's method may be called on.
std::string_view without_ref_qualifier(std::string_view qualifiers);

/// What stands behind a parameter list, if there is anything, with a blank before it.
std::string behind_blank(std::string_view qualifiers);

/// Where the shard cannot occur in a constant expression, neither can a call (and the word goes; see
/// rewrite).
bool is_constexpr(const Entity& entity, const Method& method);

}  // namespace autoshard::tool
