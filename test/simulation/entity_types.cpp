/// Stands in the place of runtime/src/entity/entity_types.cpp.
#include "entity_types.h"

#include <map>

#include "scheduler.h"

namespace autoshard {
namespace {

using Types = std::vector<const detail::EntityType*>;

std::map<int, Types>& types_of_processes() {
  static std::map<int, Types>& types = *new std::map<int, Types>;
  return types;
}

template <class Predicate>
Types types_of_this_process(Predicate predicate) {
  Types types = types_of_processes()[simulation::Scheduler::get().process()];
  std::erase_if(types, [&](const detail::EntityType* type) { return !predicate(*type); });
  return types;
}

}  // namespace

void simulation::set_entity_types(int process, Types types) {
  types_of_processes()[process] = std::move(types);
}

bool detail::note_entity_type(const EntityType&) { return true; }

bool detail::note_kind(const EntityType&) { return true; }
void detail::refuse_second_class(const EntityType&) {}
void detail::allow_versions_of_classes(bool) {}

Types detail::entity_types() {
  return types_of_this_process([](const EntityType& type) { return !type.sharded.empty(); });
}

Types detail::expiring_types() {
  return types_of_this_process([](const EntityType& type) { return type.expires_at != nullptr; });
}

}  // namespace autoshard
