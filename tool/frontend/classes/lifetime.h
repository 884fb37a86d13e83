#pragma once

/// Whether objects of a class can be made, moved and destroyed as a load does it.

#include "tool/frontend/tokens/context.h"

namespace clang {
class CXXRecordDecl;
class FieldDecl;
}  // namespace clang

namespace autoshard::tool {

/// Why an object of `record` cannot be returned by value; empty where it can.
std::vector<Obstacle> obstacles_to_moving(const clang::CXXRecordDecl& record, const Context& context);

/// The base classes of `record` that its constructors have to give arguments to.
std::vector<Name> bases_without_default(const clang::CXXRecordDecl& record, const Context& context);

/// Whether a constructor of the class of `field` may leave it to its default constructor.
bool default_constructible(const clang::FieldDecl& field, const Context& context);

}  // namespace autoshard::tool
