#include "tool/frontend/bodies/literals.h"

#include <clang/AST/Expr.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/raw_ostream.h>

#include <cmath>

#include "tool/frontend/bodies/path_visitor.h"

namespace autoshard::tool {
namespace {

/// The most numbers, and the most texts: more would take too long to try.
constexpr std::size_t kMostOfEach = 6;

/// A greater number has no neighbours among the numbers that laws are tried on.
constexpr double kGreatest = 1e15;

/// Limits the steps of constant evaluation during its lifetime. Clang's own limit takes about a second.
class FewSteps {
 public:
  explicit FewSteps(clang::LangOptions& language) : language_(language), usual_(language.ConstexprStepLimit) {
    constexpr unsigned kStepsOfLiteral = 1'000;
    language_.ConstexprStepLimit = kStepsOfLiteral;
  }
  FewSteps(const FewSteps&) = delete;
  FewSteps& operator=(const FewSteps&) = delete;
  ~FewSteps() { language_.ConstexprStepLimit = usual_; }

 private:
  clang::LangOptions& language_;
  unsigned usual_;
};

class ConstantReader : public BodyVisitor<ConstantReader> {
 public:
  explicit ConstantReader(const clang::ASTContext& ast) : ast_(ast) {}

  Constants run(clang::Stmt* body) && {
    TraverseStmt(body);
    return std::move(found_);
  }

  bool VisitExpr(clang::Expr* expression) AUTOSHARD_OVERRIDE {
    if (found_.numbers.size() >= kMostOfEach) return true;
    // A list in parentheses has no type before its use is known.
    if (expression->getType().isNull() || expression->isInstantiationDependent() ||
        expression->getType()->isBooleanType())
      return true;
    clang::Expr::EvalResult result;
    const bool may_have_value =
        expression->getType()->isArithmeticType() || expression->getType()->isRecordType();
    if (may_have_value && expression->EvaluateAsRValue(result, ast_) && !result.HasSideEffects)
      add(result.Val);
    return true;
  }

  bool VisitStringLiteral(clang::StringLiteral* literal) AUTOSHARD_OVERRIDE {
    constexpr std::size_t kLongest = 40;
    if (!literal->isOrdinary() || literal->getLength() > kLongest || found_.texts.size() >= kMostOfEach)
      return true;
    add(found_.texts, quoted(literal->getString()));
    return true;
  }

  /// Reads a text that a constant holds.
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) AUTOSHARD_OVERRIDE {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (!variable || !variable->hasGlobalStorage() ||
        !(variable->isConstexpr() || variable->getType().isConstQualified()))
      return true;
    const clang::Expr* value = variable->getAnyInitializer();
    const auto* text =
        value ? llvm::dyn_cast<clang::StringLiteral>(value->IgnoreUnlessSpelledInSource()) : nullptr;
    return !text || VisitStringLiteral(const_cast<clang::StringLiteral*>(text));
  }

 private:
  /// Adds a number. A class with one number, such as a duration, counts as this number.
  void add(const clang::APValue& value) {
    if (value.isStruct() && value.getStructNumBases() == 0 && value.getStructNumFields() == 1)
      return add(value.getStructField(0));
    if (value.isInt() && value.getInt().isRepresentableByInt64())
      return add_number(value.getInt().getExtValue());
    if (!value.isFloat()) return;
    llvm::APFloat number = value.getFloat();
    bool is_rounded = false;
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &is_rounded);
    add_number(number.convertToDouble());
  }

  void add_number(std::int64_t number) {
    if (std::abs(static_cast<double>(number)) <= kGreatest) add(found_.numbers, std::to_string(number));
  }

  void add_number(double number) {
    if (!(std::abs(number) <= kGreatest)) return;
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.15g", number);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    add(found_.numbers, text);
  }

  static void add(std::vector<std::string>& values, const std::string& value) {
    if (values.size() < kMostOfEach && !llvm::is_contained(values, value)) values.push_back(value);
  }

  static std::string quoted(llvm::StringRef text) {
    std::string result;
    llvm::raw_string_ostream out(result);
    out << '"';
    out.write_escaped(text, /*UseHexEscapes=*/false);
    out << '"';
    return result;
  }

  const clang::ASTContext& ast_;
  Constants found_;
};

}  // namespace

Constants read_constants(const clang::FunctionDecl& function, const Context& context) {
  const FewSteps limit(context.language);
  return ConstantReader(context.ast).run(function.getBody());
}

}  // namespace autoshard::tool
