#pragma once

#include <clang/AST/DeclCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace autoshard::tool {

using Records = llvm::SmallPtrSet<const clang::CXXRecordDecl*, 8>;

/// What the library may call of an object of `type` that it is given: operators, conversions, constructors
/// and the destructor of the user's classes in it, such as the comparison of `std::set<int, Less>`. Leaves
/// out the classes in `seen`, and adds to them.
std::vector<const clang::FunctionDecl*> operations_of(clang::QualType type, Records& seen);

/// The types among the template arguments of a function, and of the class it belongs to.
std::vector<clang::QualType> template_types_of(const clang::FunctionDecl& function);

/// The special method of the class `type` that one of the same kind calls, such as `method`, of a class that
/// has a member or a base of that type. Null where there is none.
const clang::CXXMethodDecl* counterpart_of(const clang::CXXMethodDecl& method, clang::QualType type);

}  // namespace autoshard::tool
