#include "tool/frontend/bodies/effects.h"

#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <llvm/ADT/StringSet.h>

#include "tool/frontend/bodies/body.h"
#include "tool/frontend/bodies/path_visitor.h"
#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

/// Of the functions of the standard library that are no constant expressions, those that do more than
/// compute with what they are given.
bool is_known_to_act(const clang::FunctionDecl& function, bool strict) {
  if (function.getDeclName().isIdentifier() && (function.getName() == "now" || function.getName() == "async"))
    return true;
  for (const clang::DeclContext* at = function.getDeclContext(); at; at = at->getParent()) {
    const auto* named = llvm::dyn_cast<clang::NamedDecl>(at);
    if (!named || !named->getDeclName().isIdentifier()) continue;
    for (llvm::StringRef name : {"filesystem", "this_thread", "thread", "jthread", "random_device",
                                 "basic_ofstream", "basic_ifstream", "basic_fstream"}) {
      if (named->getName() == name) return true;
    }
    if (strict && named->getName() == "function") return true;
  }
  return false;
}

/// Functions of C and POSIX that print, read, wait, draw random numbers, look at the clock or change what all
/// of the process shares. The others compute.
bool is_acting_c_function(const clang::FunctionDecl& function) {
  static const llvm::StringSet<> kActing = {
      "clock",  "clock_gettime", "close",   "creat",   "drand48", "execv",        "execve",    "fclose",
      "fflush", "fgets",         "fopen",   "fork",    "fprintf", "fputc",        "fputs",     "fread",
      "fscanf", "fwrite",        "getc",    "getchar", "getline", "gettimeofday", "kill",      "lrand48",
      "mkdir",  "nanosleep",     "open",    "perror",  "popen",   "printf",       "putc",      "putchar",
      "putenv", "puts",          "raise",   "rand",    "rand_r",  "random",       "read",      "recv",
      "remove", "rename",        "rmdir",   "scanf",   "send",    "setenv",       "setlocale", "signal",
      "sleep",  "srand",         "srandom", "syslog",  "system",  "time",         "unlink",    "unsetenv",
      "usleep", "vfprintf",      "vprintf", "write"};
  return function.getDeclName().isIdentifier() && function.isExternC() &&
         kActing.contains(function.getName());
}

/// A variable that outlives the call, and is no constant.
bool is_shared(const clang::VarDecl& variable) {
  return variable.hasGlobalStorage() && !variable.isConstexpr() && !variable.getType().isConstQualified();
}

/// `T&&`, or a pack of them, of a template's own T: for passing on whatever is given.
bool forwards(clang::QualType type) {
  if (const auto* pack = type->getAs<clang::PackExpansionType>()) type = pack->getPattern();
  const auto* reference = type->getAs<clang::RValueReferenceType>();
  return reference && reference->getPointeeType()->isTemplateTypeParmType() &&
         !reference->getPointeeType().isConstQualified();
}

/// Whether the function may hand something back by what it is given.
bool fills_an_argument(const clang::FunctionDecl& function) {
  const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
  return llvm::any_of((pattern ? *pattern : function).parameters(), [](const clang::ParmVarDecl* parameter) {
    const clang::QualType pointee = parameter->getType()->getPointeeType();
    return !pointee.isNull() && !pointee.isConstQualified() && !forwards(parameter->getType());
  });
}

/// What `->` and `*` lead from: `g` of `g->hit()`, be it a pointer or smart, `instance()` of
/// `(*instance()).hit()`.
struct Origin {
  const clang::Expr* expression;
  bool is_pointer;  ///< something was followed on the way
};

Origin origin_of(const clang::Expr& object) {
  Origin origin{object.IgnoreParenImpCasts(), false};
  while (true) {
    const clang::Expr* next = nullptr;
    if (const auto* call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(origin.expression)) {
      if (call->getOperator() == clang::OO_Arrow || call->getOperator() == clang::OO_Star)
        next = call->getArg(0);
    } else if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(origin.expression)) {
      if (unary->getOpcode() == clang::UO_Deref) next = unary->getSubExpr();
    } else if (const auto* temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(origin.expression)) {
      origin.expression = temporary->getSubExpr()->IgnoreParenImpCasts();
      continue;
    } else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(origin.expression)) {
      origin.expression = bound->getSubExpr()->IgnoreParenImpCasts();
      continue;
    }
    if (!next) return origin;
    origin = {next->IgnoreParenImpCasts(), true};
  }
}

/// Whether nothing of the object that the method is called on can change by it.
bool leaves_its_object_alone(const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return !method || method->isStatic() || method->isConst();
}

class EffectReader : public PathVisitor<EffectReader> {
 public:
  explicit EffectReader(const Context& context) : context_(context) {}

  Effects run(const clang::FunctionDecl& function) && {
    visited_.push_back(function.getCanonicalDecl());
    TraverseStmt(function.getBody());
    return std::move(found_);
  }

  /// What is not evaluated has no effect.
  bool TraverseUnaryExprOrTypeTraitExpr(clang::UnaryExprOrTypeTraitExpr*) AUTOSHARD_OVERRIDE { return true; }
  bool TraverseCXXNoexceptExpr(clang::CXXNoexceptExpr*) AUTOSHARD_OVERRIDE { return true; }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) AUTOSHARD_OVERRIDE {
    const clang::ValueDecl& decl = *reference->getDecl();
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl)) visit_variable(*variable, *reference);
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
      if (!computes(*function, *reference)) add("calls '" + function->getNameAsString() + "'", *reference);
    } else if (is_strict() && decl.getType().getNonReferenceType()->isFunctionPointerType()) {
      add(kUnknown, *reference);
    }
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) AUTOSHARD_OVERRIDE {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(member->getMemberDecl()))
      visit_variable(*variable, *member);
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) AUTOSHARD_OVERRIDE {
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    if (is_strict() && !call->getDirectCallee() && !call->isTypeDependent() &&
        !llvm::isa<clang::DeclRefExpr>(callee))
      add(kUnknown, *call);
    return true;
  }

  bool VisitCXXMemberCallExpr(clang::CXXMemberCallExpr* call) AUTOSHARD_OVERRIDE {
    const clang::CXXMethodDecl* method = call->getMethodDecl();
    if (!method || is_on_this(*call)) return true;
    if (!computes(*method, *call)) {
      add("calls '" + method->getNameAsString() + "'", *call);
    } else if (!leaves_its_object_alone(*method)) {
      visit_shared_object(*call->getImplicitObjectArgument());
    }
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) AUTOSHARD_OVERRIDE {
    const clang::CXXConstructorDecl& constructor = *construct->getConstructor();
    if (!computes(constructor, *construct))
      add("makes a '" + constructor.getNameAsString() + "'", *construct);
    return true;
  }

 private:
  static constexpr const char* kUnknown = "calls a function that is only known when it runs";

  /// Where suggestions are asked for, what is not known counts as an effect.
  bool is_strict() const { return context_.candidates; }

  void visit_variable(const clang::VarDecl& variable, const clang::Expr& at) {
    if (!is_shared(variable)) return;
    const std::string name = "'" + variable.getNameAsString() + "'";
    if (is_strict()) return add("uses the variable " + name, at);
    const bool is_another_rules = variable.isStaticLocal() && visited_.size() == 1;
    if (is_written(path()) && !is_another_rules) add("changes the variable " + name, at);
  }

  /// `Log::instance().add(…)`: nothing of it is the caller's own.
  void visit_shared_object(const clang::Expr& object) {
    const auto [expression, is_pointer] = origin_of(object);
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      const bool leads_on = variable && (is_pointer || variable->getType()->isPointerType());
      if (leads_on && variable->hasGlobalStorage())
        add("changes what '" + variable->getNameAsString() + "' points to", *reference);
      return;
    }
    const auto* call = llvm::dyn_cast<clang::CallExpr>(expression);
    const clang::FunctionDecl* function = call ? call->getDirectCallee() : nullptr;
    if (!function || call->getNumArgs() > 0 || is_standard(*function)) return;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    const clang::QualType object_type = function->getReturnType()->getPointeeType();
    if ((method && !method->isStatic()) || (object_type.isNull() && !is_pointer) ||
        (!object_type.isNull() && object_type.isConstQualified()))
      return;
    add("changes what '" + function->getNameAsString() + "' returns", *call);
  }

  /// A call on the same object, whose effects on it are another matter.
  static bool is_on_this(const clang::CXXMemberCallExpr& call) {
    return llvm::isa<clang::CXXThisExpr>(call.getImplicitObjectArgument()->IgnoreParenImpCasts());
  }

  /// Whether all that `function`, which is called at `at`, does is to compute with what it is given, as far
  /// as that can be seen.
  bool computes(const clang::FunctionDecl& function, const clang::Expr& at) {
    if (function.isConstexpr() || function.isDefaulted() || function.isImplicit()) return true;
    if (function.isNoReturn()) return true;  // a failed assertion has no second run
    if (is_acting_c_function(function)) return false;
    if (is_standard(function)) return !is_known_to_act(function, is_strict());
    if (function.hasAttr<clang::ConstAttr>() || function.hasAttr<clang::PureAttr>()) return true;
    if (!function.hasBody() || function.hasSkippedBody()) {
      if (is_strict() || !is_for_its_result(function)) return false;
      if (is_only_declared(function))
        found_.unseen_calls.push_back(
            {function.getNameAsString(), key_of(function), span(at), name_of(function)});
      return true;
    }
    if (llvm::is_contained(visited_, function.getCanonicalDecl())) return true;  // being looked at
    if (!function.isInlined()) found_.seen_functions.push_back(key_of(function));
    EffectReader inner(context_);
    inner.visited_ = visited_;
    Effects found = std::move(inner).run(*function.getDefinition());
    for (UnseenCall& call : found.unseen_calls) {
      call.span = span(at);
      found_.unseen_calls.push_back(std::move(call));
    }
    llvm::append_range(found_.seen_functions, found.seen_functions);
    return found.effects.empty();
  }

  /// Whether it is a function of the user's, with a name, of which there is no definition. (What is called on
  /// an object is taken to change or to tell that, an operator to compute.)
  bool is_only_declared(const clang::FunctionDecl& function) const {
    const clang::FunctionDecl* pattern = function.getTemplateInstantiationPattern();
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
    return (!method || method->isStatic()) && function.getDeclName().isIdentifier() &&
           function.getBuiltinID() == 0 && !(pattern ? *pattern : function).isDefined() &&
           !context_.files.sources().isInSystemHeader(function.getLocation());
  }

  static std::string key_of(const clang::FunctionDecl& function) {
    return function.getQualifiedNameAsString() + " " + function.getType().getCanonicalType().getAsString();
  }

  /// What returns nothing and changes nothing that it was given is called for some other effect.
  static bool is_for_its_result(const clang::FunctionDecl& function) {
    return !function.getReturnType()->isVoidType() || fills_an_argument(function) ||
           !leaves_its_object_alone(function) ||
           llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function);
  }

  void add(std::string what, const clang::Expr& at) { found_.effects.push_back({std::move(what), span(at)}); }

  Span span(const clang::Expr& at) const { return context_.files.span(at.getSourceRange()); }
  Span name_of(const clang::FunctionDecl& function) const {
    return context_.files.span({function.getLocation(), function.getLocation()});
  }

  const Context& context_;
  Effects found_;
  llvm::SmallVector<const clang::FunctionDecl*, 4> visited_;
};

}  // namespace

Effects read_effects(const clang::FunctionDecl& function, const Context& context) {
  if (function.isDefaulted() || function.isDeleted() || !function.hasBody()) return {};
  return EffectReader(context).run(*function.getDefinition());
}

}  // namespace autoshard::tool
