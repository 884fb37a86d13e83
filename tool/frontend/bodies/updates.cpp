#include "tool/frontend/bodies/updates.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/StringSwitch.h>

#include "tool/frontend/bodies/operations.h"
#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

/// Whether an update truncates a computed fraction. The lost part depends on the value before the update.
bool truncates(clang::QualType value, clang::QualType computed) {
  return value->isIntegralOrEnumerationType() && computed->isFloatingType();
}

std::optional<Operation> operation_named(llvm::StringRef method) {
  return llvm::StringSwitch<std::optional<Operation>>(method)
      .Case("insert", Operation::kInsert)
      .Case("emplace", Operation::kInsert)
      .Case("push_back", Operation::kAppend)
      .Case("emplace_back", Operation::kAppend)
      .Case("push_front", Operation::kPrepend)
      .Case("emplace_front", Operation::kPrepend)
      .Case("insert_or_assign", Operation::kPut)
      .Default(std::nullopt);
}

bool is_standard(const clang::FunctionDecl* function) { return function && tool::is_standard(*function); }

/// Whether an `operator=` replaces the whole value.
bool replaces(const clang::FunctionDecl* assignment) {
  return assignment && (tool::is_standard(*assignment) || assignment->isDefaulted());
}

/// An assignment by `=`, of any type.
struct Assignment {
  const clang::Expr* to;
  const clang::Expr* value;
};

std::optional<Assignment> assignment(const clang::Expr& expression) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
  if (binary && binary->getOpcode() == clang::BO_Assign)
    return Assignment{&bare(*binary->getLHS()), &bare(*binary->getRHS())};
  const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression);
  if (call && call->getOperator() == clang::OO_Equal && replaces(call->getDirectCallee()))
    return Assignment{&bare(*call->getArg(0)), &bare(*call->getArg(1))};
  return std::nullopt;
}

/// A data member of the object, or a field within one: `range_.least`.
struct Target {
  const clang::MemberExpr* member = nullptr;  ///< of the object
  const clang::MemberExpr* field = nullptr;   ///< the same, if it is the member itself

  explicit operator bool() const { return member != nullptr; }
  bool is_field() const { return field != member; }
  clang::QualType type() const { return field->getType(); }

  /// The names of the fields within the member: `least`, or `east.least`.
  std::string path() const {
    std::string names;
    for (const clang::MemberExpr* at = field; at != member; at = outer(*at))
      names = at->getMemberDecl()->getNameAsString() + (names.empty() ? "" : "." + names);
    return names;
  }
  static const clang::MemberExpr* outer(const clang::MemberExpr& field) {
    return llvm::dyn_cast<clang::MemberExpr>(&bare(*field.getBase()));
  }
};

bool are_same(const Target& one, const Target& other) {
  const clang::MemberExpr* left = one.field;
  const clang::MemberExpr* right = other.field;
  while (left->getMemberDecl() == right->getMemberDecl() && left != one.member && right != other.member) {
    left = Target::outer(*left);
    right = Target::outer(*right);
  }
  return left == one.member && right == other.member && left->getMemberDecl() == right->getMemberDecl();
}

/// Finds the updates among the statements and discarded expressions. A value that is used discloses the
/// member, so it is no update.
class UpdateFinder {
 public:
  UpdateFinder(const clang::CXXRecordDecl& entity, const Context& context)
      : entity_(entity.getCanonicalDecl()), context_(context) {}

  Updates run(const clang::Stmt* body) && {
    const auto* block = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
    if (!block) {  // of a function with a `try` block
      read(body);
      return std::move(found_);
    }
    found_.are_all = true;
    for (const clang::Stmt* statement : block->body()) {
      last_ = nullptr;
      read(statement);
      const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
      found_.are_all &= last_ == (expression ? &bare(*expression) : statement);
      const auto assigned = expression ? assignment(bare(*expression)) : std::nullopt;
      if (assigned && own_member(*assigned->to)) ++found_.assignments;
    }
    found_.only_assigns = found_.assignments == block->size();
    return std::move(found_);
  }

 private:
  void read(const clang::Stmt* statement) {
    if (!statement) return;
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) return read_expression(*expression);
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) return read_if(*branch);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
      read(loop->getInit());
      read(loop->getInc());
      return read(loop->getBody());
    }
    if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(statement)) return read(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::DoStmt>(statement)) return read(loop->getBody());
    if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) return read(loop->getBody());
    if (const auto* branch = llvm::dyn_cast<clang::SwitchStmt>(statement)) return read(branch->getBody());
    if (const auto* label = llvm::dyn_cast<clang::SwitchCase>(statement)) return read(label->getSubStmt());
    if (llvm::isa<clang::CompoundStmt, clang::CXXTryStmt, clang::CXXCatchStmt, clang::AttributedStmt>(
            statement)) {
      for (const clang::Stmt* child : statement->children()) read(child);
    }
  }

  void read_if(const clang::IfStmt& branch) {
    if (read_guarded_extreme(branch)) return;
    read(branch.getInit());
    read(branch.getThen());
    read(branch.getElse());
  }

  void read_expression(const clang::Expr& written) {
    const clang::Expr& expression = bare(written);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression)) {
      if (!unary->isIncrementDecrementOp()) return;
      if (Update* update = add(Operation::kAdd, *unary->getSubExpr(), nullptr, expression))
        update->operand = Operand::kConstant;
    } else if (const auto* compound = llvm::dyn_cast<clang::CompoundAssignOperator>(&expression)) {
      const auto operation = operation_of(compound->getOpcode());
      if (operation && !truncates(compound->getType(), compound->getComputationResultType()))
        add(*operation, *compound->getLHS(), compound->getRHS(), expression);
    } else if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
               binary && binary->getOpcode() == clang::BO_Comma) {
      read_expression(*binary->getLHS());
      read_expression(*binary->getRHS());
    } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&expression)) {
      read_expression(*choice->getTrueExpr());
      read_expression(*choice->getFalseExpr());
    } else if (const Target map = put_into(expression)) {
      add(Operation::kPut, {map}, nullptr, expression);
    } else if (const auto assigned = assignment(expression)) {
      read_assignment(*assigned, expression);
    } else if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression)) {
      read_operator(*operation);
    } else if (const auto* call = llvm::dyn_cast<clang::CXXMemberCallExpr>(&expression)) {
      const clang::CXXMethodDecl* method = call->getMethodDecl();
      if (!is_standard(method) || !method->getDeclName().isIdentifier()) return;
      if (read_insertion_at_end(*call) || read_bits(*call)) return;
      if (const auto named = operation_named(method->getName()))
        add(*named, *call->getImplicitObjectArgument(), nullptr, expression);
    }
  }

  /// `list_.insert(list_.end(), …)`
  bool read_insertion_at_end(const clang::CXXMemberCallExpr& call) {
    if (call.getMethodDecl()->getName() != "insert" || call.getNumArgs() < 2) return false;
    const auto* end = llvm::dyn_cast<clang::CXXMemberCallExpr>(&bare(*call.getArg(0)));
    const clang::CXXMethodDecl* method = end ? end->getMethodDecl() : nullptr;
    if (!method || !method->getDeclName().isIdentifier()) return false;
    if (method->getName() != "end" && method->getName() != "cend") return false;
    const Target member = target_of(*call.getImplicitObjectArgument());
    const Target same = target_of(*end->getImplicitObjectArgument());
    if (!member || !same || !are_same(member, same)) return false;
    add(Operation::kAppend, {member, same}, nullptr, call);
    return true;
  }

  /// `spent_ += duration`, `flags_ |= more`
  void read_operator(const clang::CXXOperatorCallExpr& call) {
    if (!is_standard(call.getDirectCallee())) return;
    const bool adds = call.getOperator() == clang::OO_PlusEqual ||
                      call.getOperator() == clang::OO_MinusEqual ||
                      call.getOperator() == clang::OO_PlusPlus || call.getOperator() == clang::OO_MinusMinus;
    if (adds) add(Operation::kAdd, *call.getArg(0), nullptr, call);
    const bool combines = call.getOperator() == clang::OO_PipeEqual ||
                          call.getOperator() == clang::OO_AmpEqual ||
                          call.getOperator() == clang::OO_CaretEqual;
    if (!combines || !is_bitset(call.getArg(0)->getType())) return;
    const auto operation = operation_of(clang::BinaryOperator::getOverloadedOpcode(call.getOperator()));
    add(*operation, *call.getArg(0), call.getArg(1), call);
  }

  /// `flags_.set(bit)`
  bool read_bits(const clang::CXXMemberCallExpr& call) {
    const auto change = read_bit_change(call);
    if (!change) return false;
    Update* update = add(change->operation, *call.getImplicitObjectArgument(), change->bit, call);
    if (update && !change->bit) update->operand = Operand::kConstant;
    return true;
  }

  /// `x = x + n`, `x = std::max(x, n)`, `x = n > x ? n : x`
  void read_assignment(const Assignment& assigned, const clang::Expr& whole) {
    const Target member = target_of(*assigned.to);
    if (!member) return;
    const clang::Expr& value = *without_cast_to(member.type(), assigned.value);
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&value)) {
      read_computed(member, binary->getOpcode(), *binary->getLHS(), *binary->getRHS(), binary->getType(),
                    whole);
    } else if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&value)) {
      if (operation->getNumArgs() == 2 && is_standard(operation->getDirectCallee()) &&
          !is_text(operation->getType())) {
        read_computed(member, clang::BinaryOperator::getOverloadedOpcode(operation->getOperator()),
                      *operation->getArg(0), *operation->getArg(1), operation->getType(), whole);
      }
    } else if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&value)) {
      read_choice(member, *choice, whole);
    } else if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&value)) {
      read_extreme(member, *call, whole);
    }
  }

  /// The map of `pages_[name] = page`, for any type of value; no target for any other expression.
  Target put_into(const clang::Expr& expression) const {
    const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
    const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&expression);
    const clang::Expr* to = nullptr;
    if (binary && binary->getOpcode() == clang::BO_Assign) to = binary->getLHS();
    if (call && call->getOperator() == clang::OO_Equal) to = call->getArg(0);
    const auto* at = to ? llvm::dyn_cast<clang::CXXOperatorCallExpr>(&bare(*to)) : nullptr;
    if (!at || at->getOperator() != clang::OO_Subscript || !is_standard(at->getDirectCallee())) return {};
    const Target member = target_of(*at->getArg(0));
    return member && is_map(member.type()) ? member : Target();
  }

  void read_computed(const Target& member, clang::BinaryOperatorKind code, const clang::Expr& left,
                     const clang::Expr& right, clang::QualType computed, const clang::Expr& whole) {
    const auto operation = operation_of(code);
    if (!operation || truncates(member.type(), computed)) return;
    const Target on_left = target_of(left);
    const Target on_right = code == clang::BO_Sub ? Target() : target_of(right);
    const bool is_left = on_left && are_same(on_left, member);
    const bool is_right = on_right && are_same(on_right, member);
    if (is_left == is_right) return;
    add(*operation, {member, is_left ? on_left : on_right}, is_left ? &right : &left, whole);
  }

  /// `x = std::max(x, n)`
  void read_extreme(const Target& member, const clang::CallExpr& call, const clang::Expr& whole) {
    const auto extreme = read_standard_extreme(call);
    if (!extreme || !same_type(call.getType(), member.type())) return;
    const Target first = target_of(*extreme->one);
    const Target second = target_of(*extreme->other);
    const bool is_first = first && are_same(first, member);
    const bool is_second = second && are_same(second, member);
    if (is_first == is_second) return;
    add(extreme->operation, {member, is_first ? first : second}, is_first ? extreme->other : extreme->one,
        whole);
  }

  /// `n > x ? n : x`
  void read_choice(const Target& member, const clang::ConditionalOperator& choice, const clang::Expr& whole) {
    const auto compared = read_comparison(*choice.getCond());
    const clang::Expr& chosen = bare(*choice.getTrueExpr());
    const clang::Expr& other = bare(*choice.getFalseExpr());
    const auto extreme = compared ? extreme_of(*compared, chosen, other, context_.ast) : std::nullopt;
    if (extreme) add_extreme(*extreme, member, *compared, {&chosen, &other}, whole);
  }

  /// `if (n > x) x = n;`
  bool read_guarded_extreme(const clang::IfStmt& branch) {
    if (branch.getElse() || branch.getInit() || branch.hasVarStorage()) return false;
    const clang::Stmt* only = branch.getThen();
    if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(only)) {
      if (block->size() != 1) return false;
      only = block->body_front();
    }
    const auto* expression = llvm::dyn_cast<clang::Expr>(only);
    const auto assigned = expression ? assignment(bare(*expression)) : std::nullopt;
    const auto compared = read_comparison(*branch.getCond());
    const Target member = assigned ? target_of(*assigned->to) : Target();
    if (!member || !compared) return false;
    const auto extreme = extreme_of(*compared, *assigned->value, *member.field, context_.ast);
    return extreme && add_extreme(*extreme, member, *compared, {}, branch);
  }

  /// Adds an extreme if one compared operand is the member. The other operand must be a value that can be
  /// computed twice.
  bool add_extreme(Operation extreme, const Target& member, const Comparison& compared,
                   llvm::ArrayRef<const clang::Expr*> arms, const clang::Stmt& whole) {
    llvm::SmallVector<Target, 4> uses{member};
    const clang::Expr* brought = nullptr;
    std::size_t compared_members = 0;
    for (const clang::Expr* operand : {compared.greater, compared.lesser}) {
      const Target used = target_of(*operand);
      if (used && are_same(used, member)) {
        uses.push_back(used);
        ++compared_members;
      } else if (operand->HasSideEffects(context_.ast, /*IncludePossibleEffects=*/false) ||
                 !is_contained_in(operand->getType(), member.type())) {
        return false;
      } else {
        brought = operand;
      }
    }
    if (compared_members != 1) return false;
    for (const clang::Expr* arm : arms) {
      const Target used = target_of(*arm);
      if (used && are_same(used, member)) uses.push_back(used);
    }
    add(extreme, uses, brought, whole);
    return true;
  }

  /// The data member of this object that `expression` names; null for any other expression. Null also if it
  /// comes from a macro, because the text of a macro may serve several uses.
  const clang::MemberExpr* own_member(const clang::Expr& expression) const {
    const auto* member = llvm::dyn_cast<clang::MemberExpr>(&bare(expression));
    const auto* field = member ? llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl()) : nullptr;
    if (!field || member->getMemberLoc().isMacroID() || !is_this(bare(*member->getBase()))) return nullptr;
    const auto* parent = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
    return parent && parent->getCanonicalDecl() == entity_ ? member : nullptr;
  }

  /// The member that `expression` names, or the field in one; no target for any other expression.
  Target target_of(const clang::Expr& expression) const {
    const auto* field = llvm::dyn_cast<clang::MemberExpr>(&bare(expression));
    for (const clang::MemberExpr* at = field; at; at = Target::outer(*at)) {
      if (const clang::MemberExpr* member = own_member(*at)) return {member, field};
      const bool is_named = llvm::isa<clang::FieldDecl>(at->getMemberDecl()) &&
                            !at->getMemberDecl()->getName().empty() && !at->getMemberLoc().isMacroID();
      if (at->isArrow() || !is_named) break;
    }
    return {};
  }

  /// `this` or `*this`
  static bool is_this(const clang::Expr& object) {
    const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&object);
    const bool is_dereferenced = unary && unary->getOpcode() == clang::UO_Deref;
    return llvm::isa<clang::CXXThisExpr>(is_dereferenced ? bare(*unary->getSubExpr()) : object);
  }

  /// Whether the type `to` holds each value of the type `from`, with the same sign.
  bool is_contained_in(clang::QualType from, clang::QualType to) const {
    if (same_type(from, to)) return true;
    const bool are_integers = from->isIntegerType() && to->isIntegerType() && !from->isEnumeralType() &&
                              !to->isEnumeralType() &&
                              from->isSignedIntegerType() == to->isSignedIntegerType();
    const bool are_real = from->isRealFloatingType() && to->isRealFloatingType();
    return (are_integers || are_real) && context_.ast.getTypeSize(from) <= context_.ast.getTypeSize(to);
  }

  /// The operand of a cast to `type`: `x | n` of `static_cast<T>(x | n)`. Arithmetic may have widened it. Any
  /// other value is returned unchanged.
  static const clang::Expr* without_cast_to(clang::QualType type, const clang::Expr* value) {
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(value);
    return cast && same_type(cast->getType(), type) ? &bare(*cast->getSubExpr()) : value;
  }

  static bool is_map(clang::QualType type) {
    const auto* record = type->getAsCXXRecordDecl();
    return record && (record->getName() == "map" || record->getName() == "unordered_map");
  }

  /// Whether `brought` is a literal or a named constant, maybe with a sign.
  bool is_constant(const clang::Expr& brought) const {
    const auto* sign = llvm::dyn_cast<clang::UnaryOperator>(&brought);
    const clang::Expr& value = sign ? bare(*sign->getSubExpr()) : brought;
    clang::Expr::EvalResult result;
    return llvm::isa<clang::IntegerLiteral, clang::CharacterLiteral, clang::CXXBoolLiteralExpr,
                     clang::DeclRefExpr>(value) &&
           !brought.isInstantiationDependent() && brought.getType()->isIntegralType(context_.ast) &&
           brought.EvaluateAsInt(result, context_.ast);
  }

  void read_operand(const clang::Expr& written, Update& update) const {
    const clang::Expr& brought = bare(written);
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&brought);
    if (const auto* parameter =
            reference ? llvm::dyn_cast<clang::ParmVarDecl>(reference->getDecl()) : nullptr) {
      update.operand = Operand::kParameter;
      update.parameter = parameter->getFunctionScopeIndex();
    } else if (is_constant(brought)) {
      update.operand = Operand::kConstant;
    }
  }

  /// Adds an update of `changed`, a member or a value in a map member. Returns null if it is neither.
  /// `brought` is the operand; it is null if there is none.
  Update* add(Operation operation, const clang::Expr& changed, const clang::Expr* brought,
              const clang::Stmt& whole) {
    if (const Target member = target_of(changed)) return add(operation, {member}, brought, whole);
    const auto* at = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&bare(changed));
    if (!at || at->getOperator() != clang::OO_Subscript || !is_standard(at->getDirectCallee()))
      return nullptr;
    const Target member = target_of(*at->getArg(0));
    if (!member) return nullptr;
    Update* update = add(operation, {member}, brought, whole);
    update->by_key = true;
    return update;
  }

  Update* add(Operation operation, llvm::ArrayRef<Target> uses, const clang::Expr* brought,
              const clang::Stmt& whole) {
    const Target& changed = uses.front();
    Update& update = (changed.is_field() ? found_.of_fields : found_.updates).emplace_back();
    update.member = changed.member->getMemberDecl()->getNameAsString();
    update.field = changed.path();
    update.operation = operation;
    update.span = context_.files.span(whole.getSourceRange());
    for (const Target& use : uses)
      update.uses.push_back(context_.files.span({use.member->getMemberLoc(), use.member->getMemberLoc()}));
    if (brought) read_operand(*brought, update);
    if (!changed.is_field()) last_ = &whole;
    return &update;
  }

  const clang::CXXRecordDecl* entity_;
  const Context& context_;
  Updates found_;
  const clang::Stmt* last_ = nullptr;  ///< the statement or expression of the last update
};

}  // namespace

Updates read_updates(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                     const Context& context) {
  if (function.isDefaulted() || function.isDeleted() || !function.hasBody()) return {};
  return UpdateFinder(entity, context).run(function.getBody());
}

}  // namespace autoshard::tool
