#include "tool/frontend/keys/closed_types.h"

#include <llvm/ADT/STLExtras.h>

#include <array>
#include <vector>

#include "tool/frontend/bodies/standard.h"
#include "tool/frontend/effects/acting.h"

namespace autoshard::tool {
namespace {

/// Whether argument number `at` is `std::name<of>`, and no specialisation of the user's.
bool is_standard_of(const StandardClass& record, unsigned at, llvm::StringRef name, clang::QualType of) {
  const clang::QualType type = argument(record, at);
  const StandardClass* const found = type.isNull() ? nullptr : standard_class(type);
  if (!found || identifier_of(found) != name || argument(*found, 0) != of) return false;
  const bool is_specialised_by_library = name == "hash" || name == "char_traits";
  return is_specialised_by_library ? is_library_declaration(*found)
                                   : found->getSpecializationKind() != clang::TSK_ExplicitSpecialization;
}

/// The types that a pair, tuple, optional, array, duration or time_point is made of; none of any other class,
/// and of one that holds references.
std::vector<clang::QualType> parts_of(const StandardClass& record) {
  const llvm::StringRef name = identifier_of(&record);
  std::vector<clang::QualType> parts;
  if (name == "pair") {
    parts = {argument(record, 0), argument(record, 1)};
  } else if (name == "optional" || name == "array" || name == "duration") {
    parts = {argument(record, 0)};
  } else if (name == "time_point") {
    parts = {argument(record, 1)};
  } else if (name == "tuple" && record.getTemplateArgs().size() == 1) {
    for (const clang::TemplateArgument& part : record.getTemplateArgs()[0].pack_elements())
      parts.push_back(part.getAsType().getCanonicalType().getUnqualifiedType());
  }
  const bool has_references =
      llvm::any_of(parts, [](clang::QualType part) { return part->isReferenceType(); });
  return has_references ? std::vector<clang::QualType>() : parts;
}

/// Whether values of a class of the user's are their fields, and nothing of the user's runs when they are
/// made, copied or destroyed.
bool is_plain_struct(const clang::CXXRecordDecl& record) {
  return record.hasDefinition() && !record.isUnion() && !record.isLambda() && record.getNumBases() == 0 &&
         !record.isPolymorphic() && !record.hasUserDeclaredCopyConstructor() &&
         !record.hasUserDeclaredMoveConstructor() && !record.hasUserDeclaredCopyAssignment() &&
         !record.hasUserDeclaredMoveAssignment() && !record.hasUserDeclaredDestructor() &&
         llvm::all_of(record.fields(), [](const clang::FieldDecl* field) {
           return !field->getType()->isReferenceType() && !field->isMutable() && !field->isBitField() &&
                  !field->getType().isVolatileQualified() && is_closed(field->getType());
         });
}

/// Whether a declaration of an operator may take values of this type.
bool may_take(const clang::NamedDecl& declared, clang::QualType type) {
  const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(&declared);
  return !function || llvm::any_of(function->parameters(), [&](const clang::ParmVarDecl* parameter) {
    return plain_type(parameter->getType()) == type;
  });
}

/// Whether a comparison of two values of an enumeration finds an operator of the user.
bool has_own(clang::OverloadedOperatorKind name, const clang::EnumDecl& enumeration, clang::QualType type) {
  const clang::DeclarationName operators =
      enumeration.getASTContext().DeclarationNames.getCXXOperatorName(name);
  for (const clang::DeclContext* at = enumeration.getDeclContext(); at; at = at->getParent()) {
    if (const auto* const record = llvm::dyn_cast<clang::CXXRecordDecl>(at)) {
      if (record->hasFriends()) return true;
    } else if (llvm::any_of(at->lookup(operators),
                            [&](const clang::NamedDecl* declared) { return may_take(*declared, type); })) {
      return true;
    }
    if (at->isNamespace() && !at->isInlineNamespace()) return false;
  }
  return false;
}

/// Whether the numbers of an enumeration are compared, and no operator of the user.
bool is_plain_enumeration(clang::QualType type) {
  const clang::QualType one = plain_type(type);
  const auto* const enumeration = llvm::dyn_cast_or_null<clang::EnumDecl>(one->getAsTagDecl());
  return enumeration &&
         llvm::none_of(std::array{clang::OO_Less, clang::OO_EqualEqual, clang::OO_Spaceship},
                       [&](clang::OverloadedOperatorKind name) { return has_own(name, *enumeration, one); });
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
         is_standard_of(*record, 1, "char_traits", argument(*record, 0));
}

bool is_ordered(clang::QualType type) {
  if (is_number(type) || is_string(type)) return true;
  const StandardClass* const record = standard_class(type);
  if (!record) return false;
  const std::vector<clang::QualType> parts = parts_of(*record);
  return !parts.empty() && llvm::all_of(parts, is_ordered);
}

bool is_key_type(clang::QualType type) {
  if (is_number(type)) return !plain_type(type)->isRealFloatingType();
  if (is_string(type) || is_plain_enumeration(type)) return true;
  const StandardClass* const record = standard_class(type);
  if (!record || identifier_of(record) == "optional" || identifier_of(record) == "array") return false;
  const std::vector<clang::QualType> parts = parts_of(*record);
  return !parts.empty() && llvm::all_of(parts, is_key_type);
}

bool compares_keys_as_usual(const StandardClass& record) {
  const llvm::StringRef name = identifier_of(&record);
  if (!record.getDeclContext()->getRedeclContext()->isStdNamespace() ||
      !llvm::is_contained({"map", "set", "unordered_map", "unordered_set"}, name))
    return false;
  const clang::QualType key = argument(record, 0);
  if (!is_key_type(key)) return false;
  const unsigned next = is_map(record) ? 2 : 1;
  return name.starts_with("unordered_")
             ? is_standard_of(record, next, "hash", key) && is_standard_of(record, next + 1, "equal_to", key)
             : is_standard_of(record, next, "less", key);
}

const clang::CXXRecordDecl* keyed_class(clang::QualType type) {
  const StandardClass* const record = standard_class(type);
  if (!record || !compares_keys_as_usual(*record)) return nullptr;
  return is_map(*record) && !is_closed(argument(*record, 1)) ? nullptr : record->getCanonicalDecl();
}

bool is_map(const clang::CXXRecordDecl& container) { return identifier_of(&container).ends_with("map"); }

bool is_closed(clang::QualType type) {
  const clang::QualType one = plain_type(type);
  if (is_number(one) || one->isEnumeralType() || is_string(one)) return true;
  const clang::CXXRecordDecl* const record = one->getAsCXXRecordDecl();
  if (!record) return false;
  if (const StandardClass* const standard = standard_class(one)) {
    if (keyed_class(one)) return true;
    const std::vector<clang::QualType> parts = parts_of(*standard);
    return !parts.empty() && llvm::all_of(parts, is_closed);
  }
  return !is_standard(*record) && is_plain_struct(*record);
}

}  // namespace autoshard::tool
