#pragma once

#include <clang/AST/PrettyPrinter.h>

#include <set>
#include <string>

#include "tool/frontend/compiler/files.h"
#include "tool/frontend/tokens/annotations.h"
#include "tool/frontend/tokens/tokens.h"

namespace clang {
class ASTContext;
class Sema;
}  // namespace clang

namespace autoshard::tool {

/// Functions by their qualified names, without template arguments.
using BodyNames = std::set<std::string>;

/// What every reader of declarations needs. Lives as long as the parse.
struct Context {
  clang::Sema& sema;
  clang::ASTContext& ast;
  clang::LangOptions& language;  ///< its limits of evaluation can be changed for a while
  const TokenLog& log;
  Files& files;
  FoundAttributes& attributes;
  BodyNames& unread_bodies;  ///< of functions that shard methods and folds call
  bool candidates = false;   ///< read classes that are not annotated, too, and how methods update members

  /// The text of a token range, macros expanded.
  std::string text(clang::SourceRange range) const { return log.text(log.tokens(range)); }
};

}  // namespace autoshard::tool
