#include "tool/emit/signature.h"

#include <algorithm>

#include "tool/emit/emit.h"

namespace autoshard::tool {

bool has_member(const Entity& entity, std::string_view name) {
  return entity.property(name) != nullptr ||
         std::ranges::find(entity.methods, name, &Method::name) != entity.methods.end() ||
         std::ranges::find(entity.other_names, name, &Name::name) != entity.other_names.end();
}

bool return_type_leads(const Method& method) {
  return method.return_type_names_parameters ? !method.trailing_return_type : method.builtin_return_type;
}

std::string return_type_in_shard(const Method& method) {
  switch (method.result) {
    case Result::kSelfReference:
      return "Shard&";
    case Result::kSelfPointer:
      return "Shard*";
    case Result::kSelfValue:
      return "Shard";
    default:
      return method.return_type;
  }
}

std::string parameter_list(const Method& method, Where where) {
  std::string list;
  for (const Parameter& parameter : method.parameters) {
    if (!list.empty()) list += ", ";
    list += where == Where::kWrapper ? parameter.text : parameter.written;
    if (where == Where::kShard && !parameter.default_argument.empty())
      list += " = " + parameter.default_argument;
  }
  return list;
}

std::string_view without_ref_qualifier(std::string_view qualifiers) {
  while (qualifiers.starts_with('&') || qualifiers.starts_with(' ')) qualifiers.remove_prefix(1);
  return qualifiers;
}

std::string behind_blank(std::string_view qualifiers) {
  return qualifiers.empty() ? "" : " " + std::string(qualifiers);
}

bool is_constexpr(const Entity& entity, const Method& method) {
  return method.constexpr_specifier.has_value() && entity.has_trivial_shard();
}

bool is_declared_inline(const Method& method) {
  return method.is_noinline && method.is_defined_in_class() && !method.constexpr_specifier;
}

bool may_be_nodiscard(const Method& method) {
  return method.result == Result::kValue && !method.builtin_return_type;
}

}  // namespace autoshard::tool
