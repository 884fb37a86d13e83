#include "tool/frontend/keys/key_order.h"

#include <llvm/ADT/STLExtras.h>

#include <array>

#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

/// Returns whether argument number `at` is a class of the library with this name.
bool is_library_class(const StandardClass& record, unsigned at, llvm::StringRef name) {
  const clang::QualType type = argument(record, at);
  return !type.isNull() && identifier_of(standard_class(type)) == name;
}

/// Returns whether argument number `at` is `std::name<of>`.
bool is_library_class(const StandardClass& record, unsigned at, llvm::StringRef name, clang::QualType of) {
  return is_library_class(record, at, name) && argument(*standard_class(argument(record, at)), 0) == of;
}

/// Returns whether a parameter of this type takes a value that is or contains one of the enumeration by a
/// conversion only. The comparison of the language or of the library needs none, and is preferred.
bool needs_conversion(clang::QualType parameter, clang::QualType enumeration) {
  const clang::QualType type = plain_type(parameter);
  if (const auto* const dependent = type->getAs<clang::TemplateSpecializationType>()) {
    const clang::TemplateDecl* const text = dependent->getTemplateName().getAsTemplateDecl();
    return llvm::isa_and_nonnull<clang::ClassTemplateDecl>(text) && !is_standard(*text);
  }
  const clang::TagDecl* const tag = type->getAsTagDecl();
  return type->isBuiltinType() ? !type->isDependentType() : tag && !is_standard(*tag) && type != enumeration;
}

/// Returns whether an operator may compare values of the enumeration, or values that contain them.
bool may_compare(const clang::NamedDecl& declared, clang::QualType enumeration) {
  const clang::FunctionDecl* const function = declared.getAsFunction();
  return !function || llvm::none_of(function->parameters(), [&](const clang::ParmVarDecl* parameter) {
    return needs_conversion(parameter->getType(), enumeration);
  });
}

/// Returns whether a comparison with an operator of this name may find one of the user, among the
/// declarations that belong to the enumeration.
bool has_own(clang::OverloadedOperatorKind name, const clang::EnumDecl& enumeration, clang::QualType type) {
  const clang::DeclarationName operators =
      enumeration.getASTContext().DeclarationNames.getCXXOperatorName(name);
  for (const clang::DeclContext* at = enumeration.getDeclContext(); at; at = at->getParent()) {
    if (const auto* const record = llvm::dyn_cast<clang::CXXRecordDecl>(at)) {
      if (record->hasFriends()) return true;
    } else if (llvm::any_of(at->lookup(operators),
                            [&](const clang::NamedDecl* declared) { return may_compare(*declared, type); })) {
      return true;
    }
    if (at->isNamespace() && !at->isInlineNamespace()) return false;
  }
  return false;
}

/// Returns whether it is an enumeration whose values are compared as numbers.
bool is_plain_enumeration(clang::QualType type) {
  const clang::QualType one = plain_type(type);
  const auto* const enumeration = llvm::dyn_cast_or_null<clang::EnumDecl>(one->getAsTagDecl());
  constexpr std::array kNames = {clang::OO_Less, clang::OO_EqualEqual, clang::OO_Spaceship};
  return enumeration && llvm::none_of(kNames, [&](clang::OverloadedOperatorKind name) {
           return has_own(name, *enumeration, one);
         });
}

/// Returns whether two keys of the type that are not less than each other are the same.
bool is_key_type(clang::QualType type) {
  if (is_number(type)) return !plain_type(type)->isRealFloatingType();
  if (is_string(type) || is_plain_enumeration(type)) return true;
  const StandardClass* const record = standard_class(type);
  if (!record || identifier_of(record) == "optional" || identifier_of(record) == "array") return false;
  const std::vector<clang::QualType> parts = parts_of(*record);
  return !parts.empty() && llvm::all_of(parts, is_key_type);
}

}  // namespace

bool is_number(clang::QualType type) {
  const clang::QualType one = plain_type(type);
  return one->isBuiltinType() && one->isArithmeticType() &&
         !one->isSpecificBuiltinType(clang::BuiltinType::LongDouble);
}

bool is_string(clang::QualType type) {
  const StandardClass* const record = standard_class(type);
  return record && identifier_of(record) == "basic_string" && argument(*record, 0)->isCharType() &&
         is_library_class(*record, 1, "char_traits", argument(*record, 0)) &&
         is_library_class(*record, 2, "allocator");
}

std::vector<clang::QualType> parts_of(const StandardClass& record) {
  const llvm::StringRef name = identifier_of(&record);
  std::vector<clang::QualType> parts;
  if (name == "pair") {
    parts = {argument(record, 0), argument(record, 1)};
  } else if (name == "optional" || name == "array" || name == "duration") {
    parts = {argument(record, 0)};
  } else if (name == "time_point") {
    const clang::CXXRecordDecl* const clock = argument(record, 0)->getAsCXXRecordDecl();
    if (clock && is_standard(*clock)) parts = {argument(record, 1)};
  } else if (name == "tuple" && record.getTemplateArgs().size() == 1) {
    for (const clang::TemplateArgument& part : record.getTemplateArgs()[0].pack_elements())
      parts.push_back(part.getAsType().getCanonicalType().getUnqualifiedType());
  }
  const bool has_references =
      llvm::any_of(parts, [](clang::QualType part) { return part->isReferenceType(); });
  return has_references ? std::vector<clang::QualType>() : parts;
}

bool is_ordered(clang::QualType type) {
  if (is_number(type) || is_string(type)) return true;
  const StandardClass* const record = standard_class(type);
  if (!record) return false;
  const std::vector<clang::QualType> parts = parts_of(*record);
  return !parts.empty() && llvm::all_of(parts, is_ordered);
}

bool compares_keys_as_usual(const StandardClass& record) {
  const llvm::StringRef name = identifier_of(&record);
  if (!record.getDeclContext()->getRedeclContext()->isStdNamespace() || !is_made_by_system(record) ||
      !llvm::is_contained({"map", "set", "unordered_map", "unordered_set"}, name))
    return false;
  const clang::QualType key = argument(record, 0);
  unsigned next = is_map(record) ? 2 : 1;
  const bool is_usual = name.starts_with("unordered_") ? is_library_class(record, next, "hash", key) &&
                                                             is_library_class(record, ++next, "equal_to", key)
                                                       : is_library_class(record, next, "less", key);
  return is_usual && is_library_class(record, next + 1, "allocator") && is_key_type(key);
}

bool is_map(const clang::CXXRecordDecl& container) { return identifier_of(&container).ends_with("map"); }

}  // namespace autoshard::tool
