#include "tool/frontend/effects/disclosures.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Support/SaveAndRestore.h>

#include "tool/frontend/bodies/acting.h"
#include "tool/frontend/bodies/body.h"
#include "tool/frontend/bodies/callees.h"
#include "tool/frontend/bodies/calls.h"
#include "tool/frontend/effects/lambdas.h"
#include "tool/frontend/effects/roots.h"
#include "tool/frontend/effects/sources.h"
#include "tool/frontend/effects/throws.h"

namespace autoshard::tool {
namespace {

using Functions = llvm::SmallPtrSet<const clang::FunctionDecl*, 4>;

/// The state at a call, before the called function is read.
struct Entry {
  SourceOf parameters{};       ///< the parameters that depend on a sharded member
  Source object = nullptr;     ///< the dependence of the object of a method
  Source condition = nullptr;  ///< the condition of the call
  Functions callers{};         ///< the functions that are being read
};

class DependenceReader {
 public:
  DependenceReader(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                   const Context& context, Entry entry = {})
      : function_(function),
        entity_(entity),
        context_(context),
        entry_(std::move(entry)),
        sources_(entity, entry_.parameters, entry_.object, context) {
    entry_.callers.insert(&function);
  }

  /// Reads the body until it finds nothing new: a loop may use a value before the assignment to it.
  Dependences run() && {
    do {
      has_changed_ = false;
      found_ = {};
      condition_ = entry_.condition;
      returned_ = nullptr;
      read(function_.getBody());
    } while (has_changed_);
    return std::move(found_);
  }

 private:
  // Statements, in their order.

  void read(const clang::Stmt* statement) {
    if (!statement || is_unevaluated(*statement)) return;
    if (is_unreachable_default(*statement, enclosing_loop_)) return;
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
      read(branch->getInit());
      read(branch->getConditionVariableDeclStmt());
      read(branch->getCond());
      return read_under(sources_.of(branch->getCond()), {branch->getThen(), branch->getElse()});
    }
    if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(statement)) {
      read(choice->getCond());
      return read_under(sources_.of(choice->getCond()), {choice->getTrueExpr(), choice->getFalseExpr()});
    }
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(statement);
        binary && binary->isLogicalOp()) {
      read(binary->getLHS());
      return read_under(sources_.of(binary->getLHS()), {binary->getRHS()});
    }
    if (const auto* range = llvm::dyn_cast<clang::CXXForRangeStmt>(statement)) return read_range(*range);
    if (llvm::isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::SwitchStmt>(statement))
      return read_enclosing(*statement);
    if (const auto* block = llvm::dyn_cast<clang::CXXTryStmt>(statement)) return read_try(*block);
    if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) return read_lambda(*lambda);
    if (const auto* value = llvm::dyn_cast<clang::ReturnStmt>(statement)) return read_return(*value);
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) {
      for (const clang::Decl* decl : declared->decls()) {
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl)) read_variable(*variable);
      }
      return;
    }
    for (const clang::Stmt* child : statement->children()) read(child);
    read_jump(*statement);
    if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) read_writes(*expression);
  }

  /// Reads statements that run only under a condition that depends on `source`.
  void read_under(Source source, std::initializer_list<const clang::Stmt*> statements) {
    const Source outer = condition_;
    if (source) condition_ = source;
    for (const clang::Stmt* statement : statements) read(statement);
    // After a conditional return, all statements depend on its condition.
    condition_ = returned_ ? returned_ : outer;
  }

  /// Reads a block and its handlers. A handler runs under the conditions of the throws in the block.
  void read_try(const clang::CXXTryStmt& statement) {
    const Source outer = condition_;
    if (const Source source = jumps_.lookup(&statement)) condition_ = source;
    tries_.push_back(&statement);
    read(statement.getTryBlock());
    tries_.pop_back();
    for (unsigned at = 0; at < statement.getNumHandlers(); ++at) read(statement.getHandler(at));
    condition_ = returned_ ? returned_ : outer;
  }

  /// Reads a loop or a switch. The number of rounds depends on the condition of the loop and on the jumps in
  /// it.
  void read_enclosing(const clang::Stmt& statement) {
    const Source outer = condition_;
    const llvm::SaveAndRestore enclosed(enclosing_loop_, &statement);
    Source source = jumps_.lookup(&statement);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&statement)) {
      read(loop->getInit());
      source = source ? source : sources_.of(loop->getCond());
    } else if (const auto* other = llvm::dyn_cast<clang::WhileStmt>(&statement)) {
      source = source ? source : sources_.of(other->getCond());
    } else if (const auto* until = llvm::dyn_cast<clang::DoStmt>(&statement)) {
      source = source ? source : sources_.of(until->getCond());
    } else if (const auto* cases = llvm::dyn_cast<clang::SwitchStmt>(&statement)) {
      source = source ? source : sources_.of(cases->getCond());
    }
    if (source && !llvm::isa<clang::SwitchStmt>(statement) && changes_nothing(statement))
      end(source, *source, "never ends");
    if (source) condition_ = source;
    for (const clang::Stmt* child : statement.children()) read(child);
    condition_ = returned_ ? returned_ : outer;
  }

  void read_range(const clang::CXXForRangeStmt& range) {
    read(range.getInit());
    read(range.getRangeInit());
    const Source source = sources_.of(range.getRangeInit());
    note(*range.getLoopVariable(), source);
    const llvm::SaveAndRestore enclosed(enclosing_loop_, static_cast<const clang::Stmt*>(&range));
    const Source jump = jumps_.lookup(&range);
    read_under(source ? source : jump, {range.getBody()});
  }

  void read_lambda(const clang::LambdaExpr& lambda) {
    for (const clang::LambdaCapture& capture : lambda.captures()) {
      if (!lambda.isInitCapture(&capture)) continue;
      read_variable(*llvm::cast<clang::VarDecl>(capture.getCapturedVar()));
    }
    const llvm::SaveAndRestore depth(lambdas_, lambdas_ + 1);
    const llvm::SaveAndRestore loop(enclosing_loop_, static_cast<const clang::Stmt*>(nullptr));
    const Source called_under = lambda_conditions_.lookup(&lambda);
    const llvm::SaveAndRestore condition(condition_, condition_ ? condition_ : called_under);
    read(lambda.getBody());
  }

  void read_return(const clang::ReturnStmt& statement) {
    const clang::Expr* value = statement.getRetValue();
    read(value);
    if (lambdas_ > 0) return;
    const bool has_value = value && !function_.getReturnType()->isVoidType();
    const Source source = has_value ? sources_.of(value) : nullptr;
    if (const Source any = source ? source : condition_) {
      if (has_value) disclose(any, statement, {});
      if (condition_) returned_ = condition_;
    }
  }

  void read_variable(const clang::VarDecl& variable) {
    const clang::Expr* value = variable.getInit();
    if (!value) return;
    read(value);
    note(variable, sources_.of(value));
  }

  void read_jump(const clang::Stmt& statement) {
    if (!condition_) return;
    const clang::Stmt* left = nullptr;
    if (llvm::isa<clang::BreakStmt, clang::ContinueStmt, clang::GotoStmt>(statement)) left = enclosing_loop_;
    if (const auto* expression = llvm::dyn_cast<clang::CXXThrowExpr>(&statement)) {
      if (!tries_.empty()) left = tries_.back();
      const clang::Expr* thrown = expression->getSubExpr();
      if (!is_caught(thrown ? thrown->getType() : clang::QualType(), tries_))
        end(condition_, *expression, "throws");
    }
    if (left && jumps_.try_emplace(left, condition_).second) has_changed_ = true;
  }

  // Changes by expressions.

  void read_writes(const clang::Expr& expression) {
    if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(&expression);
        binary && binary->isAssignmentOp())
      return write_all(*binary->getLHS(), sources_.of(binary->getRHS()), expression);
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(&expression);
        unary && unary->isIncrementDecrementOp())
      return write_all(*unary->getSubExpr(), nullptr, expression);
    const auto call = call_of(expression);
    if (!call) return;
    read_end(*call, expression);
    if (is_on_this(*call)) return;
    Source of_arguments = nullptr;
    for (const clang::Expr* argument : call->arguments)
      of_arguments = of_arguments ? of_arguments : sources_.of(argument);
    Source source = call->object ? sources_.of(call->object) : nullptr;
    if (const auto* called = llvm::dyn_cast<clang::CallExpr>(&expression); called && !source)
      source = sources_.of(called->getCallee());
    source = source ? source : of_arguments;
    pass_to_lambdas(*call);
    if (call->object && !is_const_method(call->callee) && !is_lambda(*call)) {
      Source size = source;
      if (asks_no_element(call->callee)) size = of_arguments ? of_arguments : sources_.of_size(*call->object);
      write(*call->object, {source, size}, expression, is_access(call->callee));
    }
    for (std::size_t at = 0; at < call->arguments.size(); ++at) {
      if (may_change_argument(call->callee, at, *call->arguments[at]))
        write_all(*call->arguments[at], source, expression);
    }
  }

  /// Notes an end of the method by `call`, at the expression `at`, if it depends on a sharded member.
  void read_end(const Call& call, const clang::Expr& at) {
    if (!call.callee || !found_.throws.empty()) return;
    if (call.callee->isNoReturn()) return end(condition_, at, end_in_words(*call.callee));
    if (is_caught({}, tries_)) return;
    for (const clang::Expr* operand : decide_whether_throws(call)) {
      const Source source =
          unguarded(operand == call.object ? sources_.of_size(*operand) : sources_.of(operand));
      if (source) return end(source, at, throwing(call));
    }
    const clang::FunctionDecl* definition =
        is_of_library(*call.callee) || is_lambda(call) ? nullptr : read_definition(*call.callee);
    if (!definition || entry_.callers.contains(definition)) return;
    Entry entry{.condition = condition_, .callers = entry_.callers};
    for (std::size_t number = 0; number < call.arguments.size() && number < definition->getNumParams();
         ++number) {
      if (const Source source = sources_.of(call.arguments[number]))
        entry.parameters[definition->getParamDecl(static_cast<unsigned>(number))] = source;
    }
    if (call.object && !is_on_this(call)) entry.object = sources_.of(call.object);
    if (entry.parameters.empty() && !entry.object && !entry.condition) return;
    Dependences inner = DependenceReader(*definition, entity_, context_, std::move(entry)).run();
    if (inner.throws.empty()) return;
    DependentThrow& found = found_.throws.emplace_back(std::move(inner.throws.front()));
    found.span = context_.files.span(at.getSourceRange());
    found.what = "calls '" + call.callee->getNameAsString() + "', which " + found.what;
  }

  static std::string throwing(const Call& call) {
    return "calls '" + call.callee->getNameAsString() + "', which throws";
  }

  /// Returns `source`; null if the current statement runs under a condition on the same member.
  Source unguarded(Source source) const {
    const bool is_guarded = source && condition_ && condition_->getMemberDecl() == source->getMemberDecl();
    return is_guarded ? nullptr : source;
  }

  /// Notes that the method ends at `at` without its update, because of `source`. Notes only the first place.
  void end(Source source, const clang::Expr& at, std::string what) {
    if (!source || !found_.throws.empty()) return;
    found_.throws.push_back({.member = source->getMemberDecl()->getNameAsString(),
                             .read = context_.files.span({source->getMemberLoc(), source->getMemberLoc()}),
                             .span = context_.files.span(at.getSourceRange()),
                             .what = std::move(what)});
  }

  /// Notes the dependences of lambdas. Their parameters depend on the arguments of the calls, and their
  /// bodies on the conditions of the calls. A function that gets a lambda, or a `std::function` of one, may
  /// pass any of its arguments to the lambda.
  void pass_to_lambdas(const Call& call) {
    auto called = call.object ? lambdas_in(*call.object) : Lambdas();
    llvm::SmallVector<Source, 4> sources;
    Source any = nullptr;
    for (const clang::Expr* argument : call.arguments) {
      const Lambdas passed = is_lambda(call) ? Lambdas() : lambdas_in(*argument);
      called.append(passed);
      sources.push_back(passed.empty() ? sources_.of(argument) : nullptr);
      any = any ? any : sources.back();
    }
    for (const clang::LambdaExpr* lambda : called) {
      note_condition(*lambda);
      const auto parameters = lambda->getCallOperator()->parameters();
      for (std::size_t at = 0; at < parameters.size(); ++at) {
        const bool has_one = is_lambda(call) && !parameters[at]->isParameterPack();
        const Source source = !has_one ? any : at < sources.size() ? sources[at] : nullptr;
        note(*parameters[at], source);
      }
    }
  }

  void note_condition(const clang::LambdaExpr& lambda) {
    if (condition_ && lambda_conditions_.try_emplace(&lambda, condition_).second) has_changed_ = true;
  }

  /// Whether the call is on this object. Rules for the called methods check these calls.
  bool is_on_this(const Call& call) const {
    return call.object && llvm::isa<clang::CXXThisExpr>(root_of(*call.object));
  }

  void write_all(const clang::Expr& target, Source source, const clang::Expr& at) {
    write(target, {source, source}, at);
  }

  /// Notes that the expression `at` changes `target` or the object that `target` leads to. `is_element`: it
  /// changes only an element, so the size stays.
  void write(const clang::Expr& target, ChangeSources change, const clang::Expr& at,
             bool is_element = false) {
    change.value = change.value ? change.value : condition_;
    change.size = change.size ? change.size : condition_;
    if (!change.value) return;
    const clang::Expr& root = root_of(target, is_element);
    if (const auto* choice = llvm::dyn_cast<clang::AbstractConditionalOperator>(&root)) {
      write(*choice->getTrueExpr(), change, at, is_element);
      return write(*choice->getFalseExpr(), change, at, is_element);
    }
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&root);
    for (const clang::ValueDecl* variable = reference ? whole(*reference->getDecl()) : nullptr; variable;) {
      note(*variable, {change.value, is_element ? nullptr : change.size});
      if (is_output(*variable)) return disclose(change.value, at, variable->getNameAsString());
      // A local reference or pointer stands for its initialiser.
      const auto* local = llvm::dyn_cast<clang::VarDecl>(variable);
      const bool leads_on =
          local && (local->getType()->isReferenceType() || local->getType()->isPointerType());
      const auto* next = leads_on && local->getInit()
                             ? llvm::dyn_cast<clang::DeclRefExpr>(&root_of(*local->getInit(), is_element))
                             : nullptr;
      variable = next && next->getDecl() != variable ? whole(*next->getDecl()) : nullptr;
    }
  }

  /// Whether the caller sees changes of `variable`.
  bool is_output(const clang::ValueDecl& variable) const {
    const auto* parameter = llvm::dyn_cast<clang::ParmVarDecl>(&variable);
    const clang::QualType pointee = parameter ? parameter->getType()->getPointeeType() : clang::QualType();
    return parameter && llvm::is_contained(function_.parameters(), parameter) && !pointee.isNull() &&
           !pointee.isConstQualified();
  }

  void note(const clang::ValueDecl& variable, ChangeSources change) {
    if (sources_.note(variable, change)) has_changed_ = true;
  }

  void note(const clang::ValueDecl& variable, Source source) { note(variable, {source, source}); }

  /// Notes a disclosure. Each parameter, and the result, is noted only once.
  void disclose(Source source, const clang::Stmt& at, std::string parameter) {
    const auto is_same = [&](const Disclosure& one) { return one.parameter == parameter; };
    if (llvm::any_of(found_.disclosures, is_same)) return;
    found_.disclosures.push_back(
        {.member = source->getMemberDecl()->getNameAsString(),
         .read = context_.files.span({source->getMemberLoc(), source->getMemberLoc()}),
         .span = context_.files.span(at.getSourceRange()),
         .parameter = std::move(parameter)});
  }

  const clang::FunctionDecl& function_;
  const clang::CXXRecordDecl& entity_;
  const Context& context_;
  Entry entry_;
  Sources sources_;
  llvm::DenseMap<const clang::Stmt*, Source> jumps_;  ///< by the loop or block that they leave: conditions
  llvm::DenseMap<const clang::LambdaExpr*, Source> lambda_conditions_;  ///< of their calls
  Source condition_ = nullptr;  ///< the condition of the current statement
  Source returned_ = nullptr;   ///< the condition of a return before the current statement
  const clang::Stmt* enclosing_loop_ = nullptr;
  llvm::SmallVector<const clang::CXXTryStmt*, 2> tries_;
  unsigned lambdas_ = 0;
  bool has_changed_ = false;
  Dependences found_;
};

}  // namespace

Dependences read_dependences(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                             const Context& context) {
  if (function.isDefaulted() || function.isDeleted() || !function.hasBody()) return {};
  return DependenceReader(*function.getDefinition(), entity, context).run();
}

}  // namespace autoshard::tool
