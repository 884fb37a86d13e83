#include "tool/frontend/keys/mixed_keys.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <vector>

#include "tool/frontend/bodies/acting.h"
#include "tool/frontend/bodies/callees.h"
#include "tool/frontend/bodies/calls.h"
#include "tool/frontend/bodies/path_visitor.h"
#include "tool/frontend/bodies/standard.h"
#include "tool/frontend/keys/closed_types.h"
#include "tool/frontend/keys/element_loops.h"
#include "tool/frontend/keys/key_expressions.h"
#include "tool/frontend/keys/key_order.h"

namespace autoshard::tool {
namespace {

using SeenFunctions = llvm::SmallPtrSet<const clang::FunctionDecl*, 8>;

/// Counts how often each variable is named.
class NameCounter : public BodyVisitor<NameCounter> {
 public:
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) AUTOSHARD_OVERRIDE {
    ++names_[name->getDecl()];
    return true;
  }
  unsigned count(const clang::ValueDecl* variable) const { return names_.lookup(variable); }

 private:
  llvm::DenseMap<const clang::ValueDecl*, unsigned> names_;
};

/// Understands a part of C++ in which values are closed, and nothing runs that is not written down. Whatever
/// else is used is refused.
class KeyChecker {
 public:
  KeyChecker(const clang::FunctionDecl& function, const Context& context, SeenFunctions& seen)
      : function_(function), context_(context), seen_(seen), loops_(context.files.sources()) {
    names_.TraverseStmt(function.getBody());
  }

  std::optional<Escape> run() && {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function_);
    const bool has_captures =
        method && method->getParent()->isLambda() && !method->getParent()->captures().empty();
    if (has_captures || (method && method->isVirtual()) || function_.isVariadic())
      refuse("is a function that the prover does not follow key by key", *function_.getBody());
    for (const clang::ParmVarDecl* parameter : function_.parameters()) {
      if (!is_closed(parameter->getType())) refuse_type(parameter->getType(), *function_.getBody());
    }
    statement(function_.getBody());
    return std::move(found_);
  }

 private:
  void refuse(std::string what, const clang::Stmt& at) {
    if (!found_) found_ = Escape{std::move(what), context_.files.span(at.getSourceRange())};
  }
  void refuse_type(clang::QualType type, const clang::Stmt& at) {
    refuse("uses '" + type.getAsString(context_.ast.getPrintingPolicy()) +
               "', which the prover does not follow key by key",
           at);
  }

  // Statements.

  void statement(const clang::Stmt* at) {
    if (!at || found_) return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(at)) return this->expression(*expression);
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(at)) {
      for (const clang::Stmt* one : block->body()) statement(one);
    } else if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(at)) {
      for (const clang::Decl* one : declared->decls()) declaration(*one, *at);
    } else if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(at)) {
      for (const clang::Stmt* part :
           {choice->getInit(), static_cast<const clang::Stmt*>(choice->getConditionVariableDeclStmt()),
            static_cast<const clang::Stmt*>(choice->getCond()), choice->getThen(), choice->getElse()})
        statement(part);
    } else if (const auto* result = llvm::dyn_cast<clang::ReturnStmt>(at)) {
      if (!loops_.empty()) return refuse("leaves a loop over elements", *at);
      statement(result->getRetValue());
    } else if (llvm::isa<clang::BreakStmt, clang::GotoStmt>(at)) {
      refuse("leaves a loop over elements", *at);
    } else if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(at)) {
      range_loop(*loop);
    } else if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(at)) {
      iterator_loop(*counted);
    } else if (!llvm::isa<clang::NullStmt, clang::ContinueStmt>(at)) {
      refuse("has a statement that the prover does not follow key by key", *at);
    }
  }

  void declaration(const clang::Decl& declared, const clang::Stmt& at) {
    if (llvm::isa<clang::TypedefNameDecl, clang::UsingDecl, clang::StaticAssertDecl, clang::BindingDecl>(
            declared))
      return;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declared);
    if (!variable || !variable->hasLocalStorage() || variable->getType().isVolatileQualified())
      return refuse("declares what the prover does not follow key by key", at);
    const clang::Expr* const init = variable->getInit();
    if (is_iterator(variable->getType())) {
      if (!init || variable->getType()->isReferenceType() || !choosing_call(*init))
        return refuse("uses the elements of a set or map together", at);
      return expression(*init);
    }
    if (llvm::isa<clang::DecompositionDecl>(variable) && init && is_insertion(variable->getType())) {
      if (!choosing_call(*init)) return refuse_type(variable->getType(), at);
      return expression(*init);
    }
    if (!is_closed(variable->getType())) return refuse_type(variable->getType(), at);
    statement(init);
    const clang::QualType type = variable->getType();
    if (init && type->isReferenceType() && !type.getNonReferenceType().isConstQualified() &&
        !init->isPRValue())
      check_write(*init);
  }

  void range_loop(const clang::CXXForRangeStmt& loop) {
    const clang::VarDecl& variable = *loop.getLoopVariable();
    const clang::CXXRecordDecl* const container = keyed_class(loop.getRangeInit()->getType());
    if (!container) return refuse("has a loop that the prover does not follow key by key", loop);
    statement(loop.getInit());
    expression(*loop.getRangeInit());
    const clang::QualType type = variable.getType();
    if (type->isReferenceType() && !type.getNonReferenceType().isConstQualified())
      check_write(*loop.getRangeInit());
    element_loop({container, &variable, false, loop.getBody()});
  }

  void iterator_loop(const clang::ForStmt& loop) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop.getInit());
    const auto* variable = declared && declared->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                               : nullptr;
    const clang::Expr* const begin =
        variable && variable->getInit() ? container_of(*variable->getInit(), "begin", "cbegin") : nullptr;
    const clang::CXXRecordDecl* const container = begin ? keyed_class(begin->getType()) : nullptr;
    if (!container || variable->getType()->isReferenceType() || !is_step(loop.getInc(), *variable) ||
        !is_until_end(loop.getCond(), *variable, *begin))
      return refuse("has a loop that the prover does not follow key by key", loop);
    expression(*begin);
    if (!begin->getType().isConstQualified()) check_write(*begin);
    element_loop({container, variable, true, loop.getBody()});
  }

  void element_loop(const ElementLoop& loop) {
    loops_.enter(loop);
    statement(loop.body);
    loops_.leave();
  }

  // Expressions.

  void expression(const clang::Expr& expression) {
    if (found_) return;
    const clang::Expr& at = unwrapped(expression);
    if (llvm::isa<clang::IntegerLiteral, clang::FloatingLiteral, clang::CharacterLiteral,
                  clang::CXXBoolLiteralExpr, clang::CXXScalarValueInitExpr, clang::CXXThisExpr>(at))
      return;
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&at)) return look_at_name(*name);
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&at)) return look_at_member(*member);
    if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&at)) return look_at_cast(*cast);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&at)) return look_at_unary(*unary);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&at)) return look_at_binary(*binary);
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&at)) {
      for (const clang::Expr* part : {choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr()})
        this->expression(*part);
      return;
    }
    if (const auto* given = llvm::dyn_cast<clang::CXXDefaultArgExpr>(&at))
      return this->expression(*given->getExpr());
    if (const auto* given = llvm::dyn_cast<clang::CXXDefaultInitExpr>(&at))
      return this->expression(*given->getExpr());
    if (const auto* list = llvm::dyn_cast<clang::CXXStdInitializerListExpr>(&at))
      return this->expression(*list->getSubExpr());
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&at)) return look_at_list(*list);
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&at)) return look_at_construction(*made);
    if (const std::optional<ComparedOperands> compared = comparison_of(at))
      return look_at_comparison(*compared, at);
    if (llvm::isa<clang::CallExpr>(&at)) {
      if (const std::optional<Call> call = call_of(at); call && call->callee) return look_at_call(*call, at);
    }
    refuse("has an expression that the prover does not follow key by key", at);
  }

  void look_at_name(const clang::DeclRefExpr& name) {
    const clang::ValueDecl* const declared = name.getDecl();
    if (llvm::isa<clang::EnumConstantDecl, clang::ParmVarDecl, clang::BindingDecl,
                  clang::NonTypeTemplateParmDecl>(declared))
      return;
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(declared);
    if (variable &&
        (variable->hasLocalStorage() || (variable->isConstexpr() && is_number(variable->getType()))))
      return;
    refuse("names '" + declared->getNameAsString() + "', which the prover does not follow key by key", name);
  }

  void look_at_member(const clang::MemberExpr& member) {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
    if (!field) return refuse("names what the prover does not follow key by key", member);
    if (!is_closed(field->getType()) && !is_iterator(field->getType()))
      return refuse_type(field->getType(), member);
    object(*member.getBase());
  }

  /// What a member or a method belongs to: a value, or what an iterator leads to.
  void object(const clang::Expr& base) {
    const clang::Expr& at = unwrapped(base);
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&at);
    const bool leads = call && call->getNumArgs() == 1 &&
                       (call->getOperator() == clang::OO_Arrow || call->getOperator() == clang::OO_Star);
    if (!leads) return expression(at);
    const clang::Expr& pointer = unwrapped(*call->getArg(0));
    if (is_iterator(pointer.getType())) {
      if (is_element_of_insertion(pointer))
        return expression(*llvm::cast<clang::MemberExpr>(pointer).getBase());
      if (!named(pointer)) refuse("uses the elements of a set or map together", at);
      return;
    }
    if (!is_optional(pointer.getType()))
      return refuse("has an expression that the prover does not follow key by key", at);
    expression(pointer);
  }

  /// Whether the expression is `x.first` of what `insert` and others return.
  static bool is_element_of_insertion(const clang::Expr& expression) {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(&expression);
    return member && is_insertion(member->getBase()->getType()) && choosing_call(*member->getBase());
  }

  void look_at_cast(const clang::CastExpr& cast) {
    switch (cast.getCastKind()) {
      case clang::CK_NoOp:
      case clang::CK_LValueToRValue:
      case clang::CK_IntegralCast:
      case clang::CK_IntegralToBoolean:
      case clang::CK_IntegralToFloating:
      case clang::CK_FloatingToIntegral:
      case clang::CK_FloatingToBoolean:
      case clang::CK_FloatingCast:
      case clang::CK_ConstructorConversion:
      case clang::CK_ToVoid:
        return expression(*cast.getSubExpr());
      case clang::CK_UserDefinedConversion:  // the call of `optional::operator bool`
        return expression(*cast.getSubExpr());
      default:
        return refuse("has a conversion that the prover does not follow key by key", cast);
    }
  }

  void look_at_unary(const clang::UnaryOperator& unary) {
    if (unary.getOpcode() == clang::UO_AddrOf || unary.getOpcode() == clang::UO_Deref ||
        !(is_number(unary.getSubExpr()->getType()) || unary.getSubExpr()->getType()->isEnumeralType()))
      return refuse("has an expression that the prover does not follow key by key", unary);
    expression(*unary.getSubExpr());
    if (unary.isIncrementDecrementOp()) check_write(*unary.getSubExpr());
  }

  void look_at_binary(const clang::BinaryOperator& binary) {
    const auto is_scalar = [](const clang::Expr* side) {
      return is_number(side->getType()) || plain_type(side->getType())->isEnumeralType();
    };
    if (!is_scalar(binary.getLHS()) || !is_scalar(binary.getRHS()))
      return refuse("has an expression that the prover does not follow key by key", binary);
    expression(*binary.getLHS());
    expression(*binary.getRHS());
    if (binary.isAssignmentOp()) check_write(*binary.getLHS());
  }

  void look_at_list(const clang::InitListExpr& list) {
    const clang::InitListExpr* const checked = list.isSemanticForm() ? &list : list.getSemanticForm();
    const bool is_array = list.getType()->isConstantArrayType();  // of an initializer_list
    if (!checked || !(is_array || is_closed(list.getType()))) return refuse_type(list.getType(), list);
    for (const clang::Expr* one : checked->inits()) {
      if (llvm::isa<clang::ImplicitValueInitExpr>(one)) continue;
      expression(*one);
    }
  }

  void look_at_construction(const clang::CXXConstructExpr& made) {
    if (!is_closed(made.getType())) return refuse_type(made.getType(), made);
    const clang::CXXConstructorDecl& constructor = *made.getConstructor();
    if (const clang::CXXRecordDecl* const container = keyed_class(made.getType())) {
      if (made.getNumArgs() >= 2 && range_of(*made.getArg(0), *made.getArg(1)) == container)
        return expression(*container_of(*made.getArg(0), "begin", "cbegin"));
    } else if (is_string(made.getType()) && made.getNumArgs() >= 1 &&
               llvm::isa<clang::StringLiteral>(made.getArg(0)->IgnoreImpCasts())) {
      return;
    } else if (!is_standard(*constructor.getParent()) && constructor.isUserProvided()) {
      return refuse("calls a constructor that the prover does not follow key by key", made);
    }
    for (const clang::Expr* one : made.arguments()) {
      if (llvm::isa<clang::CXXDefaultArgExpr>(one) && is_standard(*constructor.getParent())) continue;
      expression(*one);
    }
    if (!constructor.isUserProvided() && !is_standard(*constructor.getParent())) {
      for (const clang::CXXCtorInitializer* init : constructor.inits()) {
        if (!constructor.isCopyOrMoveConstructor()) expression(*init->getInit());
      }
    }
  }

  void look_at_comparison(const ComparedOperands& compared, const clang::Expr& at) {
    if (is_iterator(compared.left->getType()) || is_iterator(compared.right->getType())) {
      for (const auto& [place, end] :
           {std::pair(compared.left, compared.right), std::pair(compared.right, compared.left)}) {
        const clang::Expr* const container = container_of(*end, "end", "cend");
        const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named(*place));
        const std::optional<Call> call =
            variable && variable->getInit() ? choosing_call(*variable->getInit()) : std::nullopt;
        if (container && call && is_same_object(*container, *call->object)) return;
      }
      return refuse("compares places in a set or map", at);
    }
    if (!is_ordered(compared.left->getType()) || !is_ordered(compared.right->getType())) {
      const bool is_literal = llvm::isa<clang::StringLiteral>(compared.right->IgnoreImpCasts());
      if (!is_string(compared.left->getType()) || !is_literal)
        return refuse("compares values in a way that the prover does not follow key by key", at);
      return expression(*compared.left);
    }
    expression(*compared.left);
    expression(*compared.right);
  }

  void look_at_call(const Call& call, const clang::Expr& at) {
    const llvm::StringRef name = identifier_of(call.callee);
    const bool is_library = is_of_library(*call.callee);
    if (call.object && keyed_class(call.object->getType())) return look_at_method(call, at);
    if (call.object && is_library) return look_at_part(call, at);
    for (const clang::Expr* argument : call.arguments) expression(*argument);
    if (!is_library) {
      if (call.object) object(*call.object);
      return look_into(call, at);
    }
    const bool are_ordered = llvm::all_of(
        call.arguments, [](const clang::Expr* argument) { return is_ordered(argument->getType()); });
    const auto* function = call.callee->getPrimaryTemplate();
    const bool compares_usually = function && function->getTemplateParameters()->size() == 1;
    if ((name == "max" || name == "min" || name == "clamp") && are_ordered && compares_usually) return;
    const bool are_numbers = llvm::all_of(call.arguments, [](const clang::Expr* argument) {
      return is_number(argument->getType()) && argument->isPRValue();
    });
    if (are_numbers && is_number(call.callee->getReturnType()) &&
        !call.callee->getReturnType()->isReferenceType() && !call.arguments.empty())
      return;
    if ((name == "move" || name == "forward") && call.arguments.size() == 1) {
      const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(named(*call.arguments[0]));
      // Nothing sees what is left.
      if (variable && !variable->getType()->isLValueReferenceType() && names_.count(variable) == 1 &&
          loops_.empty())
        return;
    }
    if (name == "make_pair" && is_closed(at.getType())) return;
    refuse("calls '" + call.callee->getNameAsString() + "', which the prover does not follow key by key", at);
  }

  /// A method of a set or map.
  void look_at_method(const Call& call, const clang::Expr& at) {
    const llvm::StringRef name = identifier_of(call.callee);
    expression(*call.object);
    if (name == "insert" && call.arguments.size() == 2) {
      if (range_of(*call.arguments[0], *call.arguments[1]) != keyed_class(call.object->getType()))
        return refuse("uses the elements of a set or map together", at);
      expression(*container_of(*call.arguments[0], "begin", "cbegin"));
      return check_write(at);
    }
    for (const clang::Expr* argument : call.arguments) expression(*argument);
    if (name == "contains" || name == "count") return;
    const bool chooses = choosing_call(at).has_value();
    const bool changes = name == "clear" || (name == "erase" && call.arguments.size() == 1 &&
                                             is_key_type(call.arguments[0]->getType()) && loops_.empty());
    const bool assigns = call.callee->getOverloadedOperator() == clang::OO_Equal;
    if (!chooses && !changes && !assigns)
      return refuse("calls '" + call.callee->getNameAsString() + "' of a set or map", at);
    if (!is_const_method(call.callee)) check_write(assigns || name == "clear" ? *call.object : at);
  }

  /// A method of a string, an optional or a pair.
  void look_at_part(const Call& call, const clang::Expr& at) {
    const llvm::StringRef name = identifier_of(call.callee);
    const clang::OverloadedOperatorKind kind = call.callee->getOverloadedOperator();
    if (!is_closed(call.object->getType())) return refuse_type(call.object->getType(), at);
    expression(*call.object);
    for (const clang::Expr* argument : call.arguments) expression(*argument);
    if (kind == clang::OO_Equal || name == "clear" || name == "reset") return check_write(*call.object);
    const bool is_asked = name == "empty" || name == "has_value" ||
                          llvm::isa<clang::CXXConversionDecl>(call.callee) ||
                          (is_optional(call.object->getType()) && kind == clang::OO_Star);
    const bool is_duration = standard_class(call.object->getType()) &&
                             identifier_of(standard_class(call.object->getType())) == "duration" &&
                             name == "count";
    if (!is_asked && !is_duration)
      refuse("calls '" + call.callee->getNameAsString() + "', which the prover does not follow key by key",
             at);
  }

  /// A function of the user's: it can only change what it is given to change.
  void look_into(const Call& call, const clang::Expr& at) {
    const clang::FunctionDecl* const definition = read_definition(*call.callee);
    if (!definition || !definition->hasBody() || definition->isVariadic() ||
        !(definition->getReturnType()->isVoidType() || is_closed(definition->getReturnType())))
      return refuse(
          "calls '" + call.callee->getNameAsString() + "', which the prover does not follow key by key", at);
    if (call.object && !is_const_method(call.callee)) check_write(*call.object);
    for (std::size_t one = 0; one < call.arguments.size() && one < call.callee->getNumParams(); ++one) {
      const clang::QualType type = call.callee->getParamDecl(static_cast<unsigned>(one))->getType();
      if (type->isReferenceType() && !type.getNonReferenceType().isConstQualified() &&
          call.arguments[one]->isGLValue())
        check_write(*call.arguments[one]);
    }
    if (found_ || !seen_.insert(definition).second) return;
    if (const auto inner = KeyChecker(*definition, context_, seen_).run())
      refuse("calls '" + call.callee->getNameAsString() + "', which " + inner->what, at);
  }

  /// In a loop, only data of the element of the present round may change.
  void check_write(const clang::Expr& target) {
    if (found_ || loops_.may_change(target)) return;
    refuse(loops_.empty() ? "changes what the prover does not follow key by key"
                          : "changes in a loop over elements what is not of the element",
           target);
  }

  const clang::FunctionDecl& function_;
  const Context& context_;
  SeenFunctions& seen_;
  NameCounter names_;
  ElementLoops loops_;
  std::optional<Escape> found_;
};

}  // namespace

std::optional<Escape> find_mixed_keys(const clang::FunctionDecl& function, const Context& context) {
  const clang::FunctionDecl* definition = read_definition(function);
  if (!definition || !definition->hasBody()) return Escape{"has no body that was read", {}};
  SeenFunctions seen{definition};
  return KeyChecker(*definition, context, seen).run();
}

}  // namespace autoshard::tool
