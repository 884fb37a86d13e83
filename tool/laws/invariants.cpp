#include "tool/laws/invariants.h"

#include <algorithm>

namespace autoshard::tool {
namespace {

/// Constants and members beyond these are not compared.
constexpr std::size_t kMostConstants = 6;
constexpr std::size_t kMostRelated = 4;

/// A number within a value.
struct Part {
  std::string path;  ///< behind the name of the value: `.sum`
  const Type* type = nullptr;
};

bool is_ordered(const Type& type) {
  return type.kind == TypeKind::kInteger || type.kind == TypeKind::kDuration ||
         type.kind == TypeKind::kTimePoint || type.kind == TypeKind::kEnum || type.kind == TypeKind::kBool;
}

void add_parts(const Type& type, const std::string& path, std::vector<Part>& parts) {
  if (is_ordered(type)) parts.push_back({path, &type});
  if (type.kind == TypeKind::kPair) {
    add_parts(type.arguments[0], path + ".first", parts);
    add_parts(type.arguments[1], path + ".second", parts);
  }
  for (const Field& field : type.fields) add_parts(field.type.front(), path + "." + field.name, parts);
}

}  // namespace

std::vector<Invariant> possible_invariants(const Property& property, const Constants& constants) {
  std::vector<Part> parts;
  add_parts(property.type, "", parts);
  std::vector<Invariant> found;
  const auto add = [&](const std::string& left, std::string_view comparison, const std::string& right,
                       const std::string& shown) {
    if (found.size() == kMostInvariants) return;
    const std::string sign(comparison);
    found.push_back(
        {"value" + left + " " + sign + " " + right, property.name + left + " " + sign + " " + shown});
  };
  for (const Part& part : parts) {
    const std::string shown = part.path.empty() ? property.sharding->neutral : "neutral" + part.path;
    add(part.path, ">=", "neutral" + part.path, shown);
    add(part.path, "<=", "neutral" + part.path, shown);
  }
  for (Invariant& one : found) one.is_of_neutral = true;
  for (const Part& part : parts) {
    if (part.type->kind != TypeKind::kInteger) continue;
    std::size_t count = 0;
    for (const std::string& number : constants.numbers) {
      if (number.find_first_of(".e") != std::string::npos || ++count > kMostConstants) continue;
      add(part.path, "<=", "static_cast<" + part.type->qualified + ">(" + number + ")", number);
    }
  }
  for (const Part& part : parts) {
    if (part.type->kind != TypeKind::kBool) continue;
    for (const Part& other : parts) {
      if (&other == &part || found.size() == kMostInvariants) continue;
      found.push_back(
          {"(value" + part.path + " != neutral" + part.path + " || value" + other.path + " == neutral" +
               other.path + ")",
           property.name + other.path + " is neutral while " + property.name + part.path + " is"});
    }
  }
  for (std::size_t one = 0; one < std::min(parts.size(), kMostRelated); ++one) {
    for (std::size_t other = 0; other < std::min(parts.size(), kMostRelated); ++other) {
      if (one != other && *parts[one].type == *parts[other].type)
        add(parts[one].path, "<=", "value" + parts[other].path, property.name + parts[other].path);
    }
  }
  return found;
}

}  // namespace autoshard::tool
