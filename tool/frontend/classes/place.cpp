#include "tool/frontend/classes/place.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace autoshard::tool {

/// Whether a file opens a namespace and then includes the file of `record` inside it. (A namespace that the
/// file of `record` opens around its own includes does not matter.)
static bool is_included_in_namespace(const clang::CXXRecordDecl& record) {
  const clang::SourceManager& sources = record.getASTContext().getSourceManager();
  const auto file_of = [&](clang::SourceLocation at) {
    return sources.getFileID(sources.getExpansionLoc(at));
  };
  const clang::FileID own = file_of(record.getLocation());
  const auto includes_own = [&](clang::FileID other) {
    for (clang::FileID at = own; at.isValid();) {
      const clang::SourceLocation included = sources.getIncludeLoc(at);
      at = included.isValid() ? file_of(included) : clang::FileID();
      if (at == other) return true;
    }
    return false;
  };
  for (const clang::DeclContext* at = record.getDeclContext(); at; at = at->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(at);
    if (space && file_of(space->getBeginLoc()) != own && includes_own(file_of(space->getBeginLoc())))
      return true;
  }
  return false;
}

Place place_of(const clang::CXXRecordDecl& record) {
  if (record.isDependentContext() || record.getDescribedClassTemplate() ||
      llvm::isa<clang::ClassTemplateSpecializationDecl>(record)) {
    return Place::kTemplate;
  }
  if (record.isLocalClass()) return Place::kFunction;
  if (record.getDeclContext()->isRecord()) return Place::kClass;
  if (record.isInAnonymousNamespace()) return Place::kUnnamedNamespace;
  return is_included_in_namespace(record) ? Place::kIncluded : Place::kNamespace;
}

}  // namespace autoshard::tool
