#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include <string>
#include <string_view>

namespace clang {
class CXXRecordDecl;
class Sema;
}  // namespace clang

namespace autoshard::tool {

/// Parses `members` as those of a struct in `scope`, a complete class, and calls `use` with the struct, which
/// is gone afterwards. Returns the first error in them, which is not shown; after an error, there is no call.
std::string parse_in_class(clang::Sema& sema, clang::CXXRecordDecl& scope, std::string_view members,
                           llvm::function_ref<void(const clang::CXXRecordDecl&)> use);

}  // namespace autoshard::tool
