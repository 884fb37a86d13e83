#include "tool/model/model.h"

#include <algorithm>

namespace autoshard::tool {
namespace {

template <typename Named>
auto find_named(const std::vector<Named>& all, std::string_view name) -> const Named* {
  auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool names_member(const ShardFold& fold, std::string_view member) {
  return std::ranges::any_of(fold.members, [&](const Argument& argument) {
    return argument.name.empty() && argument.value == member;
  });
}

/// Collects a type and its parts, the parts first.
void collect(const Type& type, std::vector<std::string_view>& seen, std::vector<const Type*>& collected) {
  if (std::find(seen.begin(), seen.end(), type.canonical) != seen.end()) return;
  seen.push_back(type.canonical);
  for (const Type& argument : type.arguments) collect(argument, seen, collected);
  for (const Field& field : type.fields) collect(field.type.front(), seen, collected);
  collected.push_back(&type);
}

}  // namespace

const Argument* Annotation::argument(std::string_view argument_name) const {
  return find_named(arguments, argument_name);
}

const Annotation* Property::annotation(std::string_view annotation_name) const {
  return find_named(annotations, annotation_name);
}

const Annotation* Method::annotation(std::string_view annotation_name) const {
  return find_named(annotations, annotation_name);
}

const Annotation* Entity::annotation(std::string_view annotation_name) const {
  return find_named(annotations, annotation_name);
}

const Property* Entity::property(std::string_view member_name) const {
  return find_named(properties, member_name);
}

const Property* Entity::any_property(std::string_view member_name) const {
  const Property* own = property(member_name);
  return own ? own : find_named(inherited, member_name);
}

bool Entity::has_trivial_shard() const {
  return std::ranges::all_of(properties, [](const Property& property) {
    return !property.is_sharded() || property.type.trivially_copyable;
  });
}

std::vector<const Property*> Entity::all_properties() const {
  std::vector<const Property*> all;
  for (const Property& property : inherited) all.push_back(&property);
  for (const Property& property : properties) all.push_back(&property);
  return all;
}

bool Entity::is_sharded() const {
  return std::any_of(properties.begin(), properties.end(),
                     [](const Property& property) { return property.is_sharded(); });
}

bool is_adaptive(const Argument& shards) {
  std::string_view value = shards.value;
  constexpr std::string_view kAdaptive = "adaptive";
  if (!value.starts_with(kAdaptive)) return false;
  value.remove_prefix(std::min(value.find_first_not_of(' ', kAdaptive.size()), value.size()));
  return value.empty() || value.starts_with('(');
}

std::vector<const Property*> replaced_by(const Entity& entity, const Method& write) {
  std::vector<const Property*> replaced;
  for (const Property& property : entity.properties) {
    const auto writes_it = [&](const MemberUse& use) { return use.write && use.member == property.name; };
    if (property.is_sharded() && std::ranges::any_of(write.uses, writes_it)) replaced.push_back(&property);
  }
  return replaced;
}

bool is_replaceable(const Entity& entity, const Property& property) {
  if (!property.is_sharded() || property.is_group()) return false;
  return std::ranges::any_of(entity.methods, [&](const Method& method) {
    if (!method.is_shard_write()) return false;
    const std::vector<const Property*> replaced = replaced_by(entity, method);
    return !method.is_defined_in_class() || std::ranges::find(replaced, &property) != replaced.end();
  });
}

const Type* folded_type(const Method& method) {
  if (method.parameters.size() != 2) return nullptr;
  const Type& one = method.parameters[0].type;
  bool same = one == method.parameters[1].type && one == method.result_type;
  return same ? &one : nullptr;
}

std::vector<const Method*> folds_of(const Entity& entity, const Property& property) {
  std::vector<const Method*> named;
  std::vector<const Method*> fitting;
  for (const Method& method : entity.methods) {
    const std::optional<ShardFold>& fold = method.marks.fold;
    if (!fold) continue;
    const Type* type = folded_type(method);
    if (names_member(*fold, property.name)) {
      named.push_back(&method);
    } else if (fold->members.empty() && type && *type == property.type) {
      fitting.push_back(&method);
    }
  }
  return named.empty() ? fitting : named;
}

std::vector<const Type*> types_in(const std::vector<const Type*>& roots) {
  std::vector<std::string_view> seen;
  std::vector<const Type*> collected;
  for (const Type* root : roots) collect(*root, seen, collected);
  return collected;
}

std::vector<const Type*> types_of_updates(const Entity& entity) {
  std::vector<const Type*> roots;
  for (const Property& property : entity.properties) {
    if (property.is_sharded()) roots.push_back(&property.type);
  }
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method()) continue;
    for (const Parameter& parameter : method.parameters) roots.push_back(&parameter.type);
  }
  return types_in(roots);
}

std::vector<const Type*> types_of_updates(const Model& model) {
  std::vector<const Type*> roots;
  for (const Entity& entity : model.entities) {
    const std::vector<const Type*> types = types_of_updates(entity);
    roots.insert(roots.end(), types.begin(), types.end());
  }
  return types_in(roots);
}

std::vector<const Type*> structs_of(const Entity& entity) {
  std::vector<const Type*> roots;
  for (const Property* property : entity.all_properties()) {
    if (!property->is_transient() && !property->is_id()) roots.push_back(&property->type);
  }
  std::vector<const Type*> structs = types_in(roots);
  std::erase_if(structs, [](const Type* type) { return type->kind != TypeKind::kStruct; });
  return structs;
}

bool belongs_to_update(const Method& method, const MemberUse& use) {
  return std::ranges::any_of(method.updates, [&](const Update& update) {
    return update.member == use.member && std::ranges::find(update.uses, use.span) != update.uses.end();
  });
}

std::string method_key(const Method& method) { return method.name + " " + method.type; }

std::unique_ptr<const Model> part_of_source(const Model& model) {
  if (std::ranges::none_of(model.files, &SourceFile::is_source)) return nullptr;
  auto part = std::make_unique<Model>(model);
  const auto is_in_source = [&](const Span& span) { return model.files[span.file].is_source; };
  std::erase_if(part->entities, [&](const Entity& entity) {
    return !is_in_source(entity.span) && std::ranges::none_of(entity.methods, [&](const Method& method) {
      return !method.definition.empty() && is_in_source(method.body);
    });
  });
  return part;
}

std::set<std::string> defined_outside(const Model& model) {
  std::set<std::string> keys;
  for (const Entity& entity : model.entities) {
    for (const Method& method : entity.methods) {
      if (!method.definition.empty()) keys.insert(method_key(method));
      keys.insert(method.seen_functions.begin(), method.seen_functions.end());
    }
  }
  return keys;
}

std::string stored_name(std::string_view member) {
  std::string_view name = member;
  if (name.starts_with("m_")) name.remove_prefix(2);
  while (name.starts_with('_')) name.remove_prefix(1);
  while (name.ends_with('_')) name.remove_suffix(1);
  return std::string(name.empty() ? member : name);
}

std::string generated_name(std::string_view header) {
  auto slash = header.find_last_of('/');
  auto dot = header.find_last_of('.');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) dot = header.size();
  return std::string(header.substr(0, dot)) + ".autoshard" + std::string(header.substr(dot));
}

std::string original_name(std::string_view name) {
  constexpr std::string_view kMiddle = ".autoshard";
  const std::size_t middle = name.rfind(kMiddle);
  if (middle == std::string_view::npos) return {};
  std::string header(name.substr(0, middle));
  header += name.substr(middle + kMiddle.size());
  return generated_name(header) == name ? header : std::string();
}

}  // namespace autoshard::tool
