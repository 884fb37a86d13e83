#include "stock_watch.h"

#include <autoshard/messagepack.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "album.h"
#include "keys.h"
#include "main_record.h"
#include "ranked_watch.h"
#include "shard_record.h"

namespace autoshard::simulation {

/// By what FORMAT.md says of shards.
std::optional<StockWatch::Seen> StockWatch::look_at(const Snapshot& state, int album) {
  const detail::EntityType& type = detail::kEntityType<Album<2>>;
  const detail::EntityKey of = detail::entity_key("Album", album);
  const auto cursor = state.scan(of.bytes(), detail::end_key(of));
  if (!cursor->valid() || cursor->key() != detail::main_key(of) || detail::is_tombstone(cursor->value()))
    return std::nullopt;
  detail::MainHead head;
  detail::read_head(type, of, cursor->value(), head);
  const std::size_t stock = *detail::find_sharded(type, "copies"),
                    sales = *detail::find_sharded(type, "sales");
  Seen seen{.creation = std::to_string(head.version >> 32), .epoch = head.layouts[stock].epoch, .sales = {}};
  for (cursor->next(); cursor->valid(); cursor->next()) {
    const std::optional<detail::ShardKey> shard = detail::read_shard_key(of, cursor->key());
    const std::optional<std::size_t> place =
        shard ? detail::find_sharded(type, shard->property) : std::nullopt;
    if (place != stock && place != sales) continue;
    if (detail::read_tail(cursor->key(), cursor->value()).epoch != head.layouts[*place].epoch) continue;
    Decoder in(cursor->key(), cursor->value());
    in.array();
    if (place == stock) {
      seen.stock += in.integer();
      continue;
    }
    for (std::size_t left = in.map(); left > 0; --left) {
      seen.sales.insert(static_cast<OperationId>(in.natural()));
      in.skip();
    }
  }
  return seen;
}

std::vector<OperationId> StockWatch::changes(const std::optional<Seen>& before,
                                             const std::optional<Seen>& now) {
  std::vector<OperationId> changes;
  if (!now) return changes;
  const std::set<OperationId> none;
  const std::set<OperationId>& former = before ? before->sales : none;
  std::set_difference(now->sales.begin(), now->sales.end(), former.begin(), former.end(),
                      std::back_inserter(changes));
  return changes;
}

bool StockWatch::adds_to(int album, OperationId id) const {
  return std::as_const(history_).find(History::kUpdate, id, album)->amount < 0;
}

void StockWatch::look(const Snapshot& state, int version) {
  for (int album = 0; album < kEntities; ++album) {
    std::optional<Seen>& now = seen_.at(static_cast<std::size_t>(album));
    const std::optional<Seen> before = std::exchange(now, look_at(state, album));
    const detail::EntityType& type = detail::kEntityType<Album<2>>;
    look_at_ranked(scheduler_, state, type, type.indexes.back(), album,
                   now ? std::optional(static_cast<int>(now->stock)) : std::nullopt);
    const std::vector<OperationId> changes = StockWatch::changes(before, now);
    const bool is_same = now.has_value() == before.has_value() && (!now || now->stock == before->stock);
    if (!changes.empty() || !is_same)
      history_.note_number(album, now ? std::optional(static_cast<int>(now->stock)) : std::nullopt, changes);
    if (version == 0 || !now || (is_same && changes.empty())) continue;
    // Whatever adds to the stock has to leave it within the bounds, and nothing leads out of them again.
    const bool may_be_outside =
        before && before->creation == now->creation && before->epoch == now->epoch &&
        std::none_of(changes.begin(), changes.end(), [&](OperationId id) { return adds_to(album, id); });
    const std::int64_t bound = version == 2 ? Album<2>::kMostStock : Album<1>::kMostStock;
    const std::int64_t most = may_be_outside ? std::max(bound, before->stock) : bound;
    if (now->stock >= 0 && now->stock <= most) continue;
    scheduler_.fail("a commit of version " + std::to_string(version) + " leaves Album " +
                    std::to_string(album) + " with a stock of " + std::to_string(now->stock) +
                    ", and before there were " + (before ? std::to_string(before->stock) : "none") +
                    "; its bound is " + std::to_string(bound));
  }
}

}  // namespace autoshard::simulation
