#include "tool/frontend/bodies/mixed_keys.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <vector>

#include "tool/frontend/bodies/acting.h"
#include "tool/frontend/bodies/callees.h"
#include "tool/frontend/bodies/calls.h"
#include "tool/frontend/bodies/closed_types.h"
#include "tool/frontend/bodies/path_visitor.h"
#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

using SeenFunctions = llvm::SmallPtrSet<const clang::FunctionDecl*, 8>;
/// What an expression is without what changes neither its value nor its type.
const clang::Expr& unwrapped(const clang::Expr& expression) {
  const clang::Expr* at = &expression;
  for (;;) {
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at);
        cast && (cast->getCastKind() == clang::CK_NoOp || cast->getCastKind() == clang::CK_LValueToRValue)) {
      at = cast->getSubExpr();
    } else if (const auto* parens = llvm::dyn_cast<clang::ParenExpr>(at)) {
      at = parens->getSubExpr();
    } else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(at)) {
      at = temporary->getSubExpr();
    } else if (const auto* full = llvm::dyn_cast<clang::FullExpr>(at)) {
      at = full->getSubExpr();
    } else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(at)) {
      at = bound->getSubExpr();
    } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(at);
               made && made->getNumArgs() >= 1 && made->getConstructor()->isCopyOrMoveConstructor() &&
               plain_type(made->getType()) == plain_type(made->getArg(0)->getType())) {
      at = made->getArg(0);
    } else {
      return *at;
    }
  }
}

/// The variable that an expression names; null if it does not. Iterators are compared as their base class.
const clang::ValueDecl* named(const clang::Expr& expression) {
  const clang::Expr* at = &unwrapped(expression);
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at);
      cast && (cast->getCastKind() == clang::CK_DerivedToBase ||
               cast->getCastKind() == clang::CK_UncheckedDerivedToBase))
    at = &unwrapped(*cast->getSubExpr());
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(at);
  return name ? name->getDecl() : nullptr;
}

/// Whether two expressions name one variable, or one member of one object.
bool is_same_object(const clang::Expr& one, const clang::Expr& other) {
  const clang::Expr& x = unwrapped(one);
  const clang::Expr& y = unwrapped(other);
  if (const clang::ValueDecl* const name = named(x)) return name == named(y);
  if (llvm::isa<clang::CXXThisExpr>(&x)) return llvm::isa<clang::CXXThisExpr>(&y);
  const auto* part = llvm::dyn_cast<clang::MemberExpr>(&x);
  const auto* same = llvm::dyn_cast<clang::MemberExpr>(&y);
  return part && same && part->getMemberDecl() == same->getMemberDecl() &&
         is_same_object(*part->getBase(), *same->getBase());
}

/// A loop over the elements of a set or map.
struct ElementLoop {
  const clang::CXXRecordDecl* container = nullptr;
  const clang::VarDecl* variable = nullptr;  ///< an element, or an iterator to it
  bool is_iterator = false;
  const clang::Stmt* body = nullptr;
};

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
      : function_(function), context_(context), seen_(seen) {
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
    loops_.push_back(loop);
    statement(loop.body);
    loops_.pop_back();
  }

  /// The object of a call of one of these methods without arguments; null for any other expression.
  static const clang::Expr* container_of(const clang::Expr& expression, llvm::StringRef one,
                                         llvm::StringRef other) {
    const clang::Expr* at = &unwrapped(expression);
    // `const_iterator at = a.begin();`, and an iterator that is compared as its base class.
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at)) at = &unwrapped(*cast->getSubExpr());
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(at); made && made->getNumArgs() == 1)
      at = &unwrapped(*made->getArg(0));
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(at);
    if (!call || call->getNumArgs() != 0) return nullptr;
    const llvm::StringRef name = identifier_of(call->getMethodDecl());
    return name == one || name == other ? &unwrapped(*call->getImplicitObjectArgument()) : nullptr;
  }

  /// Whether `step` is `++variable`.
  static bool is_step(const clang::Expr* step, const clang::VarDecl& variable) {
    const auto* call = step ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(&unwrapped(*step)) : nullptr;
    return call && call->getOperator() == clang::OO_PlusPlus && named(*call->getArg(0)) == &variable;
  }

  /// Whether `condition` is `variable != container.end()`.
  static bool is_until_end(const clang::Expr* condition, const clang::VarDecl& variable,
                           const clang::Expr& container) {
    const std::optional<Comparison> compared =
        condition ? comparison_of(unwrapped(*condition)) : std::nullopt;
    if (!compared || compared->opcode != clang::BO_NE || named(*compared->left) != &variable) return false;
    const clang::Expr* const end = container_of(*compared->right, "end", "cend");
    return end && is_same_object(*end, container);
  }

  // Expressions.

  struct Comparison {
    clang::BinaryOperatorKind opcode;
    const clang::Expr* left;
    const clang::Expr* right;
  };
  static std::optional<Comparison> comparison_of(const clang::Expr& expression) {
    if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(&expression))
      return Comparison{rewritten->getOperator(), rewritten->getLHS(), rewritten->getRHS()};
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression);
    if (!call || !call->isComparisonOp() || call->getNumArgs() != 2) return std::nullopt;
    return Comparison{clang::BinaryOperator::getOverloadedOpcode(call->getOperator()), call->getArg(0),
                      call->getArg(1)};
  }

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
    if (const std::optional<Comparison> compared = comparison_of(at))
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

  void look_at_comparison(const Comparison& compared, const clang::Expr& at) {
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

  // Types of expressions.

  static bool is_optional(clang::QualType type) {
    const StandardClass* const record = standard_class(type);
    return record && identifier_of(record) == "optional";
  }
  static bool is_iterator(clang::QualType type) {
    const clang::CXXRecordDecl* const record = plain_type(type)->getAsCXXRecordDecl();
    return record && is_library_declaration(*record) && identifier_of(record).contains("terator");
  }
  /// Whether it is a pair of an iterator and whether an element is new.
  static bool is_insertion(clang::QualType type) {
    const StandardClass* const record = standard_class(type);
    return record && identifier_of(record) == "pair" && is_iterator(argument(*record, 0)) &&
           argument(*record, 1)->isBooleanType();
  }

  /// The call of a method of a set or map that chooses one element by its key: the first argument of most.
  static std::optional<Call> choosing_call(const clang::Expr& expression) {
    const clang::Expr* at = &unwrapped(expression);
    if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(at)) at = &unwrapped(*cast->getSubExpr());
    if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(at);
        made && made->getNumArgs() == 1 && (is_iterator(made->getType()) || is_insertion(made->getType())))
      at = &unwrapped(*made->getArg(0));
    std::optional<Call> call = call_of(*at);
    if (!call || !call->callee || !call->object || !keyed_class(call->object->getType())) return std::nullopt;
    const llvm::StringRef name = identifier_of(call->callee);
    const std::size_t count = call->arguments.size();
    const bool chooses = call->callee->getOverloadedOperator() == clang::OO_Subscript ||
                         (name == "find" && count == 1) || name == "try_emplace" ||
                         name == "insert_or_assign" || (name == "emplace" && count >= 1 && count <= 2) ||
                         (name == "insert" && count == 1);
    // The first argument of the forms with a hint is an iterator.
    if (!chooses || call->arguments.empty() || is_iterator(call->arguments[0]->getType()))
      return std::nullopt;
    return call;
  }

  /// The class of `x` in `x.begin(), x.end()`; null if it is not that.
  static const clang::CXXRecordDecl* range_of(const clang::Expr& first, const clang::Expr& last) {
    const clang::Expr* const begin = container_of(first, "begin", "cbegin");
    const clang::Expr* const end = container_of(last, "end", "cend");
    if (!begin || !end) return nullptr;
    if (!is_same_object(*begin, *end)) return nullptr;
    return keyed_class(begin->getType());
  }

  // Loops: only what belongs to the element of the present round may change.

  void check_write(const clang::Expr& target) {
    if (found_) return;
    std::vector<Call> choices;  // of elements, the outermost container last
    const std::optional<std::size_t> outside = loops_outside(target, choices);
    if (!outside)
      return refuse(loops_.empty() ? "changes what the prover does not follow key by key"
                                   : "changes in a loop over elements what is not of the element",
                    target);
    std::size_t loop = loops_.size() - *outside;
    for (auto choice = choices.rbegin(); loop < loops_.size(); ++loop, ++choice) {
      if (choice == choices.rend() || !is_chosen_by(*choice, loops_[loop]))
        return refuse("changes in a loop over elements what is not of the element", target);
    }
  }

  /// How many loops the object begins outside of; nothing if that is not known. Appends the calls that choose
  /// an element of a set or map on the way to the object.
  std::optional<std::size_t> loops_outside(const clang::Expr& target, std::vector<Call>& choices) const {
    const clang::Expr& at = unwrapped(target);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&at))
      return loops_outside(*name->getDecl(), choices);
    if (llvm::isa<clang::CXXThisExpr>(&at)) return loops_.size();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&at))
      return loops_outside(*member->getBase(), choices);
    if (std::optional<Call> call = choosing_call(at)) {
      choices.push_back(*call);
      return loops_outside(*call->object, choices);
    }
    const std::optional<Call> call = call_of(at);
    if (!call || !call->callee || !call->object || !is_of_library(*call->callee)) return std::nullopt;
    // `insert(first, last)` and `erase(key)` change the whole.
    if (keyed_class(call->object->getType())) return loops_outside(*call->object, choices);
    const clang::OverloadedOperatorKind kind = call->callee->getOverloadedOperator();
    if (kind != clang::OO_Star && kind != clang::OO_Arrow) return std::nullopt;
    return loops_outside(*call->object, choices);
  }

  std::optional<std::size_t> loops_outside(const clang::ValueDecl& declared,
                                           std::vector<Call>& choices) const {
    if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(&declared)) {
      const auto* whole = llvm::dyn_cast<clang::DecompositionDecl>(binding->getDecomposedDecl());
      if (!whole) return std::nullopt;
      const bool is_first = whole->bindings().front() == binding;
      for (const ElementLoop& loop : loops_) {
        if (loop.variable == whole && is_first) return std::nullopt;  // the key
      }
      return loops_outside(*whole, choices);
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(&declared);
    if (!variable) return std::nullopt;
    std::size_t outside = 0;
    for (const ElementLoop& loop : llvm::reverse(loops_)) {
      if (variable == loop.variable) {
        const clang::QualType type = variable->getType();
        const bool may_change =
            is_map(*loop.container) &&
            (loop.is_iterator || (type->isReferenceType() && !type.getNonReferenceType().isConstQualified()));
        return may_change ? std::optional(outside) : std::nullopt;
      }
      ++outside;
    }
    const bool is_alias = variable->getType()->isReferenceType() || is_iterator(variable->getType()) ||
                          is_insertion(variable->getType());
    if (is_alias && !llvm::isa<clang::ParmVarDecl>(variable)) {
      if (!variable->getInit()) return std::nullopt;
      if (!unwrapped(*variable->getInit()).isPRValue() || choosing_call(*variable->getInit()))
        return loops_outside(*variable->getInit(), choices);
    }
    outside = 0;
    for (const ElementLoop& loop : llvm::reverse(loops_)) {
      if (is_in_body(*variable, loop)) return outside;
      ++outside;
    }
    return outside;
  }

  bool is_in_body(const clang::VarDecl& variable, const ElementLoop& loop) const {
    const clang::SourceManager& sources = context_.files.sources();
    const clang::SourceLocation at = sources.getExpansionLoc(variable.getLocation());
    const auto is_before = [&](clang::SourceLocation one, clang::SourceLocation other) {
      return sources.isBeforeInTranslationUnit(one, sources.getExpansionLoc(other));
    };
    return !is_before(at, loop.body->getBeginLoc()) && is_before(at, loop.body->getEndLoc());
  }

  bool is_chosen_by(const Call& call, const ElementLoop& loop) const {
    if (keyed_class(call.object->getType()) != loop.container) return false;
    const llvm::StringRef name = identifier_of(call.callee);
    const bool is_element = name == "insert" || (name == "emplace" && call.arguments.size() == 1);
    return is_element ? is_element_of(*call.arguments[0], loop) : is_key(*call.arguments[0], loop);
  }

  /// Whether the expression is the element of the loop's present round.
  static bool is_whole(const clang::Expr& expression, const ElementLoop& loop) {
    const clang::Expr& at = unwrapped(expression);
    if (!loop.is_iterator) return named(at) == loop.variable;
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&at);
    return call && call->getNumArgs() == 1 &&
           (call->getOperator() == clang::OO_Star || call->getOperator() == clang::OO_Arrow) &&
           named(*call->getArg(0)) == loop.variable;
  }

  /// Whether the expression is the key of the loop's present round.
  static bool is_key(const clang::Expr& expression, const ElementLoop& loop) {
    const clang::Expr& at = unwrapped(expression);
    if (!is_map(*loop.container) && is_whole(at, loop)) return true;
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&at))
      return is_map(*loop.container) && identifier_of(member->getMemberDecl()) == "first" &&
             is_whole(*member->getBase(), loop);
    const clang::ValueDecl* const name = named(at);
    if (const auto* binding = llvm::dyn_cast_or_null<clang::BindingDecl>(name)) {
      const auto* whole = llvm::dyn_cast<clang::DecompositionDecl>(binding->getDecomposedDecl());
      return whole && whole == loop.variable && is_map(*loop.container) &&
             whole->bindings().front() == binding;
    }
    const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(name);
    return variable && variable->getInit() && !llvm::isa<clang::ParmVarDecl>(variable) &&
           variable->getType().getNonReferenceType().isConstQualified() &&
           plain_type(variable->getType()) == plain_type(variable->getInit()->getType()) &&
           is_key(*variable->getInit(), loop);
  }

  /// Whether the expression is the element of the loop's present round, or another one with its key.
  static bool is_element_of(const clang::Expr& expression, const ElementLoop& loop) {
    const clang::Expr& at = unwrapped(expression);
    if (is_whole(at, loop)) return true;
    if (!is_map(*loop.container)) return is_key(at, loop);
    const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&at);
    const StandardClass* const pair = made ? standard_class(made->getType()) : nullptr;
    return pair && identifier_of(pair) == "pair" && made->getNumArgs() == 2 && is_key(*made->getArg(0), loop);
  }

  const clang::FunctionDecl& function_;
  const Context& context_;
  SeenFunctions& seen_;
  NameCounter names_;
  std::vector<ElementLoop> loops_;  // around what is looked at, the innermost last
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
