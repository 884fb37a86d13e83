#include "tool/frontend/bodies/mixed_keys.h"

#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <vector>

#include "tool/frontend/bodies/acting.h"
#include "tool/frontend/bodies/callees.h"
#include "tool/frontend/bodies/calls.h"
#include "tool/frontend/bodies/path_visitor.h"
#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

/// Functions that are being looked at, or were: as they are called in loops over elements, and elsewhere.
struct SeenFunctions {
  llvm::SmallPtrSet<const clang::FunctionDecl*, 8> in_loops, elsewhere;
};

/// The class of a set or map of the standard library, whichever of its forms; null for any other type.
const clang::CXXRecordDecl* keyed_class(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  if (!record || !record->isInStdNamespace()) return nullptr;
  const llvm::StringRef name = identifier_of(record);
  const bool is_keyed = name == "set" || name == "map" || name == "unordered_set" || name == "unordered_map";
  return is_keyed ? record->getCanonicalDecl() : nullptr;
}

const clang::Expr& stripped(const clang::Expr& expression) {
  const clang::Expr* at = expression.IgnoreUnlessSpelledInSource();
  for (;;) {
    const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(at);
    if (construct && construct->getNumArgs() >= 1 && construct->getConstructor()->isCopyOrMoveConstructor()) {
      at = construct->getArg(0)->IgnoreUnlessSpelledInSource();
      continue;
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(at);
    const llvm::StringRef name = call ? identifier_of(call->getDirectCallee()) : llvm::StringRef();
    if (call && call->getNumArgs() == 1 && (name == "move" || name == "forward" || name == "as_const") &&
        is_standard(*call->getDirectCallee())) {
      at = call->getArg(0)->IgnoreUnlessSpelledInSource();
      continue;
    }
    return *at;
  }
}

/// A loop over the elements of a set or map.
struct ElementLoop {
  const clang::CXXRecordDecl* container = nullptr;
  const clang::VarDecl* variable = nullptr;  ///< an element, or an iterator to it
  bool is_iterator = false;
  const clang::Stmt* body = nullptr;
};

bool is_map(const clang::CXXRecordDecl& container) { return identifier_of(&container).ends_with("map"); }

/// How methods of sets and maps choose an element.
enum class Choice {
  kNone,       ///< by nothing: all elements, or their number
  kKey,        ///< by the first argument
  kElement,    ///< by the first argument, an element of a map or set
  kAfterHint,  ///< by the second argument; the first one is where it may stand
  kRange,      ///< by two iterators
};

Choice choice_of(const Call& call) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
  const std::size_t count = call.arguments.size();
  if (call.callee->getOverloadedOperator() == clang::OO_Subscript) return Choice::kKey;
  const llvm::StringRef name = identifier_of(method);
  if (name == "insert" && count == 2)
    return call.arguments[0]->getType().getCanonicalType().getUnqualifiedType() ==
                   call.arguments[1]->getType().getCanonicalType().getUnqualifiedType()
               ? Choice::kRange
               : Choice::kAfterHint;
  if (name == "insert" || (name == "emplace" && count == 1)) return Choice::kElement;
  if (name == "emplace_hint") return Choice::kAfterHint;
  if (name == "emplace" || name == "try_emplace" || name == "insert_or_assign" || name == "erase" ||
      name == "find" || name == "at" || name == "contains" || name == "count")
    return Choice::kKey;
  return Choice::kNone;
}

class MixedKeyFinder : public EvaluatedVisitor<MixedKeyFinder> {
 public:
  /// `is_in_loop`: the function is called in a loop over elements.
  MixedKeyFinder(const Context& context, SeenFunctions& seen, bool is_in_loop)
      : context_(context), seen_(seen), is_in_loop_(is_in_loop) {}

  std::optional<Escape> run(const clang::FunctionDecl& definition) && {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&definition);
    is_const_ = method && method->isConst();
    TraverseStmt(definition.getBody());
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&definition)) {
      for (const clang::CXXCtorInitializer* init : constructor->inits()) TraverseStmt(init->getInit());
    }
    return std::move(found_);
  }

  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* loop) AUTOSHARD_OVERRIDE {
    const clang::CXXRecordDecl* container = keyed_class(loop->getRangeInit()->getType());
    if (!container) return EvaluatedVisitor::TraverseCXXForRangeStmt(loop);
    TraverseStmt(loop->getInit());
    TraverseStmt(loop->getRangeInit());
    if (is_alias(*loop->getLoopVariable())) check_write(*loop->getRangeInit());
    return traverse({container, loop->getLoopVariable(), false, loop->getBody()}, *loop->getBody());
  }

  bool TraverseForStmt(clang::ForStmt* loop) AUTOSHARD_OVERRIDE {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* variable = declared && declared->isSingleDecl()
                               ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl())
                               : nullptr;
    const clang::Expr* first = variable && variable->getInit() ? &stripped(*variable->getInit()) : nullptr;
    const auto* call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(first);
    const clang::CXXRecordDecl* container =
        call && is_begin(*call) ? keyed_class(object_type(*call)) : nullptr;
    if (!container || !is_step(loop->getInc(), *variable) || !is_until_end(loop->getCond(), *variable, *call))
      return EvaluatedVisitor::TraverseForStmt(loop);
    allowed_.insert(call);
    TraverseStmt(loop->getInit());
    if (!object_type(*call).isConstQualified()) check_write(*call->getImplicitObjectArgument());
    return traverse({container, variable, true, loop->getBody()}, *loop->getBody());
  }

  bool VisitStmt(clang::Stmt* statement) AUTOSHARD_OVERRIDE {
    if (found_) return false;
    if (!loops_.empty() && leaves_loop(*statement)) add("leaves a loop over elements", *statement);
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* expression) AUTOSHARD_OVERRIDE {
    if (const std::optional<Call> call = call_of(*expression)) look_at(*call, *expression);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) AUTOSHARD_OVERRIDE {
    if (keyed_class(construct->getType()) && construct->getNumArgs() >= 2)
      allow_range(*construct->getArg(0), *construct->getArg(1), keyed_class(construct->getType()));
    look_into(*construct->getConstructor(), *construct);
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator* operation) AUTOSHARD_OVERRIDE {
    if (operation->isAssignmentOp()) check_write(*operation->getLHS());
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator* operation) AUTOSHARD_OVERRIDE {
    if (operation->isIncrementDecrementOp() || operation->getOpcode() == clang::UO_AddrOf)
      check_write(*operation->getSubExpr());
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) AUTOSHARD_OVERRIDE {
    if (!is_looped() || !variable->getInit()) return true;
    if (!loops_.empty() && variable == loops_.back().variable) return true;
    if (is_alias(*variable) && !variable->getInit()->isPRValue()) check_write(*variable->getInit());
    return true;
  }

  bool VisitLambdaExpr(clang::LambdaExpr* lambda) AUTOSHARD_OVERRIDE {
    if (is_looped() && lambda->capture_size() > 0) add("has a lambda in a loop over elements", *lambda);
    return true;
  }

 private:
  bool traverse(const ElementLoop& loop, clang::Stmt& body) {
    loops_.push_back(loop);
    TraverseStmt(&body);
    loops_.pop_back();
    return !found_;
  }

  /// Whether it is another name of something that may change.
  static bool is_alias(const clang::VarDecl& variable) {
    const clang::QualType type = variable.getType();
    return type->isReferenceType() && !type.getNonReferenceType().isConstQualified();
  }

  static clang::QualType object_type(const clang::CXXMemberCallExpr& call) {
    return call.getImplicitObjectArgument()->getType();
  }
  static bool is_begin(const clang::CXXMemberCallExpr& call) {
    const llvm::StringRef name = identifier_of(call.getMethodDecl());
    return name == "begin" || name == "cbegin";
  }
  static bool is_end(const clang::CXXMemberCallExpr& call) {
    const llvm::StringRef name = identifier_of(call.getMethodDecl());
    return name == "end" || name == "cend";
  }

  /// Whether `step` is `++variable`.
  static bool is_step(const clang::Expr* step, const clang::VarDecl& variable) {
    if (!step) return false;
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(step->IgnoreParenImpCasts());
    if (!call || call->getOperator() != clang::OO_PlusPlus) return false;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&stripped(*call->getArg(0)));
    return name && name->getDecl() == &variable;
  }

  /// Whether `condition` is `variable != x.end()`, where `begin` is `x.begin()`.
  static bool is_until_end(const clang::Expr* condition, const clang::VarDecl& variable,
                           const clang::CXXMemberCallExpr& begin) {
    if (!condition) return false;
    const clang::Expr* at = condition->IgnoreUnlessSpelledInSource();
    const clang::Expr *left = nullptr, *right = nullptr;
    if (const auto* rewritten = llvm::dyn_cast<clang::CXXRewrittenBinaryOperator>(at)) {
      if (rewritten->getOperator() != clang::BO_NE) return false;
      left = rewritten->getLHS();
      right = rewritten->getRHS();
    } else if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(at);
               call && call->getOperator() == clang::OO_ExclaimEqual && call->getNumArgs() == 2) {
      left = call->getArg(0);
      right = call->getArg(1);
    } else {
      return false;
    }
    const auto* end = llvm::dyn_cast<clang::CXXMemberCallExpr>(&stripped(*right));
    return end && is_end(*end) && is_name_of(stripped(*left), variable) && variable_of(*end) &&
           variable_of(*end) == variable_of(begin);
  }

  /// Whether it ends the loops over elements around it, or one of their rounds before all others.
  bool leaves_loop(const clang::Stmt& statement) const {
    if (llvm::isa<clang::ReturnStmt, clang::GotoStmt, clang::CXXThrowExpr, clang::IndirectGotoStmt>(
            statement))
      return true;
    if (!llvm::isa<clang::BreakStmt>(statement)) return false;
    for (const clang::Stmt* around : llvm::reverse(path())) {
      if (around == loops_.back().body) return true;
      if (llvm::isa<clang::SwitchStmt, clang::ForStmt, clang::WhileStmt, clang::DoStmt,
                    clang::CXXForRangeStmt>(around))
        return false;
    }
    return true;
  }

  void look_at(const Call& call, const clang::CallExpr& expression) {
    if (!call.callee) return add("calls a function that is not known", expression);
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expression);
        member && keyed_class(object_type(*member)) && !allowed_.contains(member) &&
        identifier_of(call.callee).ends_with("begin"))
      return add("uses the elements of a set or map together", expression);
    const clang::CXXRecordDecl* container = call.object ? keyed_class(call.object->getType()) : nullptr;
    if (container) return look_at_method(call, expression, *container);
    if (is_of_library(*call.callee) && !look_at_library(call, expression)) return;
    if (is_looped() && calls_what_was_given(call))
      return add("calls a function with variables of its own in a loop over elements", expression);
    if (call.object && !is_const_method(call.callee)) check_write(*call.object);
    for (std::size_t at = 0; at < call.arguments.size(); ++at) {
      if (may_change_argument(call.callee, at, *call.arguments[at])) check_write(*call.arguments[at]);
    }
    look_into(*call.callee, expression);
  }

  /// Returns whether the arguments are to be looked at.
  bool look_at_library(const Call& call, const clang::CallExpr& expression) {
    const llvm::StringRef name = identifier_of(call.callee);
    if (name == "set_union" && call.arguments.size() == 5) {
      const clang::CXXRecordDecl* container = allow_range(*call.arguments[0], *call.arguments[1], nullptr);
      if (container) allow_range(*call.arguments[2], *call.arguments[3], container);
      if (!loops_.empty()) add("joins sets in a loop over elements", expression);
      return false;
    }
    const clang::OverloadedOperatorKind kind = call.callee->getOverloadedOperator();
    const bool steps = kind == clang::OO_PlusPlus || kind == clang::OO_MinusMinus || kind == clang::OO_Plus ||
                       kind == clang::OO_Minus || kind == clang::OO_PlusEqual || kind == clang::OO_MinusEqual;
    if (call.object && is_iterator(*call.object) && steps) {
      add("steps from one element to the next", expression);
      return false;
    }
    if (name == "inserter" || name == "move" || name == "forward" || name == "as_const" || name == "swap" ||
        name == "exchange") {
      for (const clang::Expr* argument : call.arguments) allow(*argument);
      return true;
    }
    if (name == "erase_if") {
      const auto* lambda = call.arguments.size() == 2
                               ? llvm::dyn_cast<clang::LambdaExpr>(&stripped(*call.arguments[1]))
                               : nullptr;
      if (!lambda || lambda->isMutable() ||
          llvm::any_of(lambda->captures(), [](const clang::LambdaCapture& one) {
            return !one.capturesVariable() || one.getCaptureKind() == clang::LCK_ByRef;
          }))
        add("removes elements by a function that is not understood", expression);
      return true;
    }
    const bool compares = kind == clang::OO_EqualEqual || kind == clang::OO_ExclaimEqual;
    for (const clang::Expr* argument : call.arguments) {
      if (!keyed_class(argument->getType()) && (compares || !is_iterator(*argument))) continue;
      add("hands elements to '" + call.callee->getNameAsString() + "'", expression);
      return false;
    }
    return true;
  }

  static bool is_iterator(const clang::Expr& expression) {
    const clang::CXXRecordDecl* record = expression.getType().getNonReferenceType()->getAsCXXRecordDecl();
    return record && identifier_of(record).contains("terator");
  }

  /// Whether it calls a lambda with captures, or a function that the caller does not know.
  static bool calls_what_was_given(const Call& call) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
    if (!method || method->getOverloadedOperator() != clang::OO_Call) return false;
    const clang::CXXRecordDecl& functor = *method->getParent();
    return functor.isLambda() ? !functor.captures().empty() : identifier_of(&functor) == "function";
  }

  /// Whether what is visited runs once for each of several elements.
  bool is_looped() const { return is_in_loop_ || !loops_.empty(); }

  void look_at_method(const Call& call, const clang::CallExpr& expression,
                      const clang::CXXRecordDecl& container) {
    const Choice choice = choice_of(call);
    if (choice == Choice::kRange) {
      if (!allow_range(*call.arguments[0], *call.arguments[1], &container))
        return add("inserts elements of another type of container", expression);
    } else if (choice == Choice::kAfterHint) {
      allow(*call.arguments[0]);
    }
    for (const clang::Expr* argument : call.arguments) {
      if (identifier_of(call.callee) == "merge" || identifier_of(call.callee) == "swap")
        check_write(*argument);
      if (const auto* other = keyed_class(argument->getType()); other && other != &container)
        add("puts one type of container into another", expression);
    }
    const llvm::StringRef name = identifier_of(call.callee);
    if (!is_const_method(call.callee) && name != "end" && name != "cend") check_write(expression);
  }

  /// Allows `begin` or `end` of a container where only a place in it is meant.
  void allow(const clang::Expr& place) {
    if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&stripped(place))) allowed_.insert(call);
  }

  /// Allows `x.begin(), x.end()`. Returns the class of `x`; null if it is not that, or not `wanted`.
  const clang::CXXRecordDecl* allow_range(const clang::Expr& first, const clang::Expr& last,
                                          const clang::CXXRecordDecl* wanted) {
    const auto* begin = llvm::dyn_cast<clang::CXXMemberCallExpr>(&stripped(first));
    const auto* end = llvm::dyn_cast<clang::CXXMemberCallExpr>(&stripped(last));
    if (!begin || !end || !is_begin(*begin) || !is_end(*end)) return nullptr;
    const clang::CXXRecordDecl* container = keyed_class(object_type(*begin));
    if (!container || container != keyed_class(object_type(*end)) || (wanted && container != wanted))
      return nullptr;
    if (variable_of(*begin) != variable_of(*end)) return nullptr;
    allowed_.insert(begin);
    return container;
  }

  static const clang::ValueDecl* variable_of(const clang::CXXMemberCallExpr& call) {
    const clang::Expr& object = stripped(*call.getImplicitObjectArgument());
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&object)) return name->getDecl();
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&object)) return member->getMemberDecl();
    return nullptr;
  }

  /// In loops over elements, only what belongs to the element of the present round may change.
  void check_write(const clang::Expr& target) {
    if (!is_looped() || found_) return;
    if (loops_.empty()) return check_write_of_called(target);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&stripped(target));
        name && llvm::any_of(loops_, [&](const ElementLoop& loop) {
          return loop.is_iterator && name->getDecl() == loop.variable;
        }))
      return add("steps from one element to the next", target);
    std::vector<Call> choices;  // of elements, the outermost container last
    const std::optional<std::size_t> outside = loops_outside(target, choices);
    if (!outside) return add("changes in a loop over elements what is not of the element", target);
    // The loops that the target does not belong to, from the outermost one, and how its elements are chosen.
    std::size_t loop = loops_.size() - *outside;
    for (auto choice = choices.rbegin(); loop < loops_.size(); ++loop, ++choice) {
      if (choice == choices.rend() || !is_chosen_by(*choice, loops_[loop]))
        return add("changes in a loop over elements what is not of the element", target);
    }
  }

  /// In a function that is called in a loop, what it was given may change: the caller has looked at that. A
  /// method that is const was not given its object to change.
  void check_write_of_called(const clang::Expr& target) {
    std::vector<Call> choices;
    is_of_this_ = false;
    if (!loops_outside(target, choices) || (is_of_this_ && is_const_))
      add("changes in a loop over elements what is not of the element", target);
  }

  /// How many loops the object begins outside of; nothing where that is not known. Appends the calls that
  /// choose an element of a set or map on the way to the object.
  std::optional<std::size_t> loops_outside(const clang::Expr& target, std::vector<Call>& choices) {
    const clang::Expr& at = stripped(target);
    if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&at)) return loops_outside(*name->getDecl());
    if (llvm::isa<clang::CXXThisExpr>(&at)) {
      is_of_this_ = true;
      return loops_.size();
    }
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&at))
      return loops_outside(*member->getBase(), choices);
    if (const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(&at))
      return loops_outside(*element->getBase(), choices);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&at);
        unary && unary->getOpcode() == clang::UO_Deref)
      return loops_outside(*unary->getSubExpr(), choices);
    const std::optional<Call> call = call_of(at);
    if (!call || !call->callee) return std::nullopt;
    if (!call->object) {
      const bool is_part = identifier_of(call->callee) == "get" && is_of_library(*call->callee);
      return is_part ? loops_outside(*call->arguments.front(), choices) : std::nullopt;
    }
    if (keyed_class(call->object->getType())) {
      choices.push_back(*call);
      return loops_outside(*call->object, choices);
    }
    const clang::OverloadedOperatorKind kind = call->callee->getOverloadedOperator();
    const bool leads_on = kind == clang::OO_Subscript || kind == clang::OO_Star || kind == clang::OO_Arrow ||
                          is_of_library(*call->callee);
    return leads_on ? loops_outside(*call->object, choices) : std::nullopt;
  }

  std::optional<std::size_t> loops_outside(const clang::ValueDecl& declared) const {
    std::size_t outside = 0;
    for (const ElementLoop& loop : llvm::reverse(loops_)) {
      if (belongs_to(declared, loop)) return outside;
      ++outside;
    }
    return outside;
  }

  /// Whether the variable is the loop's own, or is declared in its body.
  bool belongs_to(const clang::ValueDecl& declared, const ElementLoop& loop) const {
    if (&declared == loop.variable) return true;
    const auto* binding = llvm::dyn_cast<clang::BindingDecl>(&declared);
    if (binding && binding->getDecomposedDecl() == loop.variable) return true;
    const clang::SourceManager& sources = context_.files.sources();
    const auto is_before = [&](clang::SourceLocation one, clang::SourceLocation other) {
      return sources.isBeforeInTranslationUnit(one, other);
    };
    const clang::SourceLocation at = declared.getLocation();
    return !is_before(at, loop.body->getBeginLoc()) && is_before(at, loop.body->getEndLoc());
  }

  bool is_chosen_by(const Call& call, const ElementLoop& loop) const {
    if (keyed_class(call.object->getType()) != loop.container || call.arguments.empty()) return false;
    switch (choice_of(call)) {
      case Choice::kKey:
        return is_key(*call.arguments[0], loop);
      case Choice::kElement:
        return is_element(*call.arguments[0], loop);
      case Choice::kAfterHint:
        return is_element(*call.arguments[1], loop) || is_key(*call.arguments[1], loop);
      case Choice::kRange:
      case Choice::kNone:
        return false;
    }
    return false;
  }

  /// Whether the expression is the element of the loop's present round.
  static bool is_whole(const clang::Expr& expression, const ElementLoop& loop) {
    const clang::Expr& at = stripped(expression);
    if (loop.is_iterator) {
      const std::optional<Call> call = call_of(at);
      return call && call->callee && call->object && call->arguments.empty() &&
             (call->callee->getOverloadedOperator() == clang::OO_Star ||
              call->callee->getOverloadedOperator() == clang::OO_Arrow) &&
             is_name_of(stripped(*call->object), *loop.variable);
    }
    return is_name_of(at, *loop.variable);
  }
  static bool is_name_of(const clang::Expr& expression, const clang::VarDecl& variable) {
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&expression);
    return name && name->getDecl() == &variable;
  }

  /// Whether the expression is the key of the loop's present round.
  static bool is_key(const clang::Expr& expression, const ElementLoop& loop) {
    const clang::Expr& at = stripped(expression);
    if (!is_map(*loop.container) && is_whole(at, loop)) return true;
    if (loop.is_iterator && is_name_of(at, *loop.variable)) return true;  // `erase(at)`
    if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&at))
      return is_map(*loop.container) && identifier_of(member->getMemberDecl()) == "first" &&
             is_whole(*member->getBase(), loop);
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(&at);
    if (!name) return false;
    if (const auto* binding = llvm::dyn_cast<clang::BindingDecl>(name->getDecl())) {
      const auto* whole = llvm::dyn_cast<clang::DecompositionDecl>(binding->getDecomposedDecl());
      return whole == loop.variable && is_map(*loop.container) && whole->bindings().front() == binding;
    }
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    return variable && variable->getInit() && variable->getType().getNonReferenceType().isConstQualified() &&
           is_key(*variable->getInit(), loop);
  }

  /// Whether the expression is the element of the loop's present round, or another one with its key.
  static bool is_element(const clang::Expr& expression, const ElementLoop& loop) {
    const clang::Expr& at = stripped(expression);
    if (is_whole(at, loop)) return true;
    if (!is_map(*loop.container)) return is_key(at, loop);
    if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(&at))
      return list->getNumInits() == 2 && is_key(*list->getInit(0), loop);
    if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(&at))
      return construct->getNumArgs() == 2 && is_key(*construct->getArg(0), loop);
    const std::optional<Call> call = call_of(at);
    return call && identifier_of(call->callee) == "make_pair" && is_key(*call->arguments[0], loop);
  }

  void look_into(const clang::FunctionDecl& callee, const clang::Expr& at) {
    const clang::FunctionDecl* definition = is_of_library(callee) ? nullptr : read_definition(callee);
    auto& seen = is_looped() ? seen_.in_loops : seen_.elsewhere;
    if (found_ || !definition || !seen.insert(definition).second) return;
    if (const auto inner = MixedKeyFinder(context_, seen_, is_looped()).run(*definition))
      add("calls '" + callee.getNameAsString() + "', which " + inner->what, at);
  }

  void add(std::string what, const clang::Stmt& at) {
    if (!found_) found_ = Escape{std::move(what), context_.files.span(at.getSourceRange())};
  }

  const Context& context_;
  SeenFunctions& seen_;
  const bool is_in_loop_;
  bool is_const_ = false;           // the function is a const method
  bool is_of_this_ = false;         // what `loops_outside` has looked at last is a part of the object
  std::vector<ElementLoop> loops_;  // around what is visited, the innermost last
  llvm::SmallPtrSet<const clang::Expr*, 8> allowed_;
  std::optional<Escape> found_;
};

}  // namespace

std::optional<Escape> find_mixed_keys(const clang::FunctionDecl& function, const Context& context) {
  const clang::FunctionDecl* definition = read_definition(function);
  if (!definition) return Escape{"has no body that was read", {}};
  SeenFunctions seen;
  seen.elsewhere.insert(definition);
  return MixedKeyFinder(context, seen, false).run(*definition);
}

}  // namespace autoshard::tool
