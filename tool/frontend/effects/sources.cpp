#include "tool/frontend/effects/sources.h"

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/bodies/calls.h"
#include "tool/frontend/bodies/standard.h"
#include "tool/frontend/effects/roots.h"

namespace autoshard::tool {
namespace {

/// Whether the result depends only on the type of the object, as the size of an array does.
bool is_size_of_type(const clang::CXXMemberCallExpr& call) {
  const clang::CXXMethodDecl* method = call.getMethodDecl();
  if (!method || !is_standard(*method)) return false;
  const llvm::StringRef container = identifier_of(method->getParent());
  return identifier_of(method) == "size" && (container == "array" || container == "bitset");
}

}  // namespace

Source Sources::of(const clang::Stmt* statement) const {
  if (!statement || is_unevaluated(*statement)) return nullptr;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(statement); member && is_sharded(*member))
    return member;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement))
    return values_.lookup(whole(*reference->getDecl()));
  if (llvm::isa<clang::CXXThisExpr>(statement)) return object_;
  // The value of an assignment is the assigned value.
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
      binary && (binary->getOpcode() == clang::BO_Comma || binary->getOpcode() == clang::BO_Assign))
    return of(binary->getRHS());
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(statement);
      call && call->getOperator() == clang::OO_Equal)
    return of(call->getArg(1));
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
    if (const Source in_body = of(lambda->getBody())) return in_body;
  }
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(statement); call && is_size_of_type(*call))
    return nullptr;
  for (const clang::Stmt* child : statement->children()) {
    if (const Source source = of(child)) return source;
  }
  return nullptr;
}

Source Sources::of_size(const clang::Expr& container) const {
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(container.IgnoreParenImpCasts());
  return reference ? sizes_.lookup(whole(*reference->getDecl())) : of(&container);
}

bool Sources::note(const clang::ValueDecl& variable, ChangeSources change) {
  const bool has_new_value = change.value && values_.try_emplace(&variable, change.value).second;
  const bool has_new_size = change.size && sizes_.try_emplace(&variable, change.size).second;
  return has_new_value || has_new_size;
}

/// Whether `member` is a sharded member of this object. Members of other objects hold loaded values.
bool Sources::is_sharded(const clang::MemberExpr& member) const {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
  const auto* parent = field ? llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent()) : nullptr;
  return parent && parent->getCanonicalDecl() == entity_ &&
         llvm::isa<clang::CXXThisExpr>(root_of(*member.getBase())) &&
         (has_attribute(*field, "shardable", context_) || has_attribute(*field, "shard_group", context_));
}

const clang::ValueDecl* whole(const clang::ValueDecl& variable) {
  const auto* binding = llvm::dyn_cast<clang::BindingDecl>(&variable);
  return binding ? binding->getDecomposedDecl() : &variable;
}

}  // namespace autoshard::tool
