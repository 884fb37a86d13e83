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
