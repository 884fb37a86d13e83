#pragma once

#include "tool/frontend/compiler/versions.h"

namespace autoshard::tool {

/// Visits the expressions of a body. Of a list in braces, it visits the form that Clang has checked and
/// completed with conversions. The other form is only text: evaluating it crashes Clang, and it hides
/// conversions.
template <class Derived>
class BodyVisitor : public SyntaxVisitor<Derived> {
 public:
  bool TraverseInitListExpr(clang::InitListExpr* list) AUTOSHARD_OVERRIDE {
    // A list whose type depends on template arguments has no checked form.
    clang::InitListExpr* const checked = list->isSemanticForm() ? list : list->getSemanticForm();
    clang::InitListExpr* const known = checked ? checked : list;
    Derived& derived = static_cast<Derived&>(*this);
    if (!derived.WalkUpFromInitListExpr(known)) return false;
    for (clang::Stmt* child : known->children()) {
      if (!derived.TraverseStmt(child)) return false;
    }
    return true;
  }
};

/// Keeps the path from the body to the visited expression. The path shows the uses of the expression.
template <class Derived>
class PathVisitor : public BodyVisitor<Derived> {
 public:
  bool TraverseStmt(clang::Stmt* statement) AUTOSHARD_OVERRIDE {
    if (!statement) return true;
    path_.push_back(statement);
    const bool go_on = BodyVisitor<Derived>::TraverseStmt(statement);
    path_.pop_back();
    return go_on;
  }

 protected:
  llvm::ArrayRef<clang::Stmt*> path() const { return path_; }

 private:
  std::vector<clang::Stmt*> path_;
};

/// Leaves out operands that are not evaluated, and visits implicit code that runs.
template <class Derived>
class EvaluatedVisitor : public PathVisitor<Derived> {
 public:
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) AUTOSHARD_OVERRIDE { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr*) AUTOSHARD_OVERRIDE { return true; }
  bool TraverseRequiresExpr(clang::RequiresExpr*) AUTOSHARD_OVERRIDE { return true; }

  /// `a != b` calls an `operator==`, which only the rewritten form shows.
  bool TraverseCXXRewrittenBinaryOperator(clang::CXXRewrittenBinaryOperator* rewritten) AUTOSHARD_OVERRIDE {
    return derived().TraverseStmt(rewritten->getSemanticForm());
  }

  /// The compiler makes the variables of the iterators. They are not visited as declarations.
  bool VisitCXXForRangeStmt(clang::CXXForRangeStmt* loop) AUTOSHARD_OVERRIDE {
    for (const clang::DeclStmt* declared : {loop->getBeginStmt(), loop->getEndStmt()}) {
      const auto* variable = declared ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
      if (variable) derived().TraverseStmt(const_cast<clang::Expr*>(variable->getInit()));
    }
    derived().TraverseStmt(loop->getCond());
    derived().TraverseStmt(loop->getInc());
    return true;
  }

 private:
  Derived& derived() { return static_cast<Derived&>(*this); }
};

}  // namespace autoshard::tool
