#include "tool/frontend/members/folds.h"

#include <clang/AST/ExprCXX.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/STLExtras.h>

#include "tool/frontend/bodies/literals.h"
#include "tool/frontend/bodies/operations.h"
#include "tool/frontend/bodies/standard.h"
#include "tool/frontend/compiler/parse_more.h"
#include "tool/frontend/effects/throws.h"
#include "tool/frontend/keys/mixed_keys.h"
#include "tool/frontend/members/parse_in_class.h"

namespace autoshard::tool {
namespace {

/// Recognises the operation of a function with two parameters of one type.
class FoldReader {
 public:
  FoldReader(const clang::FunctionDecl& function, const clang::ASTContext& ast)
      : function_(function), ast_(ast) {}

  std::optional<Operation> run() const {
    const auto* body = llvm::dyn_cast_or_null<clang::CompoundStmt>(function_.getBody());
    if (!body || body->body_empty() || function_.isDependentContext() || !has_one_type()) return std::nullopt;
    const auto* last = llvm::dyn_cast<clang::ReturnStmt>(body->body_back());
    const clang::Expr* result = last ? last->getRetValue() : nullptr;
    if (!result) return std::nullopt;
    if (body->size() == 1) return operation_of_value(bare(*result));
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(body->body_front()))
      return body->size() == 2 ? operation_of_loop(*loop, *result) : std::nullopt;
    const auto* change = llvm::dyn_cast<clang::Expr>(body->body_front());
    if (body->size() != 2 || !change) return std::nullopt;
    return operation_of_change(bare(*change), *result);
  }

 private:
  clang::QualType type() const { return plain_type(function_.getParamDecl(0)->getType()); }

  /// Whether the parameters and the result have one type. The result may be wider: arithmetic on two short
  /// integers gives an int, which is converted when it is stored.
  bool has_one_type() const {
    if (function_.getNumParams() != 2 || type() != plain_type(function_.getParamDecl(1)->getType()))
      return false;
    const clang::QualType result = plain_type(function_.getReturnType());
    return result == type() ||
           (type()->isIntegerType() && result->isIntegerType() && !result->isBooleanType() &&
            ast_.getTypeSize(type()) <= ast_.getTypeSize(result));
  }

  /// The number of the parameter that `expression` names; nothing if it names none.
  std::optional<unsigned> parameter(const clang::Expr& expression) const {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&bare(expression));
    const auto* found = reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr;
    return found ? std::optional(found->getFunctionScopeIndex()) : std::nullopt;
  }

  bool are_both(const clang::Expr& one, const clang::Expr& other) const {
    const auto first = parameter(one);
    const auto second = parameter(other);
    return first && second && first != second;
  }

  std::optional<Operation> operation_of_value(const clang::Expr& value) const {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&value))
      return operation_of_both(binary->getOpcode(), *binary->getLHS(), *binary->getRHS());
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&value)) {
      const auto compared = read_comparison(*choice->getCond());
      if (!compared || !are_both(*compared->greater, *compared->lesser)) return std::nullopt;
      return extreme_of(*compared, *choice->getTrueExpr(), *choice->getFalseExpr(), ast_);
    }
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&value)) {
      if (!is_standard_call(*call) || call->getNumArgs() != 2) return std::nullopt;
      const auto code = clang::BinaryOperator::getOverloadedOpcode(call->getOperator());
      const auto operation = operation_of_both(code, *call->getArg(0), *call->getArg(1));
      return operation && is_text(type()) ? Operation::kAppend : operation;
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(&value);
    const auto extreme = call ? read_standard_extreme(*call) : std::nullopt;
    if (!extreme || plain_type(call->getType()) != type() || !are_both(*extreme->one, *extreme->other))
      return std::nullopt;
    return extreme->operation;
  }

  std::optional<Operation> operation_of_both(clang::BinaryOperatorKind code, const clang::Expr& one,
                                             const clang::Expr& other) const {
    const bool is_one_way = code == clang::BO_Sub || clang::BinaryOperator::isAssignmentOp(code);
    return is_one_way || !are_both(one, other) ? std::nullopt : operation_of(code);
  }

  static bool is_standard_call(const clang::CallExpr& call) {
    return call.getDirectCallee() && is_standard(*call.getDirectCallee());
  }

  /// `x.insert(y.begin(), y.end()); return x;`, or the same with `merge`, or with an insertion at the end.
  std::optional<Operation> operation_of_change(const clang::Expr& change, const clang::Expr& result) const {
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&change);
    if (!call || !is_standard_call(*call) || !call->getMethodDecl()->getDeclName().isIdentifier())
      return std::nullopt;
    const auto changed = parameter(*call->getImplicitObjectArgument());
    if (!changed || parameter(result) != changed) return std::nullopt;
    const unsigned other = 1 - *changed;
    const llvm::StringRef method = call->getMethodDecl()->getName();
    const llvm::ArrayRef<const clang::Expr*> values(call->getArgs(), call->getNumArgs());
    const bool is_merged = method == "merge" && values.size() == 1 && parameter(*values[0]) == other;
    const bool is_inserted = method == "insert" && values.size() == 2 && is_end(*values[0], "begin", other) &&
                             is_end(*values[1], "end", other);
    if (is_set(*call) && (is_merged || is_inserted)) return Operation::kInsert;
    const bool is_appended = method == "insert" && values.size() == 3 &&
                             is_end(*values[0], "end", *changed) && is_end(*values[1], "begin", other) &&
                             is_end(*values[2], "end", other);
    return is_appended ? std::optional(Operation::kAppend) : std::nullopt;
  }

  /// `for (const auto& [key, value] : y) x[key] += value; return x;`, or `for (const T& each : y)
  /// x.insert(each); return x;` for a set.
  std::optional<Operation> operation_of_loop(const clang::CXXForRangeStmt& loop,
                                             const clang::Expr& result) const {
    const auto changed = parameter(result), other = parameter(*loop.getRangeInit());
    const clang::Stmt* step = loop.getBody();
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(step))
      step = block->size() == 1 ? block->body_front() : nullptr;
    const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(step);
    if (!changed || !other || changed == other || loop.getInit() || !expression) return std::nullopt;
    const clang::Expr& change = bare(*expression);
    const auto* each = llvm::dyn_cast<clang::DecompositionDecl>(loop.getLoopVariable());
    if (each) return operation_by_key(change, *changed, *each);
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&change);
    const bool inserts = call && is_standard_call(*call) && is_set(*call) &&
                         call->getMethodDecl()->getDeclName().isIdentifier() &&
                         call->getMethodDecl()->getName() == "insert" && call->getNumArgs() == 1 &&
                         parameter(*call->getImplicitObjectArgument()) == changed &&
                         is_variable(*call->getArg(0), *loop.getLoopVariable());
    return inserts ? std::optional(Operation::kInsert) : std::nullopt;
  }

  std::optional<Operation> operation_by_key(const clang::Expr& change, unsigned changed,
                                            const clang::DecompositionDecl& each) const {
    const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&change);
    const auto* place =
        compound ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(&bare(*compound->getLHS())) : nullptr;
    const bool is_of_key =
        place && each.bindings().size() == 2 && place->getOperator() == clang::OO_Subscript &&
        is_standard_call(*place) && parameter(*place->getArg(0)) == changed &&
        is_variable(*place->getArg(1), *each.bindings()[0]) &&
        is_variable(*compound->getRHS(), *each.bindings()[1]) && compound->getOpcode() != clang::BO_SubAssign;
    return is_of_key ? operation_of(compound->getOpcode()) : std::nullopt;
  }

  static bool is_variable(const clang::Expr& expression, const clang::ValueDecl& variable) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&bare(expression));
    return reference && reference->getDecl() == &variable;
  }

  /// Whether `expression` calls `method`, which is `begin` or `end`, on parameter number `of`.
  bool is_end(const clang::Expr& expression, llvm::StringRef method, unsigned of) const {
    const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&bare(expression));
    return call && is_standard_call(*call) && call->getMethodDecl()->getDeclName().isIdentifier() &&
           call->getMethodDecl()->getName() == method && parameter(*call->getImplicitObjectArgument()) == of;
  }

  static bool is_set(const clang::CXXMemberCallExpr& call) {
    const llvm::StringRef name = call.getRecordDecl()->getName();
    return name == "set" || name == "unordered_set";
  }

  const clang::FunctionDecl& function_;
  const clang::ASTContext& ast_;
};

/// A class template of function objects of the standard library.
struct Functor {
  llvm::StringLiteral name;
  llvm::StringLiteral infix;
  std::optional<Operation> operation;  ///< the operation on numbers and bitsets
};

constexpr Functor kFunctors[] = {
    {"std::plus", "+", Operation::kAdd},       {"std::multiplies", "*", Operation::kMultiply},
    {"std::bit_or", "|", Operation::kBitOr},   {"std::bit_and", "&", Operation::kBitAnd},
    {"std::bit_xor", "^", Operation::kBitXor}, {"std::logical_and", "&&", std::nullopt},
    {"std::logical_or", "||", std::nullopt}};

/// The functor of `std::plus<>{}`, `std::plus()` and so on; null for other folds. The header may lack its
/// declaration: generated code includes it.
const Functor* find_functor(llvm::StringRef fold) {
  if (!fold.consume_back("{}") && !fold.consume_back("()")) return nullptr;
  fold.consume_back("<>");
  const auto* found = llvm::find_if(kFunctors, [&](const Functor& one) { return one.name == fold; });
  return found == std::end(kFunctors) ? nullptr : found;
}

/// Whether the operators of the type are built in, or mean the same.
bool knows_operators(clang::QualType type) { return type->isArithmeticType() || is_bitset(type); }

void append(const Constants& more, Constants& constants) {
  const auto add = [](const std::vector<std::string>& from, std::vector<std::string>& to) {
    for (const std::string& value : from) {
      if (!llvm::is_contained(to, value)) to.push_back(value);
    }
  };
  add(more.numbers, constants.numbers);
  add(more.texts, constants.texts);
}

/// Whether every translation unit that sees the entity around `part` sees the body of `function`: a lambda,
/// or a method that the entity defines in the class.
bool is_seen_with(const clang::CXXRecordDecl& part, const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  if (!method) return false;
  if (method->getParent()->isLambda()) return true;
  const clang::FunctionDecl* definition = method->getDefinition();
  return definition && !definition->isOutOfLine() &&
         method->getParent()->getCanonicalDecl() ==
             llvm::cast<clang::Decl>(part.getDeclContext())->getCanonicalDecl();
}

/// Returns the facts about a fold expression. `call` is a function that calls the expression with its two
/// parameters.
FoldExpression read_call(const clang::CXXMethodDecl& call, const Context& context) {
  FoldExpression result{.operation = std::nullopt,
                        .constants = read_constants(call, context),
                        .effects = read_effects(call, context),
                        .throws = find_throw(call, context)};
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(call.getBody());
  const auto* called = llvm::dyn_cast<clang::CallExpr>(&bare(*llvm::cast<clang::Expr>(body->body_front())));
  const clang::FunctionDecl* callee = called ? called->getDirectCallee() : nullptr;
  if (!callee || !callee->hasBody() || is_standard(*callee)) return result;
  append(read_constants(*callee->getDefinition(), context), result.constants);
  result.mixed_keys = find_mixed_keys(*callee, context);
  if (callee->getNumParams() == 2 && is_seen_with(*call.getParent(), *callee) &&
      same_type(callee->getParamDecl(0)->getType().getNonReferenceType(),
                call.getParamDecl(0)->getType().getNonReferenceType()))
    result.operation = read_fold(*callee, context);
  return result;
}

/// Whether a constructor without arguments makes the only variable of `function`.
bool is_made_without_arguments(const clang::FunctionDecl& function) {
  const auto* body = llvm::cast<clang::CompoundStmt>(function.getBody());
  const auto* statement = llvm::dyn_cast<clang::DeclStmt>(body->body_front());
  const auto* variable = statement ? llvm::dyn_cast<clang::VarDecl>(statement->getSingleDecl()) : nullptr;
  const clang::Expr* value = variable ? variable->getInit() : nullptr;
  const auto* made = value ? llvm::dyn_cast<clang::CXXConstructExpr>(value->IgnoreImplicit()) : nullptr;
  return made && same_type(made->getType(), variable->getType()) &&
         llvm::all_of(made->arguments(), [](const clang::Expr* argument) {
           return llvm::isa<clang::CXXDefaultArgExpr>(argument);
         });
}

}  // namespace

std::optional<Operation> read_fold(const clang::FunctionDecl& function, const Context& context) {
  return FoldReader(function, context.ast).run();
}

FoldExpression read_fold_expression(const std::string& fold, const clang::FieldDecl& field,
                                    clang::CXXRecordDecl& entity, const Context& context) {
  if (const Functor* functor = find_functor(fold))
    return {.operation = knows_operators(field.getType()) ? functor->operation : std::nullopt,
            .infix = functor->infix.str()};
  const std::string type = "decltype(" + field.getNameAsString() + ")";
  const std::string call =
      "static void call(" + type + " x, " + type + " y) { static_cast<void>((" + fold + ")(x, y)); }";
  FoldExpression result;
  const auto read = [&](const clang::CXXRecordDecl& parsed) {
    for (const clang::CXXMethodDecl* method : parsed.methods()) {
      if (method->isStatic() && method->hasBody()) result = read_call(*method, context);
    }
  };
  if (parse_in_class(context.sema, entity, call, read).empty() || fold.find("std::") == std::string::npos)
    return result;
  // The header may rely on other files to include these headers.
  parse_more(context.sema, "#include <algorithm>\n#include <functional>\n#include <limits>\n");
  parse_in_class(context.sema, entity, call, read);
  return result;
}

NeutralExpression read_neutral(const std::string& neutral, const clang::FieldDecl& field,
                               clang::CXXRecordDecl& entity, const Context& context) {
  NeutralExpression result;
  const std::string text = "static void value() { [[maybe_unused]] const decltype(" +
                           field.getNameAsString() + ") x = " + neutral + "; }";
  parse_in_class(context.sema, entity, text, [&](const clang::CXXRecordDecl& parsed) {
    for (const clang::CXXMethodDecl* method : parsed.methods()) {
      if (!method->isStatic() || !method->hasBody()) continue;
      result.effects = read_effects(*method, context);
      result.is_empty = is_made_without_arguments(*method);
    }
  });
  return result;
}

}  // namespace autoshard::tool
