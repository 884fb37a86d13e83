#include <autoshard/detail/entity_type.h>

#include "platform.h"

namespace autoshard::detail {
namespace {

struct Noted {
  platform::Mutex mutex;
  std::vector<const EntityType*> sharded, expiring;
};

Noted& noted() {
  static Noted& noted = *new Noted;  // for mappers that outlive the static objects
  return noted;
}

}  // namespace

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
