#include <autoshard/detail/entity_type.h>
#include <autoshard/errors.h>
#include <cxxabi.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "platform.h"

namespace autoshard::detail {
namespace {

struct Noted {
  platform::Mutex mutex;
  std::vector<const EntityType*> sharded, expiring;
  std::map<std::string, const EntityType*, std::less<>> kinds;  // of each, the class that was noted first
  bool versions_are_allowed = false;
};

Noted& noted() {
  static Noted& noted = *new Noted;  // for mappers that outlive the static objects
  return noted;
}

/// As it is written in C++.
std::string name_of(const std::type_info& type) {
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr), &std::free);
  return name ? name.get() : type.name();
}

}  // namespace

bool note_kind(const EntityType& type) {
  const std::lock_guard lock(noted().mutex);
  const auto [first, is_new] = noted().kinds.try_emplace(std::string(type.kind), &type);
  return is_new || *first->second->entity_class == *type.entity_class;
}

void refuse_second_class(const EntityType& type) {
  const std::lock_guard lock(noted().mutex);
  const auto first = noted().kinds.find(type.kind);
  if (noted().versions_are_allowed || first == noted().kinds.end() ||
      *first->second->entity_class == *type.entity_class)
    return;
  throw InvalidUse("the classes " + name_of(*first->second->entity_class) + " and " +
                   name_of(*type.entity_class) + " are both of the kind " + std::string(type.kind) +
                   ", so that their records would be mixed: give one of them another kind, by "
                   "[[autoshard::entity(\"…\")]]");
}

void allow_versions_of_classes(bool are_allowed) {
  const std::lock_guard lock(noted().mutex);
  noted().versions_are_allowed = are_allowed;
}

bool note_entity_type(const EntityType& type) {
  const std::lock_guard lock(noted().mutex);
  if (!type.sharded.empty()) noted().sharded.push_back(&type);
  if (type.expires_at) noted().expiring.push_back(&type);
  return true;
}

std::vector<const EntityType*> entity_types() {
  const std::lock_guard lock(noted().mutex);
  return noted().sharded;
}

std::vector<const EntityType*> expiring_types() {
  const std::lock_guard lock(noted().mutex);
  return noted().expiring;
}

}  // namespace autoshard::detail
