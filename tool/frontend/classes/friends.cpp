#include "tool/frontend/classes/friends.h"

#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/compiler/versions.h"
#include "tool/frontend/members/read_types.h"

namespace autoshard::tool {
namespace {

std::optional<Friend> make_friend(clang::SourceRange name, std::string qualified_name,
                                  std::string declaration, bool is_function, const Context& context) {
  if (name.getBegin().isMacroID()) return std::nullopt;
  return Friend{context.files.span(name), std::move(qualified_name), std::move(declaration), is_function};
}

std::optional<Friend> friend_class(clang::TypeLoc type, const Context& context) {
  const clang::CXXRecordDecl* record = class_befriended_by_name(type);
  if (!record || is_annotated(*record, context)) return std::nullopt;
  const clang::SourceLocation name = tag_spelling(type)->name;
  return make_friend({name, name}, "::" + qualified(declared_type(*record), context.ast),
                     std::string(record->getKindName()) + " " + record->getNameAsString() + ";", false,
                     context);
}

std::optional<Friend> friend_function(const clang::FunctionDecl& function, const Context& context) {
  if (function.isThisDeclarationADefinition() || function.getQualifier() ||
      function.getDescribedFunctionTemplate())
    return std::nullopt;
  std::string declaration = context.text(function.getSourceRange());
  if (llvm::StringRef(declaration).starts_with("friend ")) declaration.erase(0, 7);
  return make_friend(function.getNameInfo().getSourceRange(),
                     "(::" + function.getQualifiedNameAsString() + ")", declaration + ";", true, context);
}

/// `template <class T> friend struct Loader;`
std::optional<Friend> friend_template(const clang::ClassTemplateDecl& befriended, const Context& context) {
  const clang::CXXRecordDecl& record = *befriended.getTemplatedDecl();
  const clang::TemplateParameterList& parameters = *befriended.getTemplateParameters();
  if (record.getQualifier() || befriended.getLocation().isMacroID()) return std::nullopt;
  const std::string name = befriended.getNameAsString();
  return make_friend({befriended.getLocation(), befriended.getLocation()},
                     "::" + befriended.getQualifiedNameAsString(),
                     context.text({parameters.getTemplateLoc(), parameters.getRAngleLoc()}) + " " +
                         std::string(record.getKindName()) + " " + name + ";",
                     false, context);
}

/// The function that `decl` declares, maybe as a template; null if it declares no function.
const clang::FunctionDecl* function_of(const clang::Decl* decl) {
  if (const auto* of_template = llvm::dyn_cast_or_null<clang::FunctionTemplateDecl>(decl))
    return of_template->getTemplatedDecl();
  return llvm::dyn_cast_or_null<clang::FunctionDecl>(decl);
}

void add_writes(const clang::FunctionDecl& function, const std::string& what,
                const clang::CXXRecordDecl& record, const Context& context,
                std::vector<ForeignWrite>& writes) {
  for (MemberUse& use : read_body(function, record, context).uses) {
    if (use.write) writes.push_back({what + " '" + function.getNameAsString() + "'", std::move(use)});
  }
}

/// Adds the members to which the initialiser of `variable` takes a pointer or a reference. Other code may
/// write through it.
void add_writes(const clang::NamedDecl& variable, clang::Expr* initialiser, const std::string& what,
                const clang::CXXRecordDecl& record, const Context& context,
                std::vector<ForeignWrite>& writes) {
  if (!initialiser) return;
  for (MemberUse& use : read_initialiser(*initialiser, record, context).uses) {
    if (use.write) writes.push_back({what + " '" + variable.getNameAsString() + "'", std::move(use)});
  }
}

void add_writes_of_members(const clang::CXXRecordDecl& other, const std::string& what,
                           const clang::CXXRecordDecl& record, const Context& context,
                           std::vector<ForeignWrite>& writes) {
  for (clang::Decl* decl : other.decls()) {
    if (auto* variable = llvm::dyn_cast<clang::VarDecl>(decl))
      add_writes(*variable, const_cast<clang::Expr*>(variable->getAnyInitializer()), what, record, context,
                 writes);
    if (auto* field = llvm::dyn_cast<clang::FieldDecl>(decl); field && field->hasInClassInitializer())
      add_writes(*field, field->getInClassInitializer(), what, record, context, writes);
  }
}

void add_nested_writes(const clang::CXXRecordDecl& outer, const std::string& what,
                       const clang::CXXRecordDecl& record, const Context& context,
                       std::vector<ForeignWrite>& writes);

/// Adds the members that methods of `other` write, and methods of its nested classes.
void add_methods_writes(const clang::CXXRecordDecl& other, const std::string& what,
                        const clang::CXXRecordDecl& record, const Context& context,
                        std::vector<ForeignWrite>& writes) {
  for (const clang::Decl* decl : other.decls()) {
    const clang::FunctionDecl* function = function_of(decl);
    if (function && !function->isImplicit()) add_writes(*function, what, record, context, writes);
  }
  add_writes_of_members(other, what, record, context, writes);
  add_nested_writes(other, what, record, context, writes);
}

/// The class that `decl` declares, maybe as a template; null if it declares no class.
const clang::CXXRecordDecl* class_of(const clang::Decl* decl) {
  if (const auto* of_template = llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(decl))
    return of_template->getTemplatedDecl();
  return llvm::dyn_cast_or_null<clang::CXXRecordDecl>(decl);
}

void add_nested_writes(const clang::CXXRecordDecl& outer, const std::string& what,
                       const clang::CXXRecordDecl& record, const Context& context,
                       std::vector<ForeignWrite>& writes) {
  for (const clang::Decl* decl : outer.decls()) {
    const clang::CXXRecordDecl* nested = class_of(decl);
    if (nested && !nested->isImplicit()) add_methods_writes(*nested, what, record, context, writes);
  }
}

/// `record`, or the template that it is an instance of. An instance that was not used yet has no bodies.
const clang::CXXRecordDecl* written(const clang::CXXRecordDecl* record) {
  if (const clang::CXXRecordDecl* pattern = record->getTemplateInstantiationPattern()) return pattern;
  const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
  if (!special || special->isExplicitSpecialization()) return record;
  return special->getSpecializedTemplate()->getTemplatedDecl();
}

}  // namespace

const clang::CXXRecordDecl* class_befriended_by_name(clang::TypeLoc type) {
  const auto* record = type.getType()->getAsCXXRecordDecl();
  const auto tag = tag_spelling(type);
  if (!record || !tag || tag->keyword.isInvalid() || tag->is_qualified) return nullptr;
  return record;
}

std::vector<Friend> read_friends(const clang::CXXRecordDecl& record, const Context& context) {
  std::vector<Friend> friends;
  for (const clang::FriendDecl* decl : record.friends()) {
    std::optional<Friend> found;
    if (const clang::TypeSourceInfo* type = decl->getFriendType()) {
      found = friend_class(type->getTypeLoc(), context);
    } else if (const clang::FunctionDecl* function = function_of(decl->getFriendDecl())) {
      found = friend_function(*function, context);
    } else if (const auto* of_template =
                   llvm::dyn_cast_or_null<clang::ClassTemplateDecl>(decl->getFriendDecl())) {
      found = friend_template(*of_template, context);
    }
    if (found) friends.push_back(std::move(*found));
  }
  // Clang lists the friends in reverse order.
  std::ranges::sort(friends, {}, [](const Friend& one) { return one.name.begin; });
  return friends;
}

std::vector<ForeignWrite> read_foreign_writes(const clang::CXXRecordDecl& record, const Context& context) {
  std::vector<ForeignWrite> writes;
  add_writes_of_members(record, "the initialiser of", record, context, writes);
  add_nested_writes(record, "nested class's", record, context, writes);
  for (const clang::FriendDecl* decl : record.friends()) {
    if (const clang::FunctionDecl* function = function_of(decl->getFriendDecl())) {
      add_writes(*function, "friend", record, context, writes);
      continue;
    }
    const clang::TypeSourceInfo* type = decl->getFriendType();
    const clang::CXXRecordDecl* other =
        type ? type->getType()->getAsCXXRecordDecl() : class_of(decl->getFriendDecl());
    if (other) other = written(other);
    if (!other || !other->hasDefinition()) continue;
    add_methods_writes(*other->getDefinition(), "friend class's", record, context, writes);
  }
  return writes;
}

}  // namespace autoshard::tool
