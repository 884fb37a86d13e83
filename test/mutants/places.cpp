#include "places.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

namespace mutants {
namespace {

using namespace clang;

/// What these do is for people to read, or costs time and no more.
constexpr std::array<std::string_view, 16> kLeftOut = {
    "log", "describe", "words", "join", "unknown_outcome", "reserve", "gather", "prefetch_mains",
    // What only checks of the runtime call: where they ask for less, nothing else changes.
    "is_to_be_attempted", "has_result", "is_fold_of", "adds_up", "keeps_stored", "behind_prefix", "is_key_of",
    "expect_prefetched"};

/// Where a call of these is missing, that costs time and no more. What they do has mutants.
constexpr std::array<std::string_view, 2> kDispensable = {"announce_write", "give_back"};

bool is_left_out(std::string_view name) {
  return std::find(kLeftOut.begin(), kLeftOut.end(), name) != kLeftOut.end();
}

bool is_left_out_where_used(std::string_view name) {
  return is_left_out(name) || std::find(kDispensable.begin(), kDispensable.end(), name) != kDispensable.end();
}

/// Whether the statement has to do with a name that is left out.
bool mentions_left_out(const Stmt* statement) {
  if (!statement) return false;
  if (const auto* member = dyn_cast<MemberExpr>(statement)) {
    if (is_left_out_where_used(member->getMemberDecl()->getNameAsString())) return true;
  }
  if (const auto* name = dyn_cast<DeclRefExpr>(statement)) {
    if (is_left_out_where_used(name->getDecl()->getNameAsString())) return true;
  }
  if (isa<CompoundStmt, LambdaExpr>(statement)) return false;
  for (const Stmt* child : statement->children()) {
    if (mentions_left_out(child)) return true;
  }
  return false;
}

std::optional<std::pair<std::string, std::string>> comparison(BinaryOperatorKind kind) {
  switch (kind) {
    case BO_LT:
      return {{"kLess", "<="}};
    case BO_LE:
      return {{"kLessOrEqual", "<"}};
    case BO_GT:
      return {{"kGreater", ">="}};
    case BO_GE:
      return {{"kGreaterOrEqual", ">"}};
    case BO_EQ:
      return {{"kEqual", "!="}};
    case BO_NE:
      return {{"kUnequal", "=="}};
    default:
      return std::nullopt;
  }
}

/// The last statement of a block, or the statement itself.
const Stmt* last_of(const Stmt* statement) {
  const auto* block = dyn_cast_or_null<CompoundStmt>(statement);
  if (!block) return statement;
  return block->body_empty() ? nullptr : block->body_back();
}

class Finder final : public DynamicRecursiveASTVisitor {
 public:
  explicit Finder(ASTContext& ast) : ast_(ast), sources_(ast.getSourceManager()) {}

  std::vector<Place> places() && { return std::move(places_); }

  bool TraverseDecl(Decl* declaration) override {
    if (!declaration) return true;
    if (!isa<TranslationUnitDecl>(declaration) &&
        !sources_.isWrittenInMainFile(sources_.getExpansionLoc(declaration->getLocation())))
      return true;
    if (isa<StaticAssertDecl>(declaration)) return true;
    if (const auto* variable = dyn_cast<VarDecl>(declaration); variable && variable->isConstexpr())
      return true;
    const auto* function = dyn_cast<FunctionDecl>(declaration);
    if (!function) return DynamicRecursiveASTVisitor::TraverseDecl(declaration);
    if (function->isConstexprSpecified() || is_left_out(function->getNameAsString())) return true;
    const std::string outer = std::exchange(function_, function->getQualifiedNameAsString());
    functions_.push_back(function);
    DynamicRecursiveASTVisitor::TraverseDecl(declaration);
    functions_.pop_back();
    function_ = outer;
    return true;
  }

  bool TraverseLambdaExpr(LambdaExpr* lambda) override {
    functions_.push_back(lambda->getCallOperator());
    DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
    functions_.pop_back();
    return true;
  }

  bool TraverseConstantExpr(ConstantExpr*) override { return true; }
  bool TraverseTypeLoc(TypeLoc, bool) override { return true; }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc&) override { return true; }

  bool VisitCompoundStmt(CompoundStmt* block) override {
    for (const Stmt* child : block->body()) {
      // Without the way out of such a branch, the function goes on with the next statement.
      if (const auto* choice = dyn_cast<IfStmt>(child);
          choice && !choice->getElse() && child != block->body_back())
        leaves_early_.insert(last_of(choice->getThen()));
    }
    for (Stmt* child : block->body()) drop(child);
    return true;
  }

  bool VisitIfStmt(IfStmt* choice) override {
    if (!choice->hasVarStorage() && !choice->isConstexpr()) negate(choice->getCond());
    drop_branch(choice->getThen());
    drop_branch(choice->getElse());
    return true;
  }

  bool TraverseIfStmt(IfStmt* choice) override {
    if (!choice->isConstexpr()) return DynamicRecursiveASTVisitor::TraverseIfStmt(choice);
    VisitIfStmt(choice);  // its condition stays
    return TraverseStmt(choice->getThen()) && TraverseStmt(choice->getElse());
  }

  bool VisitConditionalOperator(ConditionalOperator* choice) override {
    negate(choice->getCond());
    return true;
  }

  bool VisitForStmt(ForStmt* loop) override {
    if (!loop->getConditionVariable()) never_enter(loop->getCond());
    drop_branch(loop->getBody());
    return true;
  }

  bool VisitWhileStmt(WhileStmt* loop) override {
    if (!loop->getConditionVariable()) never_enter(loop->getCond());
    drop_branch(loop->getBody());
    return true;
  }

  bool VisitDoStmt(DoStmt* loop) override {
    never_enter(loop->getCond());
    return true;
  }

  bool VisitCXXForRangeStmt(CXXForRangeStmt* loop) override {
    drop_branch(loop->getBody());
    return true;
  }

  bool VisitSwitchCase(SwitchCase* label) override {
    drop_branch(label->getSubStmt());
    return true;
  }

  bool VisitReturnStmt(ReturnStmt* statement) override {
    const Expr* value = statement->getRetValue();
    if (!value || functions_.empty()) return true;
    const QualType type = functions_.back()->getReturnType();
    if (type->isBooleanType()) negate(value);
    if (type->isVoidType() && !mentions_left_out(value)) {
      add(value->getSourceRange(), "(::mutants::is(#) ? void() : void(", "))", "return;");
    }
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator* operation) override {
    const BinaryOperatorKind kind = operation->getOpcode();
    if (kind == BO_LAnd || kind == BO_LOr) {
      const std::string before = kind == BO_LAnd ? "(::mutants::is(#) || static_cast<bool>("
                                                 : "(!::mutants::is(#) && static_cast<bool>(";
      for (const Expr* operand : {operation->getLHS(), operation->getRHS()})
        add(operand->getSourceRange(), before, "))", kind == BO_LAnd ? "true" : "false");
      return true;
    }
    compare(operation, kind, operation->getOperatorLoc(), operation->getLHS());
    if ((kind == BO_Add || kind == BO_Sub) && operation->getLHS()->getType()->isArithmeticType() &&
        operation->getRHS()->getType()->isArithmeticType()) {
      add_operator(operation, operation->getOperatorLoc(), 1,
                   kind == BO_Add ? "::mutants::add(#, " : "::mutants::subtract(#, ",
                   kind == BO_Add ? "-" : "+");
    }
    return true;
  }

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr* call) override {
    if (call->getNumArgs() == 2) {
      const OverloadedOperatorKind kind = call->getOperator();
      if (kind >= OO_EqualEqual ? kind <= OO_GreaterEqual : kind == OO_Less || kind == OO_Greater)
        compare(call, BinaryOperator::getOverloadedOpcode(kind), call->getOperatorLoc(), call->getArg(0));
    }
    return true;
  }

  bool VisitCXXRewrittenBinaryOperator(CXXRewrittenBinaryOperator* operation) override {
    compare(operation, operation->getOpcode(), operation->getOperatorLoc(), operation->getLHS());
    return true;
  }

 private:
  void compare(const Expr* expression, BinaryOperatorKind kind, SourceLocation its, const Expr* left) {
    const auto replaced = comparison(kind);
    if (!replaced || !expression->getType()->isBooleanType()) return;
    // `(a <=> b) < 0` has no other form.
    if (left->getType().getAsString().find("ordering") != std::string::npos) return;
    if ((kind == BO_EQ || kind == BO_NE) && negated_.contains(expression->IgnoreParenImpCasts())) return;
    add_operator(expression, its, BinaryOperator::getOpcodeStr(kind).size(),
                 "::mutants::compare<::mutants::Comparison::" + replaced->first + ">(#, ", replaced->second);
  }

  void negate(const Expr* condition) {
    if (mentions_left_out(condition)) return;
    negated_.insert(condition->IgnoreUnlessSpelledInSource()->IgnoreParenImpCasts());
    add(condition->getSourceRange(), "(::mutants::is(#) != static_cast<bool>(", "))",
        "!(" + text(condition->getSourceRange()) + ")");
  }

  void never_enter(const Expr* condition) {
    if (condition)
      add(condition->getSourceRange(), "(!::mutants::is(#) && static_cast<bool>(", "))", "false");
  }

  void drop_branch(Stmt* statement) {
    if (statement && !isa<CompoundStmt>(statement)) drop(statement);
  }

  void drop(const Stmt* statement) {
    if (!can_be_dropped(statement)) return;
    const std::optional<SourceLocation> end = end_of(statement);
    if (!end) return;
    add({statement->getBeginLoc(), *end}, "{ if (!::mutants::is(#)) ", " }", "nothing");
  }

  bool can_be_dropped(const Stmt* statement) const {
    if (isa<BreakStmt, ContinueStmt>(statement)) return true;
    if (isa<CXXForRangeStmt>(statement)) return !mentions_left_out(statement);
    if (const auto* leave = dyn_cast<ReturnStmt>(statement))
      return !leave->getRetValue() ||
             (leaves_early_.contains(statement) && !functions_.back()->getReturnType()->isVoidType());
    const auto* expression = dyn_cast<Expr>(statement);
    if (!expression || mentions_left_out(statement)) return false;
    expression = expression->IgnoreUnlessSpelledInSource();
    if (isa<CXXThrowExpr>(expression)) return leaves_early_.contains(statement);
    if (const auto* operation = dyn_cast<BinaryOperator>(expression)) return operation->isAssignmentOp();
    if (const auto* operation = dyn_cast<UnaryOperator>(expression))
      return operation->isIncrementDecrementOp();
    return isa<CallExpr, CXXDeleteExpr>(expression);
  }

  /// The last token of the statement: a semicolon or a brace.
  std::optional<SourceLocation> end_of(const Stmt* statement) const {
    if (const auto* loop = dyn_cast<CXXForRangeStmt>(statement)) {
      if (isa<CompoundStmt>(loop->getBody())) return loop->getBody()->getEndLoc();
    }
    if (statement->getEndLoc().isMacroID()) return std::nullopt;
    const std::optional<Token> next =
        Lexer::findNextToken(statement->getEndLoc(), sources_, ast_.getLangOpts());
    if (!next || next->isNot(tok::semi)) return std::nullopt;
    return next->getLocation();
  }

  std::string text(SourceRange range) const {
    const StringRef all =
        Lexer::getSourceText(CharSourceRange::getTokenRange(range), sources_, ast_.getLangOpts());
    std::string line;
    for (const char letter : all) {
      const bool is_space = letter == ' ' || letter == '\n' || letter == '\t';
      if (!is_space) line += letter;
      if (is_space && !line.empty() && line.back() != ' ') line += ' ';
    }
    return line;
  }

  std::size_t offset(SourceLocation location) const { return sources_.getFileOffset(location); }
  std::size_t end_offset(SourceLocation location) const {
    return offset(Lexer::getLocForEndOfToken(location, 0, sources_, ast_.getLangOpts()));
  }

  void add_operator(const Expr* expression, SourceLocation its, std::size_t length, const std::string& before,
                    const std::string& by) {
    const SourceRange range = expression->getSourceRange();
    if (its.isMacroID() || !add(range, before, ")", "")) return;
    Place& place = places_.back();
    place.operator_begin = offset(its);
    place.operator_end = place.operator_begin + length;
    const std::string left = text({range.getBegin(), its}), whole = place.original;
    place.changed = left.substr(0, left.size() - length) + by + whole.substr(left.size());
  }

  bool add(SourceRange range, std::string before, std::string after, std::string changed) {
    if (range.isInvalid() || range.getBegin().isMacroID() || range.getEnd().isMacroID() || functions_.empty())
      return false;
    Place place;
    place.begin = offset(range.getBegin());
    place.end = end_offset(range.getEnd());
    place.before = std::move(before);
    place.after = std::move(after);
    // Lists in braces are visited twice.
    if (!seen_.emplace(place.begin, place.end, place.before).second) return false;
    place.line = sources_.getSpellingLineNumber(range.getBegin());
    place.function = function_;
    place.original = text(range);
    place.changed = std::move(changed);
    places_.push_back(std::move(place));
    return true;
  }

  ASTContext& ast_;
  const SourceManager& sources_;
  std::string function_;                        // the name of the outermost that is visited
  std::vector<const FunctionDecl*> functions_;  // with those of lambda expressions
  std::set<const Stmt*> leaves_early_, negated_;
  std::set<std::tuple<std::size_t, std::size_t, std::string>> seen_;
  std::vector<Place> places_;
};

}  // namespace

std::vector<Place> find_places(ASTContext& ast) {
  Finder finder(ast);
  finder.TraverseDecl(ast.getTranslationUnitDecl());
  return std::move(finder).places();
}

}  // namespace mutants
