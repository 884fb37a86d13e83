#include "tool/frontend/members/initial_values.h"

#include "tool/frontend/bodies/path_visitor.h"

namespace autoshard::tool {
namespace {

std::optional<InitialValue> value_of(const clang::Expr* value, const Context& context) {
  if (!value || value->isInstantiationDependent()) return std::nullopt;
  const auto* list = llvm::dyn_cast<clang::InitListExpr>(value);
  const clang::Expr* number = list && list->getNumInits() == 1 ? list->getInit(0) : value;
  clang::Expr::EvalResult result;
  if (!number->EvaluateAsInt(result, context.ast) || !result.Val.getInt().isRepresentableByInt64())
    return std::nullopt;
  return InitialValue{result.Val.getInt().getExtValue(), context.files.span(value->getSourceRange())};
}

/// Finds uses of a member in a body.
class MentionFinder : public BodyVisitor<MentionFinder> {
 public:
  explicit MentionFinder(const clang::FieldDecl& field) : field_(field) {}
  bool VisitMemberExpr(clang::MemberExpr* member) AUTOSHARD_OVERRIDE {
    found = found || member->getMemberDecl() == &field_;
    return !found;
  }

  bool found = false;

 private:
  const clang::FieldDecl& field_;
};

}  // namespace

std::vector<InitialValue> initial_values(const clang::FieldDecl& field, const clang::CXXRecordDecl& record,
                                         const Context& context) {
  std::vector<InitialValue> values;
  if (!field.getType()->isIntegralOrEnumerationType()) return values;
  if (auto value = value_of(field.getInClassInitializer(), context)) values.push_back(*value);
  for (const clang::CXXConstructorDecl* constructor : record.ctors()) {
    const clang::FunctionDecl* definition = nullptr;
    if (!constructor->hasBody(definition) || constructor->isImplicit()) continue;
    for (const auto* one : llvm::cast<clang::CXXConstructorDecl>(definition)->inits()) {
      if (one->getMember() != &field || !one->isWritten()) continue;
      if (auto value = value_of(one->getInit(), context)) values.push_back(*value);
    }
  }
  return values;
}

bool begins_with_any(const clang::FieldDecl& field, const clang::CXXRecordDecl& record,
                     const Context& context) {
  for (const clang::CXXConstructorDecl* constructor : record.ctors()) {
    if (constructor->isImplicit() || constructor->isDefaulted() || constructor->isDeleted()) continue;
    const clang::FunctionDecl* definition = nullptr;
    if (!constructor->hasBody(definition)) return true;
    MentionFinder finder(field);
    finder.TraverseStmt(definition->getBody());
    if (finder.found) return true;
    for (const auto* one : llvm::cast<clang::CXXConstructorDecl>(definition)->inits()) {
      if (one->getMember() != &field || !one->isWritten()) continue;
      if (!one->getInit()->isConstantInitializer(context.ast, false)) return true;
    }
  }
  return false;
}

}  // namespace autoshard::tool
