#pragma once

/// Types whose values lead to nothing outside of themselves.

#include <clang/AST/DeclTemplate.h>

namespace autoshard::tool {

using StandardClass = clang::ClassTemplateSpecializationDecl;

/// The type without references, qualifiers and other names.
clang::QualType plain_type(clang::QualType type);

/// The class of a type of the standard library; null for any other type.
const StandardClass* standard_class(clang::QualType type);

/// Argument number `at` of the template; null if it is no type.
clang::QualType argument(const StandardClass& record, unsigned at);

/// Whether it is a type of numbers that has operators of the language only, other than `long double`.
bool is_number(clang::QualType type);

bool is_string(clang::QualType type);

/// Whether values of the type have an order that the standard library gives them: no function of the user
/// compares them.
bool is_ordered(clang::QualType type);

/// Whether two keys that are not less than each other are the same.
bool is_key_type(clang::QualType type);

/// The class of a set or map whose keys are told apart in the usual way; null for any other type.
const clang::CXXRecordDecl* keyed_class(clang::QualType type);

/// Whether `container`, which keyed_class() has returned, is that of a map.
bool is_map(const clang::CXXRecordDecl& container);

/// Whether a value of the type leads to nothing outside of itself.
bool is_closed(clang::QualType type);

}  // namespace autoshard::tool
