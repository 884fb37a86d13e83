#include "tool/advise/id.h"

#include <algorithm>
#include <cctype>

#include "tool/check/types.h"

namespace autoshard::tool {
namespace {

/// `orderId_` and `order_id`: `orderid`.
std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c != '_') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

bool is_changed(const Entity& entity, const Property& property) {
  return std::ranges::any_of(entity.methods, [&](const Method& method) {
    // A template such as `serialize` may write its arguments, so its uses are not counted.
    return !method.is_constructor && !method.is_template &&
           std::ranges::any_of(
               method.uses, [&](const MemberUse& use) { return use.write && use.member == property.name; });
  });
}

bool could_be_id(const Entity& entity, const Property& property) {
  const TypeKind kind = property.type.kind;
  return is_key(property.type) && kind != TypeKind::kBool && kind != TypeKind::kEnum &&
         property.annotations.empty() && !is_changed(entity, property);
}

}  // namespace

IdChoice choose_id(const Entity& entity) {
  IdChoice choice;
  for (const Property& property : entity.properties) {
    if (could_be_id(entity, property)) choice.candidates.push_back(&property);
  }
  for (const std::string& name : {std::string("id"), folded(entity.name) + "id", std::string("uuid"),
                                  std::string("guid"), std::string("key")}) {
    for (const Property* property : choice.candidates) {
      if (folded(property->stored_name) == name) return {property, "its name says so", {}};
    }
  }
  if (choice.candidates.size() == 1) {
    return {choice.candidates.front(), "no other member can be a key and stays as it is", {}};
  }
  return choice;
}

}  // namespace autoshard::tool
