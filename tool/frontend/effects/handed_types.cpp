#include "tool/frontend/effects/handed_types.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclFriend.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

#include "tool/frontend/bodies/acting.h"

namespace autoshard::tool {
namespace {

/// The class of `type`, or of the elements of an array; null if it is no class, or is not defined.
const clang::CXXRecordDecl* record_of(clang::QualType type) {
  const clang::Type* element = type.getNonReferenceType()->getBaseElementTypeUnsafe();
  const clang::CXXRecordDecl* record = element->getAsCXXRecordDecl();
  return record ? record->getDefinition() : nullptr;
}

void append_types(llvm::ArrayRef<clang::TemplateArgument> arguments, std::vector<clang::QualType>& types) {
  for (const clang::TemplateArgument& argument : arguments) {
    if (argument.getKind() == clang::TemplateArgument::Type) types.push_back(argument.getAsType());
    if (argument.getKind() == clang::TemplateArgument::Pack) append_types(argument.pack_elements(), types);
  }
}

void append_types(const clang::CXXRecordDecl& record, std::vector<clang::QualType>& types) {
  const auto* instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (instance) append_types(instance->getTemplateArgs().asArray(), types);
}

bool is_operation(const clang::CXXMethodDecl& method) {
  return !method.isImplicit() &&
         (method.isOverloadedOperator() ||
          llvm::isa<clang::CXXConversionDecl, clang::CXXConstructorDecl, clang::CXXDestructorDecl>(method));
}

bool takes(const clang::FunctionDecl& function, const clang::CXXRecordDecl& record) {
  return llvm::any_of(function.parameters(), [&](const clang::ParmVarDecl* parameter) {
    return record_of(parameter->getType()) == &record;
  });
}

/// Adds the operators outside the class that containers and algorithms use.
void append_free_operators(const clang::CXXRecordDecl& record,
                           std::vector<const clang::FunctionDecl*>& functions) {
  clang::ASTContext& ast = record.getASTContext();
  const clang::DeclContext* scope = record.getDeclContext()->getEnclosingNamespaceContext();
  for (const clang::OverloadedOperatorKind kind :
       {clang::OO_Less, clang::OO_Greater, clang::OO_EqualEqual, clang::OO_Spaceship, clang::OO_Plus,
        clang::OO_Minus, clang::OO_Star}) {
    for (const clang::NamedDecl* decl : scope->lookup(ast.DeclarationNames.getCXXOperatorName(kind))) {
      const auto* function = llvm::dyn_cast<clang::FunctionDecl>(decl);
      if (function && takes(*function, record)) functions.push_back(function);
    }
  }
  for (const clang::FriendDecl* one : record.friends()) {
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(one->getFriendDecl());
    if (function && function->isOverloadedOperator()) functions.push_back(function);
  }
}

bool is_initialised(const clang::FieldDecl& field) {
  return field.hasInClassInitializer() && field.getInClassInitializer();
}

void append_operations(clang::QualType type, Records& seen, Operations& found) {
  const clang::CXXRecordDecl* record = record_of(type);
  if (!record || record->isLambda() || !seen.insert(record)) return;
  std::vector<clang::QualType> types;
  append_types(*record, types);
  for (const clang::QualType held : types) append_operations(held, seen, found);
  if (is_library_declaration(*record)) return;
  for (const clang::CXXMethodDecl* method : record->methods()) {
    if (is_operation(*method)) found.functions.push_back(method);
  }
  for (const clang::FieldDecl* field : record->fields()) {
    if (is_initialised(*field)) found.initialised.push_back(field);
  }
  append_free_operators(*record, found.functions);
}

/// Whether `method` is a constructor with initialisers, written or made by the compiler.
bool has_list(const clang::CXXMethodDecl& method) {
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&method);
  return constructor && constructor->getNumCtorInitializers() > 0;
}

/// The special method of the class `type` that is of the same kind as `method`; null if there is none.
const clang::CXXMethodDecl* counterpart_of(const clang::CXXMethodDecl& method, clang::QualType type) {
  const clang::CXXRecordDecl* record = record_of(type);
  if (!record || type->isReferenceType()) return nullptr;
  if (llvm::isa<clang::CXXDestructorDecl>(method)) return record->getDestructor();
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&method);
  const auto is_same = [&](const clang::CXXMethodDecl* other) {
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructorDecl>(other)) {
      return constructor && made->isDefaultConstructor() == constructor->isDefaultConstructor() &&
             made->isCopyConstructor() == constructor->isCopyConstructor() &&
             made->isMoveConstructor() == constructor->isMoveConstructor();
    }
    return !constructor && method.isOverloadedOperator() &&
           other->getOverloadedOperator() == method.getOverloadedOperator() &&
           other->isCopyAssignmentOperator() == method.isCopyAssignmentOperator();
  };
  const auto found = llvm::find_if(record->methods(), is_same);
  return found == record->method_end() ? nullptr : *found;
}

}  // namespace

Operations operations_of(clang::QualType type, Records& seen) {
  Operations found;
  if (!type.isNull() && !type->isDependentType()) append_operations(type, seen, found);
  return found;
}

void add_named_members(const clang::Stmt& statement, Names& names) {
  if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(&statement))
    names.insert(member->getMember());
  for (const clang::Stmt* child : statement.children()) {
    if (child) add_named_members(*child, names);
  }
}

std::vector<clang::QualType> template_types_of(const clang::FunctionDecl& function) {
  std::vector<clang::QualType> types;
  if (const clang::TemplateArgumentList* arguments = function.getTemplateSpecializationArgs())
    append_types(arguments->asArray(), types);
  if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function))
    append_types(*method->getParent(), types);
  return types;
}

std::vector<const clang::FieldDecl*> initialised_by(const clang::CXXMethodDecl& method) {
  std::vector<const clang::FieldDecl*> fields;
  const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&method);
  const clang::CXXRecordDecl* record = method.getParent()->getDefinition();
  if (!record || !constructor || !constructor->isDefaultConstructor() || has_list(method)) return fields;
  for (const clang::FieldDecl* field : record->fields()) {
    if (is_initialised(*field)) fields.push_back(field);
  }
  return fields;
}

std::vector<const clang::CXXMethodDecl*> counterparts_of(const clang::CXXMethodDecl& method) {
  std::vector<const clang::CXXMethodDecl*> methods;
  const clang::CXXRecordDecl* record = method.getParent()->getDefinition();
  if (!record || has_list(method)) return methods;
  const auto add = [&](clang::QualType type) {
    if (const clang::CXXMethodDecl* same = counterpart_of(method, type)) methods.push_back(same);
  };
  const std::vector<const clang::FieldDecl*> left_out = initialised_by(method);
  for (const clang::FieldDecl* field : record->fields()) {
    if (!llvm::is_contained(left_out, field)) add(field->getType());
  }
  for (const clang::CXXBaseSpecifier& base : record->bases()) add(base.getType());
  return methods;
}

}  // namespace autoshard::tool
