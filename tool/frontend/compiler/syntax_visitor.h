#pragma once

#include <clang/Basic/Version.h>
#if CLANG_VERSION_MAJOR >= 22
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#else
#include <clang/AST/RecursiveASTVisitor.h>
#endif

namespace autoshard::tool {

/// Visits declarations and statements by `Visit…` and `Traverse…`, as clang::RecursiveASTVisitor does. Where
/// Clang has the visitor with virtual functions, `Derived` compiles in a fraction of the time.
/// AUTOSHARD_OVERRIDE says there that a function of `Derived` is one of the visitor's.
#if CLANG_VERSION_MAJOR >= 22
#define AUTOSHARD_OVERRIDE override
template <class Derived>
class SyntaxVisitor : public clang::DynamicRecursiveASTVisitor {};
#else
#define AUTOSHARD_OVERRIDE
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
