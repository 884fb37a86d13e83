#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace autoshard::tool {

/// Whether `decl` is in namespace std, at any depth: a function, or a method of a class.
inline bool is_standard(const clang::Decl& decl) {
  for (const clang::DeclContext* at = decl.getDeclContext(); at; at = at->getParent()) {
    if (at->isStdNamespace()) return true;
  }
  return false;
}

/// The identifier of `decl`. Empty if it has none, as an operator or a constructor, or if `decl` is null.
inline llvm::StringRef identifier_of(const clang::NamedDecl* decl) {
  return decl && decl->getDeclName().isIdentifier() ? decl->getName() : llvm::StringRef();
}

/// The canonical type without references and qualifiers.
inline clang::QualType plain_type(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

using StandardClass = clang::ClassTemplateSpecializationDecl;

/// Whether the text that makes `record`, that of a template or of a specialisation, stands in a header of the
/// system. False for a class that has not been needed yet: nothing tells which text would make it.
inline bool is_made_by_system(const StandardClass& record) {
  const clang::Decl* text = &record;
  if (record.getSpecializationKind() != clang::TSK_ExplicitSpecialization) {
    if (!record.hasDefinition()) return false;
    const auto made_from = record.getSpecializedTemplateOrPartial();
    text = llvm::dyn_cast<clang::ClassTemplatePartialSpecializationDecl*>(made_from);
    if (!text) text = llvm::cast<clang::ClassTemplateDecl*>(made_from);
  }
  return record.getASTContext().getSourceManager().isInSystemHeader(text->getLocation());
}

/// The class of a type of the standard library that the library itself defines; null for any other type, and
/// for a specialisation of the user's.
inline const StandardClass* standard_class(clang::QualType type) {
  const auto* record = llvm::dyn_cast_or_null<StandardClass>(plain_type(type)->getAsCXXRecordDecl());
  return record && is_standard(*record) && is_made_by_system(*record) ? record : nullptr;
}

/// Argument number `at` of the template; null if it is no type.
inline clang::QualType argument(const StandardClass& record, unsigned at) {
  const clang::TemplateArgumentList& arguments = record.getTemplateArgs();
  if (at >= arguments.size() || arguments[at].getKind() != clang::TemplateArgument::Type) return {};
  return arguments[at].getAsType().getCanonicalType().getUnqualifiedType();
}

}  // namespace autoshard::tool
