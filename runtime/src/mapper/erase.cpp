/// Erases entities for the application; see erase_entity.h.

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "check.h"
#include "entity_expiry.h"
#include "erase_entity.h"
#include "mapper_core.h"
#include "room.h"

namespace autoshard::detail {

bool erase(MapperCore& core, const EntityType& type, EntityKeyView key, std::uint64_t version) {
  core.updates.settle(key);
  return erase_entity(core.context, type, key, version, ask_clock(core.context.options, type));
}

std::uint64_t erase(MapperCore& core, const EntityType& type, const std::vector<EntityKey>& keys) {
  std::vector<EntityKey> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const EntityKey& key : sorted) core.updates.settle(key);
  std::uint64_t erased = 0;
  const Now now = ask_clock(core.context.options);
  for (std::span<const EntityKey> left = sorted; !left.empty();) {
    const std::size_t size = std::min(left.size(), kEntitiesAtOnce);
    erased += in_halves(left.first(size), [&](std::span<const EntityKey> some) {
      return erase_together(core.context, type, some, now);
    });
    left = left.subspan(size);
  }
  AUTOSHARD_CHECK(erased <= sorted.size(), {"erased", erased}, {"entities", sorted.size()});
  return erased;
}

}  // namespace autoshard::detail
