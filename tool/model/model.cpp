#include "tool/model/model.h"

#include <algorithm>

namespace autoshard::tool {
namespace {

template <typename Named>
auto find_named(const std::vector<Named>& all, std::string_view name) -> const Named* {
  auto found = std::find_if(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool names_member(const Annotation& fold, std::string_view member) {
  return std::any_of(fold.arguments.begin(), fold.arguments.end(), [&](const Argument& argument) {
    return argument.name.empty() && argument.value == member;
  });
}

/// Walks through a type with its parts before itself.
class StructCollector {
 public:
  void visit(const Type& type) {
    if (std::find(seen_.begin(), seen_.end(), type.canonical) != seen_.end()) return;
    if (type.kind == TypeKind::kStruct) seen_.push_back(type.canonical);
    for (const Type& argument : type.arguments) visit(argument);
    for (const Field& field : type.fields) visit(field.type.front());
    if (type.kind == TypeKind::kStruct) structs_.push_back(&type);
  }

  std::vector<const Type*> take() { return std::move(structs_); }

 private:
  std::vector<std::string_view> seen_;
  std::vector<const Type*> structs_;
};

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
    const Annotation* fold = method.annotation("shard_fold");
    if (!fold) continue;
    const Type* type = folded_type(method);
    if (names_member(*fold, property.name)) {
      named.push_back(&method);
    } else if (fold->arguments.empty() && type && *type == property.type) {
      fitting.push_back(&method);
    }
  }
  return named.empty() ? fitting : named;
}

std::vector<const Type*> structs_of(const Entity& entity) {
  StructCollector collector;
  for (const Property* property : entity.all_properties()) {
    if (!property->is_transient() && !property->is_id()) collector.visit(property->type);
  }
  return collector.take();
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

}  // namespace autoshard::tool
