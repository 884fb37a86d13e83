#include "tool/frontend/members/parameters.h"

#include <clang/AST/DeclTemplate.h>

#include "tool/frontend/members/read_types.h"

namespace autoshard::tool {
namespace {

namespace tok = clang::tok;

Passing passing_of(clang::QualType type) {
  if (type->isRValueReferenceType()) return Passing::kRvalueReference;
  if (!type->isLValueReferenceType()) return Passing::kValue;
  return type->getPointeeType().isConstQualified() ? Passing::kConstReference : Passing::kReference;
}

/// Whether the type is a reference to an array. A local variable that is initialised with it would not be an
/// array.
bool refers_to_array(clang::QualType type) {
  return type->isReferenceType() && type->getPointeeType()->isArrayType();
}

/// The attributes before the token at `begin`. Clang does not count them among a parameter's tokens.
std::string attributes_before(clang::SourceLocation begin, const Context& context) {
  const Tokens all = context.log.tokens();
  const auto end = context.log.find(begin);
  if (!end) return {};
  std::size_t first = *end;
  while (first >= 2 && all[first - 1].is(tok::r_square) && all[first - 2].is(tok::r_square)) {
    std::size_t depth = 0;
    do {
      --first;
      if (all[first].is(tok::r_square)) ++depth;
      if (all[first].is(tok::l_square)) --depth;
    } while (depth > 0 && first > 0);
  }
  const std::string text = context.log.text(all.slice(first, *end - first));
  return text.empty() ? text : text + " ";
}

/// Class templates of the standard library whose values lead to an object of their first argument.
constexpr llvm::StringLiteral kPointers[] = {"shared_ptr", "weak_ptr",          "unique_ptr",
                                             "span",       "reference_wrapper", "__normal_iterator"};
constexpr llvm::StringLiteral kOwners[] = {"shared_ptr", "weak_ptr", "unique_ptr"};
constexpr llvm::StringLiteral kStreams[] = {"istream_iterator", "istreambuf_iterator", "ostream_iterator",
                                            "ostreambuf_iterator", "back_insert_iterator"};

const clang::ClassTemplateSpecializationDecl* of_standard_template(clang::QualType type) {
  const auto* special =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!special) return nullptr;
  // GCC's library has iterators outside of `std`.
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(special->getDeclContext());
  return special->isInStdNamespace() || (space && space->getName() == "__gnu_cxx") ? special : nullptr;
}

template <class Accepts>
bool any_argument(const clang::ClassTemplateSpecializationDecl& special, Accepts accepts) {
  return llvm::any_of(special.getTemplateArgs().asArray(), [&](const clang::TemplateArgument& argument) {
    return argument.getKind() == clang::TemplateArgument::Type && accepts(argument.getAsType());
  });
}

/// Whether a value of `type` leads to an object outside of itself, and allows to change it.
bool shares_an_object(clang::QualType type) {
  type = type.getNonReferenceType().getCanonicalType();
  if (type->isPointerType())
    return !type->isFunctionPointerType() && !type->getPointeeType().isConstQualified();
  const clang::ClassTemplateSpecializationDecl* special = of_standard_template(type);
  if (!special) return false;
  const llvm::StringRef name = special->getName();
  if (llvm::is_contained(kStreams, name)) return true;
  const clang::TemplateArgument& first = special->getTemplateArgs()[0];
  if (llvm::is_contained(kPointers, name) && first.getKind() == clang::TemplateArgument::Type &&
      !first.getAsType()->isPointerType() && !first.getAsType().isConstQualified())
    return true;
  return any_argument(*special, shares_an_object);
}

bool is_function(clang::QualType type) {
  const clang::QualType pointee = type->getPointeeType();
  if (!pointee.isNull() && pointee->isFunctionType()) return true;
  const auto* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getDeclName().isIdentifier() &&
         (record->getName() == "function" || record->getName() == "move_only_function");
}

}  // namespace

bool refers_elsewhere(clang::QualType type) {
  if (!type->getPointeeType().isNull()) return !type->getPointeeType()->isFunctionType();
  const auto* record = type->getAsCXXRecordDecl();
  if (!record) return false;
  if (record->isLambda()) {
    return llvm::any_of(record->captures(), [](const clang::LambdaCapture& capture) {
      return capture.getCaptureKind() == clang::LCK_This || capture.getCaptureKind() == clang::LCK_ByRef;
    });
  }
  const clang::ClassTemplateSpecializationDecl* special = of_standard_template(type);
  if (!special) return false;
  const llvm::StringRef name = special->getName();
  if (llvm::is_contained(kOwners, name)) return false;
  return name == "basic_string_view" || name.contains("iter") || llvm::is_contained(kPointers, name) ||
         any_argument(*special, refers_elsewhere);
}

Parameter read_parameter(const clang::ParmVarDecl& parameter, unsigned position, const Context& context) {
  Parameter result;
  result.name = parameter.getNameAsString();
  Tokens tokens = context.log.tokens(parameter.getSourceRange());
  if (parameter.hasDefaultArg()) {
    const auto* equal = llvm::find_if(tokens, [](const clang::Token& token) { return token.is(tok::equal); });
    const auto before = static_cast<std::size_t>(equal - tokens.begin());
    result.default_argument = context.log.text(tokens.drop_front(std::min(before + 1, tokens.size())));
    tokens = tokens.take_front(before);
  }
  result.text = context.log.text(tokens);
  result.written = attributes_before(parameter.getSourceRange().getBegin(), context) + result.text;
  if (result.name.empty()) {
    result.name = "argument" + std::to_string(position + 1);
    result.text = result.name;
    parameter.getType().getAsStringInternal(result.text, spelling_policy(context.ast));
  }
  result.passing = passing_of(parameter.getType());
  result.type = read_type(parameter.getType().getNonReferenceType(), context);
  result.copyable = copyable(parameter.getType(), context.sema) && !refers_to_array(parameter.getType());
  result.is_function = is_function(parameter.getType());
  result.is_volatile = parameter.getType().getNonReferenceType().isVolatileQualified();
  result.shares_an_object = shares_an_object(parameter.getType());
  return result;
}

}  // namespace autoshard::tool
