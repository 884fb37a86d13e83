#include "stock_watch.h"

#include <autoshard/messagepack.h>

#include <algorithm>

#include "album.h"
#include "keys.h"
#include "record.h"

namespace autoshard::simulation {

/// By what FORMAT.md says of shards.
std::optional<StockWatch::Seen> StockWatch::look_at(const Snapshot& state, int album) {
  const detail::EntityType& type = detail::kEntityType<Album<2>>;
  const std::string of = detail::entity_key("Album", album);
  const auto cursor = state.scan(of, detail::end_key(of));
  if (!cursor->valid() || cursor->key() != detail::main_key(of) || detail::is_tombstone(cursor->value()))
    return std::nullopt;
  detail::MainHead head;
  detail::read_head(type, cursor->key(), cursor->value(), head);
  Seen seen{std::to_string(head.version >> 32), head.layouts[*detail::find_sharded(type, "stock")].epoch};
  for (cursor->next(); cursor->valid(); cursor->next()) {
    const std::optional<detail::ShardKey> shard = detail::read_shard_key(of, cursor->key());
    if (!shard || shard->property != "stock") continue;
    if (detail::read_tail(cursor->key(), cursor->value()).epoch != seen.epoch) continue;
    Decoder in(cursor->key(), cursor->value());
    in.array();
    seen.stock += in.integer();
  }
  return seen;
}

void StockWatch::look(const Snapshot& state, int version) {
  for (int album = 0; album < kEntities; ++album) {
    std::optional<Seen>& before = seen_.at(static_cast<std::size_t>(album));
    std::optional<Seen> now = look_at(state, album);
    std::swap(before, now);
    if (version == 0 || !before || (now && now->stock == before->stock)) continue;
    const bool may_be_outside = now && now->creation == before->creation && now->epoch == before->epoch;
    const std::int64_t bound = version == 2 ? Album<2>::kMostStock : Album<1>::kMostStock;
    const std::int64_t most = may_be_outside ? std::max(bound, now->stock) : bound;
    if (before->stock >= 0 && before->stock <= most) continue;
    scheduler_.fail("a commit of version " + std::to_string(version) + " leaves Album " +
                    std::to_string(album) + " with a stock of " + std::to_string(before->stock) +
                    ", and before there were " + (now ? std::to_string(now->stock) : "none") +
                    "; its bound is " + std::to_string(bound));
  }
}

}  // namespace autoshard::simulation
