#include "tool/frontend/bodies/body.h"

#include <clang/AST/ExprCXX.h>

#include "tool/frontend/bodies/path_visitor.h"
#include "tool/frontend/tokens/clang_attributes.h"

namespace autoshard::tool {
namespace {

/// Whether a value that is bound to `type` can be changed through it.
bool binds_for_writing(clang::QualType type) {
  return type->isReferenceType() && !type->getPointeeType().isConstQualified();
}

/// Whether the expression has a const type. A list in parentheses, in a template, has no type before the
/// initialised object is known.
bool is_const_object(const clang::Expr& expression) {
  return !expression.getType().isNull() && expression.getType().isConstQualified();
}

/// Whether the call only reads its arguments: std::as_const takes its argument by a plain reference.
bool only_reads_arguments(const clang::CallExpr& call) {
  const auto* callee = call.getDirectCallee();
  return callee && callee->isInStdNamespace() && callee->getDeclName().isIdentifier() &&
         callee->getName() == "as_const";
}

/// Whether an operator whose type depends on a template may write `child`: `archive & votes`, `stream >>
/// votes`.
bool may_fill(const clang::BinaryOperator& binary, const clang::Expr& child) {
  return binary.isTypeDependent() && binary.getRHS() == &child &&
         (binary.getOpcode() == clang::BO_And || binary.getOpcode() == clang::BO_Shr);
}

/// The use of an lvalue by its parent in the syntax tree.
enum class Step { kFollow, kRead, kWrite };

Step step_of_cast(const clang::CastExpr& cast) {
  switch (cast.getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_ToVoid:
      return Step::kRead;
    case clang::CK_NoOp:
      return is_const_object(cast) ? Step::kRead : Step::kFollow;
    default:
      return Step::kFollow;
  }
}

Step step_of_member(const clang::MemberExpr& member) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member.getMemberDecl());
  if (!method) return is_const_object(member) ? Step::kRead : Step::kFollow;
  return method->isConst() || method->isStatic() ? Step::kRead : Step::kWrite;
}

Step step_of_operator_call(const clang::CXXOperatorCallExpr& call, const clang::Expr& child) {
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
  if (method && call.getNumArgs() > 0 && call.getArg(0) == &child) {
    return method->isConst() || method->isStatic() ? Step::kRead : Step::kWrite;
  }
  return is_const_object(child) ? Step::kRead : Step::kWrite;
}

/// The use of `child`, an lvalue that is not constant, by its parent.
Step step_of(const clang::Stmt& parent, const clang::Expr& child) {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(&parent)) return step_of_cast(*cast);
  if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(&parent)) return step_of_member(*member);
  if (llvm::isa<clang::CXXDependentScopeMemberExpr>(parent)) return Step::kWrite;  // a method may write
  if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(&parent))
    return step_of_operator_call(*call, child);
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(&parent)) {
    return call->getCallee() == &child || only_reads_arguments(*call) ? Step::kRead : Step::kWrite;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&parent)) {
    if (binary->isAssignmentOp()) return binary->getLHS() == &child ? Step::kWrite : Step::kRead;
    if (binary->isTypeDependent()) return may_fill(*binary, child) ? Step::kWrite : Step::kRead;
    return binary->getOpcode() == clang::BO_Comma && binary->getLHS() == &child ? Step::kRead : Step::kFollow;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&parent)) {
    bool writes = unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf;
    return writes ? Step::kWrite : Step::kRead;
  }
  if (const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&parent)) {
    return binds_for_writing(loop->getLoopVariable()->getType()) ? Step::kWrite : Step::kRead;
  }
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXTypeidExpr, clang::CXXNoexceptExpr>(parent)) {
    return Step::kRead;
  }
  // An lvalue that reaches this place is bound to a reference.
  if (llvm::isa<clang::CXXConstructExpr, clang::InitListExpr, clang::LambdaExpr, clang::ReturnStmt>(parent)) {
    return Step::kWrite;
  }
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(&parent)) {
    for (const clang::Decl* decl : declaration->decls()) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (variable && variable->getInit() == &child) {
        return binds_for_writing(variable->getType()) ? Step::kWrite : Step::kRead;
      }
    }
    return Step::kRead;
  }
  return llvm::isa<clang::Expr>(parent) ? Step::kFollow : Step::kRead;
}

}  // namespace

bool is_written(llvm::ArrayRef<clang::Stmt*> path) {
  for (std::size_t at = path.size() - 1; at > 0; --at) {
    const auto* child = llvm::dyn_cast<clang::Expr>(path[at]);
    if (!child || is_const_object(*child)) return false;
    const Step step = step_of(*path[at - 1], *child);
    if (step != Step::kFollow) return step == Step::kWrite;
  }
  return false;
}

namespace {

class BodyReader : public PathVisitor<BodyReader> {
  using Base = PathVisitor<BodyReader>;

 public:
  BodyReader(const clang::CXXRecordDecl& entity, const Context& context)
      : entity_(entity.getCanonicalDecl()), context_(context) {}

  BodyFacts run(clang::Stmt* body) && {
    TraverseStmt(body);
    return std::move(facts_);
  }

  BodyFacts run(const clang::CXXConstructorDecl& constructor) && {
    for (const clang::CXXCtorInitializer* initialiser : constructor.inits()) {
      if (initialiser->isWritten()) TraverseStmt(initialiser->getInit());
    }
    return std::move(*this).run(constructor.getBody());
  }

  bool VisitMemberExpr(clang::MemberExpr* member) AUTOSHARD_OVERRIDE {
    if (base_is_this(*member)) {
      use_of_this(*member);
    } else if (const auto* field = field_of_entity(*member); field && is_written()) {
      facts_.uses.push_back({field->getNameAsString(), true, name_span(*member), !is_expiring(*member)});
      escape("changes another '" + entity_->getNameAsString() + "'", *member);
    }
    return true;
  }

  bool VisitReturnStmt(clang::ReturnStmt* statement) AUTOSHARD_OVERRIDE {
    const clang::Expr* value = statement->getRetValue();
    if (!value || lambdas_ > 0 || local_classes_ > 0) return true;
    (is_this(*value) || is_returned_this(*value) ? facts_.returns_this : facts_.returns_something_else) =
        true;
    return true;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) AUTOSHARD_OVERRIDE {
    ++lambdas_;
    bool go_on = Base::TraverseLambdaExpr(lambda);
    --lambdas_;
    return go_on;
  }

  bool VisitCXXThisExpr(clang::CXXThisExpr* expression) AUTOSHARD_OVERRIDE {
    if (expression->isImplicit() || local_classes_ > 0) return true;
    this_itself(*expression);
    return true;
  }

  /// `&Question::votes_`: a pointer to a member can change any object.
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) AUTOSHARD_OVERRIDE {
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(reference->getDecl()))
      use_of_static(*method, *reference);
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(reference->getDecl());
    const auto* parent = field ? llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent()) : nullptr;
    if (!parent || parent->getCanonicalDecl() != entity_) return true;
    facts_.uses.push_back({field->getNameAsString(), true, span(*reference)});
    escape("takes a pointer to the member '" + field->getNameAsString() + "'", *reference);
    return true;
  }

  /// A static variable of the body sees both runs of the method.
  bool VisitVarDecl(clang::VarDecl* variable) AUTOSHARD_OVERRIDE {
    if (!variable->isStaticLocal() || variable->getType().isConstant(context_.ast)) return true;
    facts_.escapes.push_back({"keeps the static variable '" + variable->getNameAsString() + "'",
                              context_.files.span({variable->getLocation(), variable->getLocation()}),
                              "it runs twice, which both runs would see"});
    return true;
  }

  bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* member) AUTOSHARD_OVERRIDE {
    if (member->isImplicitAccess())
      escape("uses '" + member->getMember().getAsString() + "' of a base class", *member);
    else
      use_of_any_type(*member);
    return true;
  }

  /// A class in the body has its own `this`.
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl* record) AUTOSHARD_OVERRIDE {
    ++local_classes_;
    const bool go_on = Base::TraverseCXXRecordDecl(record);
    --local_classes_;
    return go_on;
  }

 private:
  static const clang::Expr* bare(const clang::Expr& expression) { return expression.IgnoreParenImpCasts(); }

  /// `this` or `*this`, or a copy of it.
  bool is_this(const clang::Expr& expression) const {
    const clang::Expr* inner = expression.IgnoreUnlessSpelledInSource()->IgnoreParenImpCasts();
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner);
        unary && unary->getOpcode() == clang::UO_Deref) {
      inner = bare(*unary->getSubExpr());
    }
    return local_classes_ == 0 && llvm::isa<clang::CXXThisExpr>(inner);
  }

  /// Whether the expression is a call of a shard method that returns this object: `*this += 1`, `add(1)`.
  bool is_returned_this(const clang::Expr& expression) const {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(expression.IgnoreUnlessSpelledInSource());
    const auto* method =
        call ? llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee()) : nullptr;
    if (!method || method->isStatic() || method->getParent()->getCanonicalDecl() != entity_ ||
        !is_shard_method(*method->getCanonicalDecl(), context_))
      return false;
    const clang::CXXRecordDecl* result = method->getReturnType()->getPointeeCXXRecordDecl();
    if (!result || result->getCanonicalDecl() != entity_) return false;
    if (const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call))
      return is_this(*member->getImplicitObjectArgument());
    return llvm::isa<clang::CXXOperatorCallExpr>(call) && is_this(*call->getArg(0));
  }

  /// Notes a use of a member whose class is unknown in a template. If the entity has a member of this name,
  /// the use may be of that member.
  void use_of_any_type(const clang::CXXDependentScopeMemberExpr& member) {
    const clang::QualType base = member.getBaseType();
    const clang::QualType object =
        member.isArrow() && !base->getPointeeType().isNull() ? base->getPointeeType() : base;
    if (object.getNonReferenceType().isConstQualified()) return;
    const auto has_name = [&](const clang::FieldDecl* field) {
      return field->getDeclName() == member.getMember();
    };
    if (!entity_->getDefinition() || llvm::none_of(entity_->getDefinition()->fields(), has_name)) return;
    if (is_written()) facts_.uses.push_back({member.getMember().getAsString(), true, span(member)});
  }

  bool base_is_this(const clang::MemberExpr& member) const { return is_this(*member.getBase()); }

  const clang::FieldDecl* field_of_entity(const clang::MemberExpr& member) const {
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member.getMemberDecl());
    if (!field) return nullptr;
    const auto* parent = llvm::dyn_cast<clang::CXXRecordDecl>(field->getParent());
    return parent && parent->getCanonicalDecl() == entity_ ? field : nullptr;
  }

  void use_of_this(const clang::MemberExpr& member) {
    if (const auto* field = field_of_entity(member)) {
      if (field->isAnonymousStructOrUnion()) return;  // a rule of its own rejects it
      facts_.uses.push_back({field->getNameAsString(), is_written(), name_span(member)});
      if (member.hasQualifier()) escape("names '" + field->getNameAsString() + "' with its class", member);
      return;
    }
    const std::string name = "'" + member.getMemberDecl()->getNameAsString() + "'";
    if (!member.isImplicitAccess() && is_static(*member.getMemberDecl()))
      return escape("names the static member " + name + " through 'this'", member);
    if (llvm::isa<clang::FieldDecl>(member.getMemberDecl()))
      return escape("uses " + name + " of a base class", member);
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member.getMemberDecl())) {
      if (member.hasQualifier() && !method->isStatic()) escape("names " + name + " with its class", member);
      call_on_this(*method, member);
    }
  }

  /// Notes a use of a static method that has the same name as a shard method. In the shard, the shard method
  /// would hide it.
  void use_of_static(const clang::CXXMethodDecl& method, const clang::DeclRefExpr& reference) {
    if (reference.hasQualifier() || method.getParent()->getCanonicalDecl() != entity_) return;
    const auto hides = [&](const clang::CXXMethodDecl* other) {
      return other->getDeclName() == method.getDeclName() && is_shard_method(*other, context_);
    };
    if (is_shard_method(method, context_) || llvm::none_of(entity_->getDefinition()->methods(), hides))
      return;
    facts_.escapes.push_back({"calls the static '" + method.getNameAsString() + "'", span(reference),
                              "the shard method of the same name hides it there; rename one of the two"});
  }

  static bool is_static(const clang::ValueDecl& member) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&member);
    return method ? method->isStatic() : llvm::isa<clang::VarDecl, clang::EnumConstantDecl>(member);
  }

  template <typename At>
  void call_on_this(const clang::CXXMethodDecl& method, const At& at) {
    if (method.isStatic()) return;
    const auto* declared = llvm::cast<clang::CXXMethodDecl>(method.getCanonicalDecl());
    if (is_shard_method(*declared, context_)) return facts_.calls.push_back(declared);
    escape("calls the plain method '" + method.getNameAsString() + "'", at);
  }

  bool is_written() const { return tool::is_written(path()); }

  /// Classifies an explicit `this`: an access to a member, a result, or an escape.
  void this_itself(const clang::CXXThisExpr& expression) {
    for (std::size_t at = path().size() - 1; at > 0; --at) {
      const clang::Stmt* parent = path()[at - 1];
      if (llvm::isa<clang::MemberExpr, clang::ReturnStmt>(parent)) return;
      if (llvm::isa<clang::LambdaExpr>(parent)) return;  // the lambda's body shows the uses of the capture
      if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::CXXNoexceptExpr>(parent))
        return;  // not evaluated
      if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(parent))
        return operator_on_this(*call, path()[at]);
      if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(parent);
          unary && unary->getOpcode() == clang::UO_Deref) {
        continue;
      }
      if (const auto* construct = llvm::dyn_cast<clang::CXXConstructExpr>(parent)) {
        if (construct->getConstructor()->isCopyConstructor())
          continue;  // a copy is returned, or escapes further up
        break;
      }
      if (!llvm::isa<clang::ParenExpr, clang::ImplicitCastExpr, clang::ExprWithCleanups>(parent)) break;
    }
    if (replaces_its_argument()) write_all(expression);
    escape("passes 'this' on", expression);
  }

  /// Whether the path ends in an argument of `std::swap`, `std::exchange`, `memset` or `new (this)`.
  bool replaces_its_argument() const {
    for (const clang::Stmt* parent : llvm::reverse(path().drop_back())) {
      if (llvm::isa<clang::CXXNewExpr>(parent)) return true;
      const auto* call = llvm::dyn_cast<clang::CallExpr>(parent);
      if (!call) continue;
      const clang::FunctionDecl* callee = call->getDirectCallee();
      const bool has_name = callee && callee->getDeclName().isIdentifier();
      return has_name &&
             llvm::is_contained({"swap", "exchange", "memset", "memcpy", "memmove"}, callee->getName());
    }
    return false;
  }

  /// Notes a write to each member, because the whole object gets a new value.
  void write_all(const clang::Expr& at) {
    for (const clang::FieldDecl* field : entity_->getDefinition()->fields()) {
      if (!field->isAnonymousStructOrUnion())
        facts_.uses.push_back({field->getNameAsString(), true, span(at)});
    }
  }

  /// Whether `member` belongs to a local object or to the target of an rvalue reference, as in a move
  /// constructor.
  static bool is_expiring(const clang::MemberExpr& member) {
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(bare(*member.getBase()));
    const clang::QualType type = reference ? reference->getDecl()->getType() : clang::QualType();
    return reference && !type->isLValueReferenceType() && !type->isPointerType();
  }

  void operator_on_this(const clang::CXXOperatorCallExpr& call, const clang::Stmt* operand) {
    const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call.getDirectCallee());
    if (method && call.getArg(0) == operand && method->getParent()->getCanonicalDecl() == entity_) {
      if (method->isCopyAssignmentOperator() || method->isMoveAssignmentOperator()) write_all(call);
      call_on_this(*method, call);
    } else {
      escape("passes 'this' on", call);
    }
  }

  void escape(std::string what, const clang::MemberExpr& at) {
    facts_.escapes.push_back({std::move(what), name_span(at)});
  }
  void escape(std::string what, const clang::Expr& at) {
    facts_.escapes.push_back({std::move(what), span(at)});
  }
  Span name_span(const clang::MemberExpr& at) {
    return context_.files.span({at.getMemberLoc(), at.getMemberLoc()});
  }
  Span span(const clang::Expr& at) { return context_.files.span(at.getSourceRange()); }

  const clang::CXXRecordDecl* entity_;
  const Context& context_;
  unsigned lambdas_ = 0;
  unsigned local_classes_ = 0;
  BodyFacts facts_;
};

}  // namespace

BodyFacts read_initialiser(clang::Expr& initialiser, const clang::CXXRecordDecl& entity,
                           const Context& context) {
  return BodyReader(entity, context).run(&initialiser);
}

BodyFacts read_body(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                    const Context& context) {
  if (function.isDefaulted() || function.isDeleted() || !function.hasBody()) return {};
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function))
    return BodyReader(entity, context).run(*constructor);
  return BodyReader(entity, context).run(function.getBody());
}

bool is_annotated(const clang::CXXRecordDecl& record, const Context& context) {
  const clang::CXXRecordDecl* definition = record.getDefinition();
  return definition &&
         llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"entity", "mapped", "embedded"},
                      [&](llvm::StringRef name) { return has_attribute(*definition, name, context); });
}

bool is_shard_method(const clang::Decl& decl, const Context& context) {
  return has_attribute(decl, "shard_method", context) || has_attribute(decl, "shard_write", context);
}

bool has_attribute(const clang::Decl& decl, llvm::StringRef name, const Context& context) {
  return llvm::any_of(attributes_of(decl), [&](clang::SourceLocation location) {
    const FoundAttribute* found = context.attributes.at(location);
    return found && found->annotation.name == name;
  });
}

}  // namespace autoshard::tool
