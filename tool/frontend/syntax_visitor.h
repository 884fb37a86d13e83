#pragma once

#include "clang/Basic/Version.h"
#if CLANG_VERSION_MAJOR >= 22
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#else
#include "clang/AST/RecursiveASTVisitor.h"
#endif

namespace autoshard::tool {

/// Visits declarations and statements by `Visit…` and `Traverse…`, as clang::RecursiveASTVisitor does. Where
/// Clang has the visitor with virtual functions, `Derived` compiles in a fraction of the time.
#if CLANG_VERSION_MAJOR >= 22
template <class Derived>
class SyntaxVisitor : public clang::DynamicRecursiveASTVisitor {};
#else
template <class Derived>
class SyntaxVisitor : public clang::RecursiveASTVisitor<Derived> {
 public:
  bool ShouldVisitTemplateInstantiations = false;
  bool ShouldVisitImplicitCode = false;

  bool shouldVisitTemplateInstantiations() const { return ShouldVisitTemplateInstantiations; }
  bool shouldVisitImplicitCode() const { return ShouldVisitImplicitCode; }
};
#endif

}  // namespace autoshard::tool
