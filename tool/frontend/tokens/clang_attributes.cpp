#include "tool/frontend/tokens/clang_attributes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>

#include <string>
#include <vector>

#include "tool/frontend/compiler/versions.h"
#include "tool/model/attributes.h"

namespace autoshard::tool {
namespace {

/// All attributes with their scope, in the form of Clang. The pointers stay valid.
const std::vector<clang::ParsedAttrInfo::Spelling>& spellings() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const AttributeSpec& one : attributes())
      names.push_back(kScope.str() + "::" + std::string(one.name));
    return names;
  }();
  static const std::vector<clang::ParsedAttrInfo::Spelling> kSpellings = [] {
    std::vector<clang::ParsedAttrInfo::Spelling> all;
    for (const std::string& name : kNames) all.push_back({clang::ParsedAttr::AS_CXX11, name.c_str()});
    return all;
  }();
  return kSpellings;
}

/// One entry in Clang's registry for all spellings, because Clang treats all of them alike.
struct AutoShardAttribute : AttributeOfDeclarations {
  AutoShardAttribute() {
    Spellings = spellings();
    OptArgs = 15;
  }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* decl,
                                   const clang::ParsedAttr& attribute) const override {
    decl->addAttr(clang::AnnotateAttr::Create(sema.Context, kScope, nullptr, 0, attribute));
    return AttributeApplied;
  }
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
