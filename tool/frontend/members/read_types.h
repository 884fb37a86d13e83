#pragma once

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Type.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// How types are spelled in generated code.
clang::PrintingPolicy spelling_policy(const clang::ASTContext& ast);

/// `type` spelled so that it is found from the global namespace.
std::string qualified(clang::QualType type, const clang::ASTContext& ast);

/// `name`, a qualified name of a type, so that it means the same inside of any namespace. `is_users` says
/// that it is not one of the language or the standard library.
std::string with_global_names(llvm::StringRef name, bool is_users);

/// The model of a type that a record shall hold; kUnsupported, with a reason, where it cannot.
Type read_type(clang::QualType type, const Context& context);

/// The constructor that needs no arguments; null where there is none, or a deleted one.
const clang::CXXConstructorDecl* default_constructor(const clang::CXXRecordDecl& record, clang::Sema& sema);

/// Whether a value of this type can be copied, as far as its declaration tells; for containers of the
/// standard library, whether their elements can.
bool copyable(clang::QualType type, clang::Sema& sema);

}  // namespace autoshard::tool
