#pragma once

/// The attributes that Clang learns from AutoShard.

#include <clang/Basic/SourceLocation.h>
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringRef.h>

namespace clang {
class Decl;
}

namespace autoshard::tool {

/// The scope of every attribute.
inline constexpr llvm::StringLiteral kScope = "autoshard";

/// Where the names of the `autoshard::` attributes stand that were written on this very declaration. The rest
/// of an attribute is in the tokens from there on: Clang skips the arguments of attributes that come from
/// plugins.
llvm::SmallVector<clang::SourceLocation, 2> attributes_of(const clang::Decl& decl);

}  // namespace autoshard::tool
