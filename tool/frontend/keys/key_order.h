#pragma once

/// Which values the language and the standard library compare, without a function of the user.

#include <clang/AST/DeclTemplate.h>

#include <vector>

namespace autoshard::tool {

/// Returns whether it is a type of numbers that has operators of the language only, other than `long double`.
bool is_number(clang::QualType type);

/// Returns whether it is a string of the standard library, with its usual traits and allocator.
bool is_string(clang::QualType type);

/// Returns the types whose values a pair, tuple, optional, array, duration, or time point of a standard clock
/// consists of. Empty for any other class, and for one that holds references.
std::vector<clang::QualType> parts_of(const clang::ClassTemplateSpecializationDecl& record);

/// Returns whether no function of the user compares values of the type.
bool is_ordered(clang::QualType type);

/// Returns whether the class is a set or map of the standard library with its usual comparison and allocator,
/// and keys that count as the same are the same. No function of the user compares them.
bool compares_keys_as_usual(const clang::ClassTemplateSpecializationDecl& record);

/// Returns whether a set or map is a map.
bool is_map(const clang::CXXRecordDecl& container);

}  // namespace autoshard::tool
