#include "seats_watch.h"

#include <autoshard/messagepack.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "index_records.h"
#include "keys.h"
#include "ledger.h"
#include "record.h"
#include "rollup.h"

namespace autoshard::simulation {

void SeatsWatch::look(const Snapshot& state) {
  for (int entity = 0; entity < kEntities; ++entity) {
    Seen& before = seen_.at(static_cast<std::size_t>(entity));
    Seen now = look_at(state, entity);
    std::vector<OperationId> booked;
    std::set_difference(now.bookings.begin(), now.bookings.end(), before.bookings.begin(),
                        before.bookings.end(), std::back_inserter(booked));
    look_at_rollup(state, entity, now.seats);
    if (now.seats != before.seats || !booked.empty()) history_.note_number(entity, now.seats, booked);
    before = std::move(now);
  }
}

namespace {

const detail::EntityType& kType = detail::kEntityType<Ledger>;
const detail::IndexType& kRollup = kType.indexes.front();
constexpr std::string_view kComplete("\xC3", 1);  // true, in MessagePack

}  // namespace

bool SeatsWatch::is_state_of_rollup(std::string_view key) { return key == detail::index_key(kType, kRollup); }

/// While the rollup is complete, an entity that is not dirty has the one entry that its seats ask for;
/// without the entity, there is nothing.
void SeatsWatch::look_at_rollup(const Snapshot& state, int entity, std::optional<int> seats) {
  const std::string id(detail::id_in(detail::entity_key("Ledger", entity)));
  std::string stored;
  if (!state.get(detail::index_key(kType, kRollup), stored) || stored != kComplete) return;
  const bool is_dirty = state.get(detail::dirty_prefix(kType, kRollup) + id, stored);
  const std::string before = detail::rollup_entries_key(kType, kRollup);
  std::vector<std::string> entries, expected;
  for (const auto cursor = state.scan(before, detail::end_key(before)); cursor->valid(); cursor->next()) {
    if (cursor->key().ends_with(id) &&
        detail::size_of_values(kRollup, cursor->key().substr(before.size())) + before.size() + id.size() ==
            cursor->key().size())
      entries.emplace_back(cursor->key().substr(before.size()));
  }
  if (seats) detail::append_id(expected.emplace_back(), *seats);
  if (seats) expected.back() += id;
  if (is_dirty ? !seats || entries.size() > 1 : entries != expected)
    scheduler_.fail("the rollup of Ledger " + std::to_string(entity) +
                    " is wrong: " + std::to_string(entries.size()) + " entries, " +
                    std::to_string(seats.value_or(-1)) + " seats");
}

/// By what FORMAT.md says of shards: of neither property there is ever another epoch.
SeatsWatch::Seen SeatsWatch::look_at(const Snapshot& state, int entity) {
  Seen seen;
  const std::string of = detail::entity_key("Ledger", entity);
  const auto cursor = state.scan(of, detail::end_key(of));
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
