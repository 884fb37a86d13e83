#include "tool/frontend/compiler/clang_evaluator.h"

#include <clang/AST/ASTDiagnostic.h>
#include <clang/Sema/Sema.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Path.h>

#include "tool/frontend/compiler/lookup.h"
#include "tool/frontend/compiler/parse_more.h"
#include "tool/frontend/compiler/versions.h"

namespace autoshard::tool {
namespace {

/// Marks each function as constexpr, so that Clang evaluates it.
class ConstexprMarker : public SyntaxVisitor<ConstexprMarker> {
 public:
  ConstexprMarker() {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitFunctionDecl(clang::FunctionDecl* function) AUTOSHARD_OVERRIDE {
    if (!function->isConstexpr()) function->setConstexprKind(clang::ConstexprSpecKind::Constexpr);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) AUTOSHARD_OVERRIDE {
    return VisitFunctionDecl(lambda->getCallOperator());
  }
};

class ClangEvaluator : public Evaluator {
 public:
  explicit ClangEvaluator(clang::CompilerInstance& compiler)
      : compiler_(compiler), ast_(compiler.getASTContext()) {}

  std::string compile(std::string_view owner, std::string_view nested, const std::string& text) override {
    if (!prepared_) prepare();
    FirstError errors;
    const DiagnosticsDetour detour(compiler_.getDiagnostics(), errors);
    declare_nested(owner, nested);
    parse(text);
    return errors.message();
  }

  void limit(unsigned steps) override { compiler_.getLangOpts().ConstexprStepLimit = steps; }

  Value call(std::string_view function, const Arguments& arguments) override {
    const Call& call = call_of(function);
    if (!call.expression) return {.problem = call.problem};
    for (std::size_t at = 0; at < arguments.size(); ++at)
      call.arguments[at]->setValue(ast_, integer(arguments[at]));

    llvm::SmallVector<clang::PartialDiagnosticAt, 4> notes;
    clang::Expr::EvalResult result;
    result.Diag = &notes;
    const bool known = call.expression->EvaluateAsConstantExpr(result, ast_) && notes.empty();
    if (!known) return {.problem = first_text(notes), .out_of_steps = is_out_of_steps(notes)};
    if (result.Val.isInt()) return {.known = true, .truth = result.Val.getInt().getBoolValue()};
    return {.known = true, .text = characters(result.Val)};
  }

 private:
  /// Called before the first evaluation only: many runs evaluate nothing.
  void prepare() {
    prepared_ = true;
    compiler_.getLangOpts().AccessControl = false;
    compiler_.getLangOpts().ConstexprStepLimit = kUsualSteps;
    const clang::SourceManager& sources = compiler_.getSourceManager();
    for (clang::Decl* decl : ast_.getTranslationUnitDecl()->decls()) {
      const clang::SourceLocation place = decl->getLocation();
      if (!sources.isInSystemHeader(place) || is_in_bitset_header(sources, place)) marker_.TraverseDecl(decl);
    }
  }

  /// Adds a nested class to a class that is already complete.
  void declare_nested(std::string_view owner, std::string_view nested) {
    auto* record = llvm::dyn_cast_or_null<clang::CXXRecordDecl>(find_declaration(ast_, owner));
    if (!record || !record->getDefinition()) return;
    tool::declare_nested(*record->getDefinition(), nested)->setAccess(clang::AS_public);
  }

  void parse(const std::string& text) {
    // Marks the functions after parsing: Clang instantiates templates at the end.
    for (clang::Decl* decl : parse_more(compiler_.getSema(), text)) marker_.TraverseDecl(decl);
  }

  /// A call of a function that is evaluated many times with different arguments.
  struct Call {
    const clang::Expr* expression = nullptr;
    std::array<clang::IntegerLiteral*, std::tuple_size_v<Arguments>> arguments{};
    std::string problem{};  ///< why there is no call
  };

  const Call& call_of(std::string_view function) {
    const auto [found, is_new] = calls_.try_emplace(function);
    if (is_new) found->second = build_call(function);
    return found->second;
  }

  Call build_call(std::string_view name) {
    FirstError errors;
    const DiagnosticsDetour detour(compiler_.getDiagnostics(), errors);
    auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(find_declaration(ast_, name));
    if (!function || function->isInvalidDecl()) return {};
    const clang::SourceLocation place = function->getLocation();
    Call call;
    llvm::SmallVector<clang::Expr*, 3> values;
    for (clang::IntegerLiteral*& argument : call.arguments) {
      argument = clang::IntegerLiteral::Create(ast_, integer(0), ast_.IntTy, place);
      values.push_back(argument);
    }
    clang::Expr* callee =
        compiler_.getSema().BuildDeclRefExpr(function, function->getType(), clang::VK_LValue, place);
    const clang::ExprResult built = compiler_.getSema().BuildCallExpr(nullptr, callee, place, values, place);
    if (built.isUsable()) call.expression = built.get();
    call.problem = errors.message();
    return call;
  }

  llvm::APInt integer(int value) const {
    return {ast_.getIntWidth(ast_.IntTy), static_cast<std::uint64_t>(value), true};
  }

  static bool is_out_of_steps(llvm::ArrayRef<clang::PartialDiagnosticAt> notes) {
    return llvm::any_of(notes, [](const clang::PartialDiagnosticAt& note) {
      return note.second.getDiagID() == clang::diag::note_constexpr_step_limit_exceeded;
    });
  }

  std::string first_text(llvm::ArrayRef<clang::PartialDiagnosticAt> notes) const {
    if (notes.empty()) return "the compiler cannot evaluate it";
    llvm::SmallString<128> text;
    notes.front().second.EmitToString(compiler_.getDiagnostics(), text);
    return text.str().str();
  }

  static std::string characters(const clang::APValue& value) {
    std::string text;
    if (!value.isStruct() || value.getStructNumFields() == 0) return text;
    const clang::APValue& array = value.getStructField(0);
    if (!array.isArray()) return text;
    for (unsigned at = 0; at < array.getArrayInitializedElts(); ++at) {
      const auto byte = static_cast<char>(array.getArrayInitializedElt(at).getInt().getExtValue());
      if (byte == '\0') break;
      text += byte;
    }
    return text;
  }

  clang::CompilerInstance& compiler_;
  clang::ASTContext& ast_;
  ConstexprMarker marker_;
  llvm::StringMap<Call> calls_;  ///< by the function's name
  bool prepared_ = false;
};

}  // namespace

bool is_in_bitset_header(const clang::SourceManager& sources, clang::SourceLocation place) {
  return llvm::sys::path::filename(sources.getFilename(sources.getExpansionLoc(place))) == "bitset" &&
         sources.isInSystemHeader(place);
}

std::unique_ptr<Evaluator> make_evaluator(clang::CompilerInstance& compiler) {
  return std::make_unique<ClangEvaluator>(compiler);
}

}  // namespace autoshard::tool
