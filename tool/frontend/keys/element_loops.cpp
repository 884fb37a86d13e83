#include "tool/frontend/keys/element_loops.h"

#include <clang/AST/ExprCXX.h>

#include "tool/frontend/bodies/callees.h"
#include "tool/frontend/bodies/standard.h"
#include "tool/frontend/keys/closed_types.h"
#include "tool/frontend/keys/key_expressions.h"
#include "tool/frontend/keys/key_order.h"

namespace autoshard::tool {
namespace {

/// Whether the expression is the element of the loop's present round.
bool is_whole(const clang::Expr& expression, const ElementLoop& loop) {
  const clang::Expr& at = unwrapped(expression);
  if (!loop.is_iterator) return named(at) == loop.variable;
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&at);
  return call && call->getNumArgs() == 1 &&
         (call->getOperator() == clang::OO_Star || call->getOperator() == clang::OO_Arrow) &&
         named(*call->getArg(0)) == loop.variable;
}

/// Whether the expression is the key of the loop's present round.
bool is_key(const clang::Expr& expression, const ElementLoop& loop) {
  const clang::Expr& at = unwrapped(expression);
  if (!is_map(*loop.container) && is_whole(at, loop)) return true;
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&at))
    return is_map(*loop.container) && identifier_of(member->getMemberDecl()) == "first" &&
           is_whole(*member->getBase(), loop);
  const clang::ValueDecl* const name = named(at);
  if (const auto* binding = llvm::dyn_cast_or_null<clang::BindingDecl>(name)) {
    const auto* whole = llvm::dyn_cast<clang::DecompositionDecl>(binding->getDecomposedDecl());
    return whole && whole == loop.variable && is_map(*loop.container) && whole->bindings().front() == binding;
  }
  const auto* variable = llvm::dyn_cast_or_null<clang::VarDecl>(name);
  return variable && variable->getInit() && !llvm::isa<clang::ParmVarDecl>(variable) &&
         variable->getType().getNonReferenceType().isConstQualified() &&
         plain_type(variable->getType()) == plain_type(variable->getInit()->getType()) &&
         is_key(*variable->getInit(), loop);
}

/// Whether the expression is the element of the loop's present round, or another one with its key.
bool is_element_of(const clang::Expr& expression, const ElementLoop& loop) {
  const clang::Expr& at = unwrapped(expression);
  if (is_whole(at, loop)) return true;
  if (!is_map(*loop.container)) return is_key(at, loop);
  const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(&at);
  const StandardClass* const pair = made ? standard_class(made->getType()) : nullptr;
  return pair && identifier_of(pair) == "pair" && made->getNumArgs() == 2 && is_key(*made->getArg(0), loop);
}

bool is_chosen_by(const Call& call, const ElementLoop& loop) {
  if (keyed_class(call.object->getType()) != loop.container) return false;
  const llvm::StringRef name = identifier_of(call.callee);
  const bool is_element = name == "insert" || (name == "emplace" && call.arguments.size() == 1);
  return is_element ? is_element_of(*call.arguments[0], loop) : is_key(*call.arguments[0], loop);
}

}  // namespace

bool ElementLoops::may_change(const clang::Expr& target) const {
  std::vector<Call> choices;  // of elements, the outermost container last
  const std::optional<std::size_t> outside = loops_outside(target, choices);
  if (!outside) return false;
  std::size_t loop = loops_.size() - *outside;
  for (auto choice = choices.rbegin(); loop < loops_.size(); ++loop, ++choice) {
    if (choice == choices.rend() || !is_chosen_by(*choice, loops_[loop])) return false;
  }
  return true;
}

/// How many loops the object begins outside of; nothing if that is not known. Appends the calls that choose
/// an element of a set or map on the way to the object.
std::optional<std::size_t> ElementLoops::loops_outside(const clang::Expr& target,
                                                       std::vector<Call>& choices) const {
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

std::optional<std::size_t> ElementLoops::loops_outside(const clang::ValueDecl& declared,
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

bool ElementLoops::is_in_body(const clang::VarDecl& variable, const ElementLoop& loop) const {
  const clang::SourceLocation at = sources_.getExpansionLoc(variable.getLocation());
  const auto is_before = [&](clang::SourceLocation one, clang::SourceLocation other) {
    return sources_.isBeforeInTranslationUnit(one, sources_.getExpansionLoc(other));
  };
  return !is_before(at, loop.body->getBeginLoc()) && is_before(at, loop.body->getEndLoc());
}

}  // namespace autoshard::tool
