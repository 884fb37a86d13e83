#include "tool/frontend/effects/effects.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>

#include "tool/frontend/bodies/acting.h"
#include "tool/frontend/bodies/body.h"
#include "tool/frontend/bodies/callees.h"
#include "tool/frontend/bodies/path_visitor.h"
#include "tool/frontend/bodies/standard.h"
#include "tool/frontend/effects/found_effects.h"
#include "tool/frontend/effects/handed_types.h"
#include "tool/frontend/effects/lambdas.h"
#include "tool/frontend/effects/shared_state.h"

namespace autoshard::tool {
namespace {

class EffectReader : public EvaluatedVisitor<EffectReader> {
  using Base = EvaluatedVisitor<EffectReader>;

 public:
  EffectReader(const Context& context, Summaries& summaries)
      : context_(context), summaries_(summaries), found_(context.files) {}

  /// Reads the function whose effects are wanted.
  Effects run(const clang::FunctionDecl& function) && {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    is_root_method_ = method && !method->isStatic() && !method->getParent()->isLambda();
    found_.begin_root();
    read(function);
    return std::move(found_).take();
  }

  Summary read_called(const clang::FunctionDecl& function) && {
    read(function);
    return std::move(found_).take();
  }

  Summary read_initialiser(clang::Expr& initialiser) && {
    TraverseStmt(&initialiser);
    return std::move(found_).take();
  }

  /// A class in the body has its own `this`.
  bool TraverseCXXRecordDecl(clang::CXXRecordDecl* record) AUTOSHARD_OVERRIDE {
    ++local_classes_;
    const bool go_on = Base::TraverseCXXRecordDecl(record);
    --local_classes_;
    return go_on;
  }

  bool VisitCXXDefaultArgExpr(clang::CXXDefaultArgExpr* argument) AUTOSHARD_OVERRIDE {
    const clang::Stmt& call = path().size() > 1 ? *path()[path().size() - 2] : *argument;
    add_nested(*argument->getParam(), *argument->getExpr(), call.getSourceRange(),
               "has a default argument that ");
    return true;
  }

  bool VisitCXXDefaultInitExpr(clang::CXXDefaultInitExpr* initialiser) AUTOSHARD_OVERRIDE {
    const clang::Stmt& user = path().size() > 1 ? *path()[path().size() - 2] : *initialiser;
    add_nested(*initialiser->getField(), *initialiser->getExpr(), user.getSourceRange(),
               "initialises '" + initialiser->getField()->getNameAsString() + "', which ");
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) AUTOSHARD_OVERRIDE {
    const clang::ValueDecl& decl = *reference->getDecl();
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl)) visit_variable(*variable, *reference);
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
      run_function(*function, reference->getSourceRange(), call_in_words(*function));
    } else if (is_strict() && decl.getType().getNonReferenceType()->isFunctionPointerType()) {
      found_.add(kUnknown, reference->getSourceRange());
    }
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) AUTOSHARD_OVERRIDE {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      visit_variable(*variable, *member);
    const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
    if (field && changes_through(*field, path()))
      change_part(*field, *member->getBase(), member->getSourceRange());
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
    if (method && method->isStatic()) run_function(*method, member->getSourceRange(), call_in_words(*method));
    return true;
  }

  /// A generic lambda without an instance may call each of the overloads.
  bool VisitUnresolvedLookupExpr(clang::UnresolvedLookupExpr* names) AUTOSHARD_OVERRIDE {
    for (const clang::NamedDecl* decl : names->decls()) {
      const clang::NamedDecl* found = decl->getUnderlyingDecl();
      if (const auto* function = found->getAsFunction())
        run_function(*function, names->getSourceRange(), call_in_words(*function));
    }
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) AUTOSHARD_OVERRIDE {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (!callee) {
      visit_unknown_call(*call);
      return true;
    }
    if (is_of_library(*callee)) {
      hand_on(*callee, call->arguments(), call->getSourceRange());
      if (const auto* operation = llvm::dyn_cast<clang::CXXOperatorCallExpr>(call);
          operation && operation->getOperator() == clang::OO_Call && is_std_function(*callee))
        visit_unknown_object(*operation->getArg(0), *call);
      return true;
    }
    const clang::FunctionDecl* definition = is_made_by_compiler(*callee) ? nullptr : read_definition(*callee);
    if (!definition) return true;
    const Summary& summary = summary_of(*callee, *definition);
    if (summary.changed_part) {
      for (const clang::Expr* argument : call->arguments())
        change_part(*summary.changed_part, *argument, call->getSourceRange());
    }
    if (summary.handed_out) visit_handed_out(*callee, *summary.handed_out, *call);
    return true;
  }

  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) AUTOSHARD_OVERRIDE {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (!method || is_on_root(*call)) return true;
    if (!is_strict() && may_be_overridden(*call, *method)) {
      found_.add_unseen(*method, Unseen::kOverridden, call->getSourceRange());
    } else {
      run_function(*method, call->getSourceRange(), call_in_words(*method));
    }
    const clang::FunctionDecl* definition = is_of_library(*method) ? nullptr : read_definition(*method);
    if (const auto* field = definition ? summary_of(*method, *definition).changed_part : nullptr)
      change_part(*field, *call->getImplicitObjectArgument(), call->getSourceRange());
    if (!leaves_its_object_alone(*method)) visit_shared_object(*call->getImplicitObjectArgument());
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) AUTOSHARD_OVERRIDE {
    const clang::CXXConstructorDecl& constructor = *construct->getConstructor();
    if (is_of_library(constructor))
      hand_on(constructor, llvm::ArrayRef(construct->getArgs(), construct->getNumArgs()),
              construct->getSourceRange());
    run_function(constructor, construct->getSourceRange(),
                 "makes a '" + constructor.getParent()->getNameAsString() + "'");
    return true;
  }

  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr* temporary) AUTOSHARD_OVERRIDE {
    destroy(temporary->getType(), temporary->getSourceRange());
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) AUTOSHARD_OVERRIDE {
    if (variable->isLocalVarDecl() && !variable->isStaticLocal())
      destroy(variable->getType(), {variable->getLocation(), variable->getLocation()});
    return true;
  }

  bool VisitCXXNewExpr(clang::CXXNewExpr* expression) AUTOSHARD_OVERRIDE {
    if (const auto* function = expression->getOperatorNew())
      run_allocation(*function, expression->getSourceRange());
    return true;
  }

  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* expression) AUTOSHARD_OVERRIDE {
    if (!expression->getDestroyedType().isNull())
      destroy(expression->getDestroyedType(), expression->getSourceRange());
    if (const auto* function = expression->getOperatorDelete())
      run_allocation(*function, expression->getSourceRange());
    return true;
  }

  bool VisitCastExpr(clang::CastExpr* cast) AUTOSHARD_OVERRIDE {
    if (cast->getCastKind() == clang::CK_PointerToIntegral)
      found_.add("uses an address as a number", cast->getSourceRange());
    if (cast->getCastKind() == clang::CK_IntegralToPointer)
      found_.add("uses what is at an address of the machine", cast->getSourceRange());
    return true;
  }

  bool VisitCXXConstCastExpr(clang::CXXConstCastExpr* cast) AUTOSHARD_OVERRIDE {
    if (changes_a_constant(*cast, path()))
      found_.add("changes what is const, through a 'const_cast'", cast->getSourceRange());
    return true;
  }

  bool VisitAsmStmt(clang::AsmStmt* statement) AUTOSHARD_OVERRIDE {
    found_.add("runs assembly code", statement->getSourceRange());
    return true;
  }

 private:
  static constexpr const char* kUnknown = "calls a function that is only known when it runs";

  /// Whether unknown calls count as effects. They do in a run that makes suggestions.
  bool is_strict() const { return context_.candidates; }

  // Bodies.

  void read(const clang::FunctionDecl& function) {
    function_ = &function;
    for (const clang::ParmVarDecl* parameter : function.parameters())
      destroy(parameter->getType(), {parameter->getLocation(), parameter->getLocation()});
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(&function)) {
      for (const clang::CXXCtorInitializer* initialiser : constructor->inits())
        TraverseStmt(initialiser->getInit());
    }
    if (!is_made_by_compiler(function)) TraverseStmt(function.getBody());
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    if (method && (is_made_by_compiler(function) || llvm::isa<clang::CXXDestructorDecl>(method)))
      read_members_of(*method);
  }

  /// Reads the effects on members and bases, of a special method that the compiler makes or of a destructor.
  void read_members_of(const clang::CXXMethodDecl& method) {
    const clang::SourceRange at = {method.getLocation(), method.getLocation()};
    for (const clang::FieldDecl* field : initialised_by(method))
      add_nested(*field, *field->getInClassInitializer(), at,
                 "initialises '" + field->getNameAsString() + "', which ");
    for (const clang::CXXMethodDecl* same : counterparts_of(method))
      run_function(*same, at, "needs '" + same->getQualifiedNameAsString() + "'");
  }

  const Summary& summary_of(const clang::FunctionDecl& function, const clang::FunctionDecl& definition) {
    const auto [at, is_new] = summaries_.try_emplace(function.getCanonicalDecl());
    if (is_new) at->second = EffectReader(context_, summaries_).read_called(definition);
    return at->second;
  }

  /// Adds the effects of an initialiser that belongs to `owner`.
  void add_nested(const clang::Decl& owner, clang::Expr& initialiser, clang::SourceRange at,
                  const std::string& how) {
    const auto [known, is_new] = summaries_.try_emplace(&owner);
    if (is_new) known->second = EffectReader(context_, summaries_).read_initialiser(initialiser);
    found_.add_calls_of(known->second, at);
    if (!known->second.effects.empty()) found_.add(how + known->second.effects.front().what, at);
  }

  // Calls.

  /// Adds the effects of `function`, which runs or may run at `at`. `does` describes the run in messages.
  void run_function(const clang::FunctionDecl& function, clang::SourceRange at, const std::string& does) {
    if (function.isNoReturn() || function.isDeleted()) return;  // the program ends, so there is no second run
    if (is_of_lambda(function)) return;                         // the lambda is read at its own place
    if (is_known_to_act(function, is_strict())) return found_.add(does, at);
    if (is_of_library(function)) return;
    if (function.hasAttr<clang::ConstAttr>() || function.hasAttr<clang::PureAttr>()) return;
    const clang::FunctionDecl* definition =
        is_made_by_compiler(function) ? &function : read_definition(function);
    if (!definition) return run_unread(function, at, does);
    if (is_made_by_compiler(function) && function.isTrivial()) return;
    const Summary& summary = summary_of(function, *definition);
    if (!function.isInlined() && !is_made_by_compiler(function)) found_.add_seen(key_of(function));
    found_.add_calls_of(summary, at);
    if (!summary.effects.empty()) found_.add(does + ", which " + summary.effects.front().what, at);
  }

  void run_unread(const clang::FunctionDecl& function, clang::SourceRange at, const std::string& does) {
    if (is_strict()) return found_.add(does, at);
    const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
    const clang::FunctionDecl& written = pattern ? *pattern : function;
    if (written.isDefined()) context_.unread_bodies.insert(written.getQualifiedNameAsString());
    if (!is_for_its_result(function)) return found_.add(does, at);
    found_.add_unseen(function, written.isDefined() ? Unseen::kSkipped : Unseen::kDeclared, at);
  }

  void run_allocation(const clang::FunctionDecl& function, clang::SourceRange at) {
    if (llvm::isa<clang::CXXMethodDecl>(function)) run_function(function, at, call_in_words(function));
  }

  static bool is_of_lambda(const clang::FunctionDecl& function) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method && method->getParent()->isLambda();
  }

  void destroy(clang::QualType type, clang::SourceRange at) {
    if (type.isNull() || type->isDependentType()) return;
    const clang::CXXRecordDecl* record = context_.ast.getBaseElementType(type)->getAsCXXRecordDecl();
    if (!record || !record->getDefinition() || record->getDefinition()->hasTrivialDestructor()) return;
    if (is_library_declaration(*record)) return hand_on_type(type, at);
    if (const clang::CXXDestructorDecl* destructor = record->getDefinition()->getDestructor())
      run_function(*destructor, at, "destroys a '" + record->getNameAsString() + "'");
  }

  /// Adds the operations that the library may call on objects that it is given.
  template <class Arguments>
  void hand_on(const clang::FunctionDecl& callee, const Arguments& arguments, clang::SourceRange at) {
    for (const clang::Expr* argument : arguments) {
      for (const clang::LambdaExpr* lambda : lambdas_in(*argument))
        add_named_members(*lambda->getBody(), named_);
    }
    for (const clang::Expr* argument : arguments) hand_on_type(argument->getType(), at);
    for (const clang::QualType type : template_types_of(callee)) hand_on_type(type, at);
    run_named(at);
  }

  void hand_on_type(clang::QualType type, clang::SourceRange at) {
    const Operations found = operations_of(type, handed_);
    for (const clang::FunctionDecl* function : found.functions) {
      if (!is_made_by_compiler(*function) && (read_definition(*function) || is_call_operator(*function)))
        run_function(*function, at, "uses '" + function->getQualifiedNameAsString() + "'");
    }
    for (const clang::FieldDecl* field : found.initialised)
      add_nested(*field, *field->getInClassInitializer(), at,
                 "initialises '" + field->getNameAsString() + "', which ");
  }

  /// Adds methods that generic lambdas may call by name on objects that the library passes to them.
  void run_named(clang::SourceRange at) {
    if (named_.empty()) return;
    for (const clang::CXXRecordDecl* record : handed_) {
      if (is_library_declaration(*record)) continue;
      for (const clang::CXXMethodDecl* method : record->methods()) {
        if (named_.contains(method->getDeclName()) && read_definition(*method))
          run_function(*method, at, call_in_words(*method));
      }
    }
  }

  static bool is_call_operator(const clang::FunctionDecl& function) {
    return function.getOverloadedOperator() == clang::OO_Call;
  }

  static bool is_std_function(const clang::FunctionDecl& function) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return method && identifier_of(method->getParent()) == "function";
  }

  void visit_unknown_call(const clang::CallExpr& call) {
    if (call.isTypeDependent() || llvm::isa<clang::UnresolvedLookupExpr>(call.getCallee()->IgnoreParens()))
      return;
    const clang::Expr* callee = call.getCallee()->IgnoreParenImpCasts();
    if (llvm::isa<clang::CXXPseudoDestructorExpr>(callee)) return;
    if (is_strict() && !llvm::isa<clang::DeclRefExpr>(callee))
      return found_.add(kUnknown, call.getSourceRange());
    visit_unknown_object(*callee, call);
  }

  /// Notes a call of the function that `object` holds. A variable is skipped: the function was noted when the
  /// variable got it, and so was an argument. Another rule rejects functions as parameters of shard methods.
  void visit_unknown_object(const clang::Expr& object, const clang::CallExpr& call) {
    const clang::ValueDecl* holder = holder_of(object);
    if (!holder || llvm::isa<clang::VarDecl>(holder)) return;
    found_.add_unknown(*holder, call.getSourceRange());
  }

  /// Whether the call is on the object of the read method. read_body() reads its effects on that object.
  bool is_on_root(const clang::CXXMemberCallExpr& call) const {
    return is_root_method_ && local_classes_ == 0 &&
           llvm::isa<clang::CXXThisExpr>(call.getImplicitObjectArgument()->IgnoreParenImpCasts());
  }

  // Variables.

  /// Notes that `field` of `object`, or its target, changes. The object may be const. It may be that of the
  /// method, an argument, a local object, or a shared object.
  void change_part(const clang::FieldDecl& field, const clang::Expr& object, clang::SourceRange at) {
    const clang::Expr& whole = whole_of(object);
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&whole);
    const auto* variable = reference ? llvm::dyn_cast<clang::VarDecl>(reference->getDecl()) : nullptr;
    const bool is_parameter =
        llvm::isa_and_present<clang::ParmVarDecl>(variable) && may_hold(*variable, field);
    if (!found_.is_root() && (is_parameter || llvm::isa<clang::CXXThisExpr>(whole))) found_.change(field);
    if ((found_.is_root() && is_parameter) || (variable && variable->hasGlobalStorage()))
      found_.add("changes " + part_in_words(field) + " of '" + variable->getNameAsString() + "'", at);
  }

  void visit_variable(const clang::VarDecl& variable, const clang::Expr& at) {
    if (!variable.hasGlobalStorage()) return;
    const SharedUse use = use_of_shared(variable, path(), function_, is_strict());
    const bool is_another_rules = is_root_method_ && variable.isStaticLocal() && !use.is_constant;
    if (is_another_rules) return;
    if (use.is_handed_out) found_.hand_out(variable);
    if (!use.effect.empty()) found_.add(use.effect, at.getSourceRange());
    const clang::Expr* initialiser = use.is_constant ? variable.getAnyInitializer() : nullptr;
    // A static variable's initialiser is read at its own place.
    if (initialiser && !initialiser->isValueDependent() && !variable.isStaticLocal())
      add_nested(*variable.getCanonicalDecl(), const_cast<clang::Expr&>(*initialiser), at.getSourceRange(),
                 "uses '" + variable.getNameAsString() + "', whose initialiser ");
  }

  /// Notes a use of the result of `callee`, which is a reference or a pointer to `variable` or to its target.
  void visit_handed_out(const clang::FunctionDecl& callee, const clang::VarDecl& variable,
                        const clang::CallExpr& call) {
    if (is_immutable(callee.getReturnType()->getPointeeType())) return;
    if (is_handed_out(path(), function_)) {
      found_.hand_out(variable);
    } else {
      found_.add(use_in_words("what '" + callee.getNameAsString() + "' returns", path()),
                 call.getSourceRange());
    }
  }

  /// Notes a change of `Log::instance()` in `Log::instance().add(…)`, if `instance` is only declared. The
  /// object is shared then.
  void visit_shared_object(const clang::Expr& object) {
    const clang::CallExpr* call = unread_accessor(object);
    if (call)
      found_.add("changes what '" + call->getDirectCallee()->getNameAsString() + "' returns",
                 call->getSourceRange());
  }

  const Context& context_;
  Summaries& summaries_;
  FoundEffects found_;
  const clang::FunctionDecl* function_ = nullptr;  ///< the function whose body is being read
  bool is_root_method_ = false;
  unsigned local_classes_ = 0;
  Records handed_;
  Names named_;  ///< names of methods that generic lambdas call
};

}  // namespace

Effects read_effects(const clang::FunctionDecl& function, const Context& context) {
  if (function.isDefaulted() || function.isDeleted() || !function.hasBody()) return {};
  Summaries summaries;
  return EffectReader(context, summaries).run(*function.getDefinition());
}

}  // namespace autoshard::tool
