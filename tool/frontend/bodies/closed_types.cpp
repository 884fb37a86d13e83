#include "tool/frontend/bodies/closed_types.h"

#include <llvm/ADT/STLExtras.h>

#include <vector>

#include "tool/frontend/bodies/standard.h"

namespace autoshard::tool {
namespace {

/// Whether argument number `at` is `std::name<of>`.
bool is_standard_of(const StandardClass& record, unsigned at, llvm::StringRef name, clang::QualType of) {
  const clang::QualType type = argument(record, at);
  const StandardClass* const found = type.isNull() ? nullptr : standard_class(type);
  return found && identifier_of(found) == name && argument(*found, 0) == of;
}

/// The types that a pair, tuple, optional, array or duration is made of; none of any other class, and of one
/// that holds references.
std::vector<clang::QualType> parts_of(const StandardClass& record) {
  const llvm::StringRef name = identifier_of(&record);
  std::vector<clang::QualType> parts;
  if (name == "pair") {
    parts = {argument(record, 0), argument(record, 1)};
  } else if (name == "optional" || name == "array" || name == "duration") {
    parts = {argument(record, 0)};
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

}  // namespace

clang::QualType plain_type(clang::QualType type) {
  return type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
}

const StandardClass* standard_class(clang::QualType type) {
  const auto* record = llvm::dyn_cast_or_null<StandardClass>(plain_type(type)->getAsCXXRecordDecl());
  return record && is_standard(*record) ? record : nullptr;
}

clang::QualType argument(const StandardClass& record, unsigned at) {
  const clang::TemplateArgumentList& arguments = record.getTemplateArgs();
  if (at >= arguments.size() || arguments[at].getKind() != clang::TemplateArgument::Type) return {};
  return arguments[at].getAsType().getCanonicalType().getUnqualifiedType();
}

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
  if (is_string(type)) return true;
  const StandardClass* const record = standard_class(type);
  if (!record || identifier_of(record) == "optional" || identifier_of(record) == "array") return false;
  const std::vector<clang::QualType> parts = parts_of(*record);
  return !parts.empty() && llvm::all_of(parts, is_key_type);
}

const clang::CXXRecordDecl* keyed_class(clang::QualType type) {
  const StandardClass* const record = standard_class(type);
  if (!record || !record->getDeclContext()->getRedeclContext()->isStdNamespace()) return nullptr;
  const llvm::StringRef name = identifier_of(record);
  const bool hashes = name.starts_with("unordered_");
  const bool is_map = name == "map" || name == "unordered_map";
  if (!is_map && name != "set" && name != "unordered_set") return nullptr;
  const clang::QualType key = argument(*record, 0);
  if (!is_key_type(key) || (is_map && !is_closed(argument(*record, 1)))) return nullptr;
  const unsigned next = is_map ? 2 : 1;
  const bool is_usual = hashes ? is_standard_of(*record, next, "hash", key) &&
                                     is_standard_of(*record, next + 1, "equal_to", key)
                               : is_standard_of(*record, next, "less", key);
  return is_usual ? record->getCanonicalDecl() : nullptr;
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
