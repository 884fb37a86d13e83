#include "tool/frontend/effects/throws.h"

#include <llvm/ADT/SmallPtrSet.h>

#include "tool/frontend/bodies/acting.h"
#include "tool/frontend/bodies/callees.h"
#include "tool/frontend/bodies/path_visitor.h"
#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

bool catches(const clang::CXXCatchStmt& handler, clang::QualType thrown) {
  if (!handler.getExceptionDecl()) return true;  // `catch (...)`
  const clang::QualType caught = plain_type(handler.getCaughtType());
  const clang::CXXRecordDecl* record = caught->getAsCXXRecordDecl();
  if (thrown.isNull()) return record && record->isInStdNamespace() && record->getName() == "exception";
  if (plain_type(thrown) == caught) return true;
  const clang::CXXRecordDecl* derived = plain_type(thrown)->getAsCXXRecordDecl();
  return record && derived && derived->hasDefinition() && derived->isDerivedFrom(record);
}

/// Functions that throw if a text is no number, or too large a number.
constexpr llvm::StringRef kNumbersOfTexts[] = {"stoi",   "stol", "stoll", "stoul",
                                               "stoull", "stof", "stod",  "stold"};

/// Methods of a bitset that throw if it has no bit of this number.
constexpr llvm::StringRef kChangesOfBits[] = {"test", "set", "reset", "flip"};

bool is_zero(const clang::Expr& number) {
  const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(number.IgnoreImpCasts());
  return literal && literal->getValue().isZero();
}

bool is_assertion(const clang::FunctionDecl& function) { return identifier_of(&function).contains("assert"); }

/// Functions that have been visited, or are being visited.
using SeenFunctions = llvm::SmallPtrSet<const clang::FunctionDecl*, 8>;

class ThrowFinder : public PathVisitor<ThrowFinder> {
 public:
  ThrowFinder(const Context& context, SeenFunctions& seen) : context_(context), seen_(seen) {}

  std::optional<Escape> run(const clang::FunctionDecl& definition) && {
    TraverseStmt(definition.getBody());
    return std::move(found_);
  }

  bool VisitCXXThrowExpr(clang::CXXThrowExpr* expression) AUTOSHARD_OVERRIDE {
    const clang::QualType thrown =
        expression->getSubExpr() ? expression->getSubExpr()->getType() : clang::QualType();
    if (!is_caught(thrown, tries())) add("throws", *expression);
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) AUTOSHARD_OVERRIDE {
    if (const clang::FunctionDecl* callee = call->getDirectCallee()) visit(*callee, *call);
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) AUTOSHARD_OVERRIDE {
    visit(*construct->getConstructor(), *construct);
    return true;
  }

 private:
  void visit(const clang::FunctionDecl& callee, const clang::Expr& at) {
    if (found_) return;
    if (callee.isNoReturn()) {
      if (!is_assertion(callee)) add(end_in_words(callee), at);
      return;
    }
    const clang::FunctionDecl* definition = is_of_library(callee) ? nullptr : read_definition(callee);
    if (!definition || !seen_.insert(definition).second || is_caught({}, tries())) return;
    if (const auto inner = ThrowFinder(context_, seen_).run(*definition))
      add("calls '" + callee.getNameAsString() + "', which " + inner->what, at);
  }

  void add(std::string what, const clang::Expr& at) {
    if (found_ || is_unreachable()) return;
    found_ = Escape{std::move(what), context_.files.span(at.getSourceRange())};
  }

  /// The `try` blocks around the end of the path.
  llvm::SmallVector<const clang::CXXTryStmt*, 2> tries() const {
    llvm::SmallVector<const clang::CXXTryStmt*, 2> around;
    for (std::size_t at = 1; at < path().size(); ++at) {
      const auto* block = llvm::dyn_cast<clang::CXXTryStmt>(path()[at - 1]);
      if (block && block->getTryBlock() == path()[at]) around.push_back(block);
    }
    return around;
  }

  bool is_unreachable() const {
    const clang::Stmt* around = nullptr;
    for (const clang::Stmt* statement : path()) {
      if (llvm::isa<clang::SwitchStmt>(statement)) around = statement;
      if (is_unreachable_default(*statement, around)) return true;
    }
    return false;
  }

  const Context& context_;
  SeenFunctions& seen_;
  std::optional<Escape> found_;
};

}  // namespace

bool is_caught(clang::QualType thrown, llvm::ArrayRef<const clang::CXXTryStmt*> tries) {
  for (const clang::CXXTryStmt* block : tries) {
    for (unsigned at = 0; at < block->getNumHandlers(); ++at) {
      if (catches(*block->getHandler(at), thrown)) return true;
    }
  }
  return false;
}

bool is_unreachable_default(const clang::Stmt& statement, const clang::Stmt* around) {
  const auto* choice = llvm::dyn_cast_or_null<clang::SwitchStmt>(around);
  return choice && choice->isAllEnumCasesCovered() && llvm::isa<clang::DefaultStmt>(statement);
}

std::string end_in_words(const clang::FunctionDecl& function) {
  return is_assertion(function) ? "has an assertion" : call_in_words(function);
}

llvm::SmallVector<const clang::Expr*, 2> decide_whether_throws(const Call& call) {
  if (!call.callee || !is_of_library(*call.callee)) return {};
  const llvm::StringRef name = identifier_of(call.callee);
  const clang::Expr* first = call.arguments.empty() ? nullptr : call.arguments.front();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(call.callee);
  const llvm::StringRef container = method ? identifier_of(method->getParent()) : llvm::StringRef();
  if (name == "value" && (container == "optional" || container == "expected")) return {call.object};
  if (!first) return {};
  if (!method) {
    const llvm::StringRef taken = identifier_of(first->getType().getNonReferenceType()->getAsCXXRecordDecl());
    const bool throws = (name == "get" && taken == "variant") || (name == "any_cast" && taken == "any") ||
                        llvm::is_contained(kNumbersOfTexts, name);
    if (throws) return {first};
  } else if ((container == "bitset" && llvm::is_contained(kChangesOfBits, name)) ||
             (container == "array" && name == "at")) {
    return {first};  // the size is constant
  } else if (name == "at" || (name == "substr" && !is_zero(*first))) {
    return {call.object, first};
  }
  return {};
}

std::optional<Escape> find_throw(const clang::FunctionDecl& function, const Context& context) {
  const clang::FunctionDecl* definition = read_definition(function);
  if (!definition || definition->isDefaulted()) return std::nullopt;
  SeenFunctions seen{definition};
  return ThrowFinder(context, seen).run(*definition);
}

}  // namespace autoshard::tool
