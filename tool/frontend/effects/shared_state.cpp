#include "tool/frontend/effects/shared_state.h"

#include <fmt/format.h>

#include "tool/frontend/bodies/acting.h"
#include "tool/frontend/bodies/body.h"
#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

const clang::CXXRecordDecl* definition_of(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record ? record->getDefinition() : nullptr;
}

/// Whether a method may change its object after its construction.
bool may_change_its_object(const clang::CXXMethodDecl& method) {
  if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method)) return false;
  return !method.isConst() && !method.isStatic() && !method.isImplicit() && !method.isDefaulted() &&
         !method.isDeleted() && method.getAccess() != clang::AS_private;
}

bool is_smart_pointer(const clang::ClassTemplateSpecializationDecl& record) {
  if (!record.isInStdNamespace()) return false;
  const llvm::StringRef name = record.getName();
  return name == "unique_ptr" || name == "shared_ptr" || name == "reference_wrapper";
}

/// The type that a pointer, a reference or a smart pointer leads to; null for other types.
clang::QualType target_of(clang::QualType type) {
  if (type->isReferenceType() || type->isPointerType()) return type->getPointeeType();
  const auto* record =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!record || !is_smart_pointer(*record) || record->getTemplateArgs().size() == 0) return {};
  const clang::TemplateArgument& first = record->getTemplateArgs()[0];
  return first.getKind() == clang::TemplateArgument::Type ? first.getAsType() : clang::QualType();
}

/// Whether `parent` only selects a part of `child`, or dereferences it.
bool leads_on(const clang::Stmt& parent, const clang::Stmt& child) {
  if (llvm::isa<clang::ParenExpr, clang::CastExpr, clang::ExprWithCleanups, clang::MaterializeTemporaryExpr>(
          parent))
    return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&parent)) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
    return !method ||
           (method->isConst() && method->getDeclName().isIdentifier() && method->getName() == "get");
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&parent))
    return unary->getOpcode() == clang::UO_Deref || unary->getOpcode() == clang::UO_AddrOf;
  if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&parent))
    return element->getBase() == &child;
  if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&parent))
    return call->getCallee() == &child;
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&parent)) {
    const bool is_access = call->getOperator() == clang::OO_Star || call->getOperator() == clang::OO_Arrow;
    return is_access && call->getArg(0) == &child;
  }
  return false;
}

/// The variable that `expression` is a part of, or is reached from; null if there is none.
const clang::VarDecl* root_variable(const clang::Expr& expression) {
  const clang::Expr* at = &expression;
  while (true) {
    at = at->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(at)) {
      at = member->getBase();
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(at)) {
      at = unary->getSubExpr();
    } else if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(at)) {
      at = element->getBase();
    } else {
      const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(at);
      return reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    }
  }
}

/// Whether the variable is local and holds its own value, not a reference or a pointer.
bool is_own(const clang::VarDecl& variable) {
  const clang::QualType type = variable.getType();
  return variable.isLocalVarDecl() && !variable.isStaticLocal() && !type->isReferenceType() &&
         !type->isPointerType() && !type.isConstQualified();
}

/// Whether the type is a class without data. Its objects cannot change.
bool is_stateless(clang::QualType type) {
  const clang::CXXRecordDecl* record = definition_of(type);
  return record && record->isEmpty();
}

/// Whether a variable whose own value is fixed leads to an object that can change. `T* const`, `T&` and
/// `const std::unique_ptr<T>` do, unless `T` is const, a function or immutable.
bool leads_to_something_changeable(const clang::VarDecl& variable) {
  const clang::QualType target = target_of(variable.getType());
  return !target.isNull() && !target.isConstQualified() && !target->isFunctionType() && !is_immutable(target);
}

/// Whether the target of the pointer at the end of `path` gets changed.
bool changes_target(llvm::ArrayRef<clang::Stmt*> path) {
  for (std::size_t at = path.size() - 1; at > 0; --at) {
    const clang::Stmt* parent = path[at - 1];
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(parent)) {
      const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
      if (method) return !method->isConst() && !method->isStatic();
      return is_written(path.take_front(at));
    }
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(parent);
        unary && unary->getOpcode() == clang::UO_Deref)
      return is_written(path.take_front(at));
    if (llvm::isa<clang::ArraySubscriptExpr>(parent)) return is_written(path.take_front(at));
    if (!llvm::isa<clang::CastExpr, clang::ParenExpr, clang::CXXOperatorCallExpr>(parent)) return false;
  }
  return false;
}

/// Whether the expression at the end of `path` is returned.
bool is_returned(llvm::ArrayRef<clang::Stmt*> path) {
  for (std::size_t at = path.size() - 1; at > 0; --at) {
    if (llvm::isa<clang::ReturnStmt>(path[at - 1])) return true;
    if (!leads_on(*path[at - 1], *path[at])) return false;
  }
  return false;
}

/// The use of a static variable of a function. It is a constant if the function neither changes it nor lets
/// other code change it.
SharedUse use_of_static(const std::string& name, llvm::ArrayRef<clang::Stmt*> path,
                        const clang::FunctionDecl* function) {
  if (is_handed_out(path, function)) {
    const bool is_as_constant = function->getReturnType()->getPointeeType().isConstQualified();
    return {.is_handed_out = !is_as_constant};
  }
  if (is_written(path)) return {.effect = "changes the variable " + name};
  return {};
}

}  // namespace

bool is_immutable(clang::QualType type) {
  const clang::CXXRecordDecl* record = definition_of(type);
  if (!record || is_standard(*record)) return false;
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isMutable()) return false;
    const bool is_open = field->getAccess() == clang::AS_public;
    if (is_open && !field->getType().isConstQualified()) return false;
  }
  for (const clang::Decl* decl : record->decls()) {
    if (const auto* of_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      decl = of_template->getTemplatedDecl();
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(decl);
    if (method && may_change_its_object(*method)) return false;
  }
  return llvm::all_of(record->bases(),
                      [](const clang::CXXBaseSpecifier& base) { return is_immutable(base.getType()); });
}

std::string use_in_words(const std::string& what, llvm::ArrayRef<clang::Stmt*> path) {
  if (is_written(path) || changes_target(path)) return "changes " + what;
  return "reads " + what + ", which can change";
}

bool is_handed_out(llvm::ArrayRef<clang::Stmt*> path, const clang::FunctionDecl* function) {
  return function && !function->getReturnType()->getPointeeType().isNull() && is_returned(path);
}

SharedUse use_of_shared(const clang::VarDecl& variable, llvm::ArrayRef<clang::Stmt*> path,
                        const clang::FunctionDecl* function, bool is_strict) {
  const std::string name = fmt::format("'{}'", variable.getNameAsString());
  const clang::QualType type = variable.getType();
  const bool is_fixed = variable.isConstexpr() || type->isReferenceType() ||
                        type.isConstant(variable.getASTContext()) || is_stateless(type);
  if (is_fixed && is_library_declaration(variable)) return {};
  if (is_fixed && !leads_to_something_changeable(variable)) return {.is_constant = true};
  if (!is_fixed && is_strict) return {.effect = "uses the variable " + name};
  if (!is_fixed && variable.isStaticLocal()) return use_of_static(name, path, function);
  if (is_handed_out(path, function)) return {.is_handed_out = true};
  if (!is_fixed && is_written(path)) return {.effect = "changes the variable " + name};
  if (!is_fixed && !changes_target(path))
    return {.effect = "reads the variable " + name + ", which can change"};
  const char* const leads = type->isReferenceType() ? " refers to" : " points to";
  return {.effect = use_in_words("what " + name + leads, path)};
}

bool changes_through(const clang::FieldDecl& field, llvm::ArrayRef<clang::Stmt*> path) {
  const clang::QualType type = field.getType();
  if (field.isMutable() || type->isReferenceType()) return is_written(path);
  return !target_of(type).isNull() && changes_target(path);
}

bool may_hold(const clang::VarDecl& variable, const clang::FieldDecl& field) {
  const clang::QualType type = variable.getType();
  const clang::QualType held = type->getPointeeType().isNull() ? type : type->getPointeeType();
  return held->isRecordType() && (!field.isMutable() || !type->getPointeeType().isNull());
}

std::string part_in_words(const clang::FieldDecl& field) {
  const std::string name = fmt::format("'{}'", field.getNameAsString());
  if (field.isMutable()) return "the mutable " + name;
  return "what " + name + (field.getType()->isReferenceType() ? " refers to" : " points to");
}

bool changes_a_constant(const clang::CXXConstCastExpr& cast, llvm::ArrayRef<clang::Stmt*> path) {
  const clang::VarDecl* variable = root_variable(*cast.getSubExpr());
  if (variable && is_own(*variable)) return false;
  std::size_t at = path.size() - 1;
  while (at > 0 && leads_on(*path[at - 1], *path[at])) --at;
  if (at == 0) return false;
  const clang::Stmt& user = *path[at - 1];
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&user))
    return binary->isAssignmentOp() && binary->getLHS() == path[at];
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&user)) return unary->isIncrementDecrementOp();
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&user)) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    return method && !method->isConst() && call->getArg(0) == path[at];
  }
  const auto* member = llvm::dyn_cast<clang::MemberExpr>(&user);
  const auto* method = member ? llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl()) : nullptr;
  return method && !method->isConst() && !method->isStatic();
}

}  // namespace autoshard::tool
