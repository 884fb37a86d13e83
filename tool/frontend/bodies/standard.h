#pragma once

#include <clang/AST/DeclTemplate.h>

namespace autoshard::tool {

/// Whether `decl` is something of the standard library, at any depth: a function, or a method of a class.
inline bool is_standard(const clang::Decl& decl) {
  for (const clang::DeclContext* at = decl.getDeclContext(); at; at = at->getParent()) {
    if (at->isStdNamespace()) return true;
  }
  return false;
}

/// Empty where there is none, as of an operator or a constructor.
inline llvm::StringRef identifier_of(const clang::NamedDecl* decl) {
  return decl && decl->getDeclName().isIdentifier() ? decl->getName() : llvm::StringRef();
}

/// The type without references, qualifiers and other names.
inline clang::QualType plain_type(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

using StandardClass = clang::ClassTemplateSpecializationDecl;

/// The class of a type of the standard library; null for any other type.
inline const StandardClass* standard_class(clang::QualType type) {
  const auto* record = llvm::dyn_cast_or_null<StandardClass>(plain_type(type)->getAsCXXRecordDecl());
  return record && is_standard(*record) ? record : nullptr;
}

/// Argument number `at` of the template; null if it is no type.
inline clang::QualType argument(const StandardClass& record, unsigned at) {
  const clang::TemplateArgumentList& arguments = record.getTemplateArgs();
  if (at >= arguments.size() || arguments[at].getKind() != clang::TemplateArgument::Type) return {};
  return arguments[at].getAsType().getCanonicalType().getUnqualifiedType();
}

}  // namespace autoshard::tool
