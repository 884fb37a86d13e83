#include "conflict_notes.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

#include "keys.h"
#include "shard_affinity.h"

namespace autoshard::detail {

void note_saved(MapperContext& context, EntityKeyView key) {
  const PropertyRef record{.entity = key, .writer = number_of_thread()};
  context.count_activity(record, [&](Usage& usage) { usage.put(record); });
  context.counters.saves.add();
}

void note_loaded(MapperContext& context, const EntityRef& entity, const MainHead& head) {
  for (std::size_t place = 0; place < entity.type.sharded.size(); ++place) {
    const PropertyRef property =
        sharded_property(entity.type, place, entity.key, head.layouts[place].shards, 0);
    if (property.is_adaptive()) context.count_activity(property, [&](Usage& usage) { usage.get(property); });
  }
}

/// Notes the properties that both saves have changed, to the same value or not, and the properties that one
/// of them has changed.
void note_conflict(MapperContext& context, EntityKeyView key, const std::string* before,
                   std::string_view mine, std::string_view there_now) {
  const std::uint32_t writer = number_of_thread();
  const auto count = [&](std::string_view property) {
    const PropertyRef its{.entity = key, .name = property, .writer = writer};
    context.count_activity(its, [&](Usage& usage) { usage.conflict(its); });
  };
  count({});
  std::set<std::string> names;
  const auto add = [&](std::string_view one, std::string_view other) {
    names.merge(differing_properties(nullptr, key, one, other));
  };
  before ? (add(*before, mine), add(*before, there_now)) : add(mine, there_now);
  for (const std::string& name : names) count(name);
}

void note_stale(MapperContext& context, const EntityRef& entity, const StoredMain& main,
                const std::string& there_now) {
  const std::optional<std::string> before = context.recent.find(entity.key, *entity.version);
  note_conflict(context, entity.key, before ? &*before : nullptr,
                encode_main(entity.type, entity.entity, *entity.version, main), there_now);
  context.recent.watch(entity.key);
}

}  // namespace autoshard::detail
