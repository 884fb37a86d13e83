#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// The class of `friend class Admin;`. None for `friend Admin;` and `friend class ::Admin;`, which find what
/// there is.
const clang::CXXRecordDecl* class_befriended_by_name(clang::TypeLoc type);

/// Those friends of `record` that must be declared before its companion, in the order of the text.
std::vector<Friend> read_friends(const clang::CXXRecordDecl& record, const Context& context);

/// Where friends and nested classes of `record` that are defined inside of it may change its members.
std::vector<ForeignWrite> read_foreign_writes(const clang::CXXRecordDecl& record, const Context& context);

}  // namespace autoshard::tool
