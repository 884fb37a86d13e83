#include "tool/frontend/keys/closed_types.h"

#include <llvm/ADT/STLExtras.h>

#include <vector>

#include "tool/frontend/bodies/standard.h"
#include "tool/frontend/keys/key_order.h"

namespace autoshard::tool {
namespace {

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

const clang::CXXRecordDecl* keyed_class(clang::QualType type) {
  const StandardClass* const record = standard_class(type);
  if (!record || !compares_keys_as_usual(*record)) return nullptr;
  return is_map(*record) && !is_closed(argument(*record, 1)) ? nullptr : record->getCanonicalDecl();
}

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
