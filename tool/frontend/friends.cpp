#include "tool/frontend/friends.h"

#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "tool/frontend/body.h"
#include "tool/frontend/types.h"
#include "tool/frontend/versions.h"

namespace autoshard::tool {
namespace {

std::optional<Friend> make_friend(clang::SourceRange name, std::string qualified_name,
                                  std::string declaration, bool is_function, const Context& context) {
  if (name.getBegin().isMacroID()) return std::nullopt;
  return Friend{context.files.span(name), std::move(qualified_name), std::move(declaration), is_function};
}

/// `friend class Admin;`, but not `friend Admin;`, which finds what there is.
std::optional<Friend> friend_class(clang::TypeLoc type, const Context& context) {
  const auto* record = type.getType()->getAsCXXRecordDecl();
  const auto tag = type.getAs<clang::TagTypeLoc>();
  if (!record || !tag || tag.getElaboratedKeywordLoc().isInvalid() ||
      has_attribute(*record, "entity", context))
    return std::nullopt;
  if (type.getType()->getAs<clang::TagType>()->getQualifier()) return std::nullopt;
  return make_friend(
      {tag.getNameLoc(), tag.getNameLoc()}, "::" + qualified(declared_type(*record), context.ast),
      std::string(record->getKindName()) + " " + record->getNameAsString() + ";", false, context);
}

std::optional<Friend> friend_function(const clang::FunctionDecl& function, const Context& context) {
  if (function.doesThisDeclarationHaveABody() || function.isDefaulted() || function.getQualifier() ||
      function.getDescribedFunctionTemplate())
    return std::nullopt;
  std::string declaration = context.text(function.getSourceRange());
  if (llvm::StringRef(declaration).starts_with("friend ")) declaration.erase(0, 7);
  return make_friend(function.getNameInfo().getSourceRange(),
                     "(::" + function.getQualifiedNameAsString() + ")", declaration + ";", true, context);
}

const clang::FunctionDecl* function_of(const clang::FriendDecl& decl) {
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(decl.getFriendDecl());
}

void add_writes(const clang::FunctionDecl& function, const std::string& what,
                const clang::CXXRecordDecl& record, const Context& context,
                std::vector<ForeignWrite>& writes) {
  for (MemberUse& use : read_body(function, record, context).uses) {
    if (use.write) writes.push_back({what + " '" + function.getNameAsString() + "'", std::move(use)});
  }
}

}  // namespace

std::vector<Friend> read_friends(const clang::CXXRecordDecl& record, const Context& context) {
  std::vector<Friend> friends;
  for (const clang::FriendDecl* decl : record.friends()) {
    std::optional<Friend> found;
    if (const clang::TypeSourceInfo* type = decl->getFriendType()) {
      found = friend_class(type->getTypeLoc(), context);
    } else if (const clang::FunctionDecl* function = function_of(*decl)) {
      found = friend_function(*function, context);
    }
    if (found) friends.push_back(std::move(*found));
  }
  // Clang gives the last one first.
  std::ranges::sort(friends, {}, [](const Friend& one) { return one.name.begin; });
  return friends;
}

std::vector<ForeignWrite> read_foreign_writes(const clang::CXXRecordDecl& record, const Context& context) {
  std::vector<ForeignWrite> writes;
  for (const clang::Decl* decl : record.decls()) {
    const auto* nested = llvm::dyn_cast<clang::CXXRecordDecl>(decl);
    if (!nested || nested->isImplicit()) continue;
    for (const clang::CXXMethodDecl* method : nested->methods())
      add_writes(*method, "nested class's", record, context, writes);
  }
  for (const clang::FriendDecl* decl : record.friends()) {
    const clang::FunctionDecl* function = function_of(*decl);
    if (function && function->doesThisDeclarationHaveABody())
      add_writes(*function, "friend", record, context, writes);
  }
  return writes;
}

}  // namespace autoshard::tool
