#include "seats_watch.h"

#include <autoshard/messagepack.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "entity_index.h"
#include "keys.h"
#include "ledger.h"
#include "main_record.h"
#include "ranked_watch.h"

namespace autoshard::simulation {
namespace {

const detail::EntityType& kType = detail::kEntityType<Ledger>;
const detail::IndexType& kRanked = kType.indexes.front();

}  // namespace

void SeatsWatch::look(const Snapshot& state) {
  for (int entity = 0; entity < kEntities; ++entity) {
    Seen& before = seen_.at(static_cast<std::size_t>(entity));
    Seen now = look_at(state, entity);
    std::vector<OperationId> booked;
    std::set_difference(now.bookings.begin(), now.bookings.end(), before.bookings.begin(),
                        before.bookings.end(), std::back_inserter(booked));
    look_at_ranked(scheduler_, state, kType, kRanked, entity, now.seats);
    if (now.seats != before.seats || !booked.empty()) history_.note_number(entity, now.seats, booked);
    before = std::move(now);
  }
}

bool SeatsWatch::is_state_of_ranked(std::string_view key) {
  return key == detail::find_index(kType, kRanked).key();
}

/// By what FORMAT.md says of shards: of neither property there is ever another epoch.
SeatsWatch::Seen SeatsWatch::look_at(const Snapshot& state, int entity) {
  Seen seen;
  const detail::EntityKey of = detail::entity_key("Ledger", entity);
  const auto cursor = state.scan(of.bytes(), detail::end_key(of));
  if (!cursor->valid() || cursor->key() != detail::main_key(of) || detail::is_tombstone(cursor->value()))
    return seen;
  seen.seats = 0;
  for (cursor->next(); cursor->valid(); cursor->next()) {
    const std::optional<detail::ShardKey> shard = detail::read_shard_key(of, cursor->key());
    if (!shard) continue;
    Decoder in(cursor->key(), cursor->value());
    in.array();
    if (shard->property == "seats") *seen.seats += static_cast<int>(in.integer());
    if (shard->property != "bookings") continue;
    for (std::size_t left = in.map(); left > 0; --left) {
      seen.bookings.insert(static_cast<OperationId>(in.natural()));
      in.skip();
    }
  }
  return seen;
}

}  // namespace autoshard::simulation
