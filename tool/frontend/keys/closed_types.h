#pragma once

/// Types whose values lead to nothing outside of themselves.

#include <clang/AST/DeclTemplate.h>

namespace autoshard::tool {

/// Whether it is a type of numbers that has operators of the language only, other than `long double`.
bool is_number(clang::QualType type);

bool is_string(clang::QualType type);

/// Whether values of the type have an order that the standard library gives them: no function of the user
/// compares them.
bool is_ordered(clang::QualType type);

/// Whether two keys that are not less than each other are the same.
bool is_key_type(clang::QualType type);

/// Whether it is a set or map, and two of its keys are the same if none is less than the other. No function
/// of the user compares them.
bool compares_keys_as_usual(const clang::ClassTemplateSpecializationDecl& record);

/// The class of a set or map that compares its keys as usual and holds closed values; null for any other
/// type.
const clang::CXXRecordDecl* keyed_class(clang::QualType type);

/// Whether `container`, which keyed_class() has returned, is that of a map.
bool is_map(const clang::CXXRecordDecl& container);

/// Whether a value of the type leads to nothing outside of itself.
bool is_closed(clang::QualType type);

}  // namespace autoshard::tool
