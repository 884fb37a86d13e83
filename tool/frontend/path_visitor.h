#pragma once

#include "clang/AST/RecursiveASTVisitor.h"

namespace autoshard::tool {

/// Keeps the way from the body to each expression, on which it shows what happens to it.
template <class Derived>
class PathVisitor : public clang::RecursiveASTVisitor<Derived> {
 public:
  bool TraverseStmt(clang::Stmt* statement) {
    if (!statement) return true;
    path_.push_back(statement);
    const bool go_on = clang::RecursiveASTVisitor<Derived>::TraverseStmt(statement);
    path_.pop_back();
    return go_on;
  }

 protected:
  llvm::ArrayRef<clang::Stmt*> path() const { return path_; }

 private:
  std::vector<clang::Stmt*> path_;
};

}  // namespace autoshard::tool
