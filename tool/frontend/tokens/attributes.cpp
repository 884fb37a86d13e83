#include "tool/frontend/tokens/attributes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/Version.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>

#include "tool/model/model.h"

namespace autoshard::tool {
namespace {

/// One entry in Clang's registry for all spellings, because they are all treated alike.
struct AutoShardAttribute : clang::ParsedAttrInfo {
  AutoShardAttribute() {
    static constexpr Spelling kSpellings[] = {
        {clang::ParsedAttr::AS_CXX11, "autoshard::entity"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::id"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::shardable"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::shard_method"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::shard_write"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::shard_fold"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::transient"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::also_load"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::mapped"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::embedded"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::shard_group"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::index"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::sharded_index"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::before_save"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::after_load"},
        {clang::ParsedAttr::AS_CXX11, "autoshard::expires"},
    };
    static_assert(std::size(kSpellings) == std::size(kAttributes));
    Spellings = kSpellings;
    OptArgs = 15;
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* decl,
                                   const clang::ParsedAttr& attribute) const override {
    decl->addAttr(clang::AnnotateAttr::Create(sema.Context, kScope, nullptr, 0, attribute));
    return AttributeApplied;
  }

#if CLANG_VERSION_MAJOR >= 22
  /// None of them belongs on a statement. That is said by the rule autoshard-misplaced, which finds them in
  /// the tokens.
  AttrHandling handleStmtAttribute(clang::Sema&, clang::Stmt*, const clang::ParsedAttr&,
                                   clang::Attr*&) const override {
    return AttributeNotApplied;
  }
#endif
};

const clang::ParsedAttrInfoRegistry::Add<AutoShardAttribute> kRegistration(kScope,
                                                                           "annotations of AutoShard");

}  // namespace

llvm::SmallVector<clang::SourceLocation, 2> attributes_of(const clang::Decl& decl) {
  llvm::SmallVector<clang::SourceLocation, 2> names;
  for (const auto* attribute : decl.specific_attrs<clang::AnnotateAttr>()) {
    if (attribute->getAnnotation() == kScope && !attribute->isInherited()) {
      names.push_back(attribute->getRange().getEnd());
    }
  }
  return names;
}

}  // namespace autoshard::tool
