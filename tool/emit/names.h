#pragma once

/// How generated code outside of the user's namespaces names what the user has declared.

#include <string>
#include <string_view>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Returns `name` with the types of <cstdint>, which promises them in namespace std only, taken from there.
std::string portable(std::string_view name);

/// Returns the name of `type` in a form that namespace `autoshard` does not change: `::a::Id<::b::Tag>`.
std::string from_anywhere(const Type& type);

/// Returns a pointer to the member in the traits of an entity. The member may be one of a base class.
std::string pointer_to(const Property& property);

/// Returns the name of the property in the struct `Fields` of the traits.
std::string name_of_field(const Property& property);

}  // namespace autoshard::tool
