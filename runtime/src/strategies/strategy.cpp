#include "strategy.h"

#include <autoshard/errors.h>
#include <autoshard/generated.h>

#include "shard_record.h"

namespace autoshard::detail {

bool Strategy::replace(Staging& staging, const void* value) const {
  const ShardedPropertyType& property = staging.property();
  Layout layout = staging.layout();
  ++layout.epoch;
  staging.entity.set_layout(staging.place, layout, staging.writes);
  const std::uint16_t picked = staging.affinity.pick(layout.numbered());
  const bool is_brief = staging.folding == Folding::kNowhere;  // void shards may stay
  staging.would_shrink |= layout.numbered() > 1;
  for (std::uint32_t shard = 0; shard < layout.numbered(); ++shard) {
    if (is_brief && shard != picked) continue;
    StagedWrites::Write& write = shard == picked ? staging.writes.put() : staging.writes.erase();
    write.key.set_shard(staging.entity.key, property.name, static_cast<std::uint16_t>(shard));
    if (shard == picked) encode_shard(write.value, property, value, layout.epoch);
  }
  return layout.is_dynamic() || is_brief;
}

void Strategy::check_first(const ShardedPropertyType&, EntityKeyView, const void*) const {}

void Strategy::append_fold_order(const StoredProperty&, const PartRecord&, std::string&) const {}

void Strategy::append_main_order(const ShardedPropertyType&, std::string&) const {}

void Strategy::append_order(const StoredProperty&, const PartRecord&, std::string&) const {}

bool Strategy::compact_main(UpdatedEntity&, std::size_t, StagedWrites&) const { return false; }

void Strategy::check_shards(const ShardedPropertyType&, std::uint32_t shards) const {
  if (shards > kMostShards) {
    throw InvalidUse("set_shards: " + std::to_string(shards) + " shards are too many: choose at most " +
                     std::to_string(kMostShards));
  }
}

void Strategy::resize(UpdatedEntity&, std::size_t, StagedWrites&) const {}

}  // namespace autoshard::detail
