/// The operations for operators: numbers of shards, compaction, indexes, windows of statistics.

#include <autoshard/admin.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "attempts.h"
#include "compaction.h"
#include "entity_errors.h"
#include "entity_expiry.h"
#include "expired_entities.h"
#include "first_failure.h"
#include "index_build.h"
#include "keys.h"
#include "main_record.h"
#include "mapper_core.h"
#include "message_of.h"
#include "strategies.h"
#include "updated_entity.h"

namespace autoshard::detail {
namespace {

void note_shards_changed(MapperContext& context, PropertyId id, std::uint32_t from, std::uint32_t to,
                         std::string_view why) {
  (are_more(to, from) ? context.counters.shard_increases : context.counters.shard_decreases).add();
  context.observation.note_change({platform::SystemClock::now(), std::move(id), from, to, std::string(why)});
}

/// Changes the number of shards of a property to the result of `wanted` for the present number. 0: each
/// update is a record of its own. Returns the new number. Records beyond it are folded into the others as far
/// as possible now. `why`: for observers.
std::uint32_t change_shards(MapperContext& context, const EntityType& type, EntityKeyView key,
                            std::size_t place, std::string_view why,
                            const std::function<std::uint32_t(std::uint32_t)>& wanted) {
  UpdatedEntity entity;
  StagedWrites writes;
  Layout layout;
  std::uint32_t before = 0;
  const Now now = ask_clock(context.options, type);
  const auto change = [&](Transaction& transaction) {
    entity.read(context.store, now, transaction, type, key);
    layout = entity.head.layouts[place];
    before = std::exchange(layout.shards, wanted(layout.shards));
    if (layout.shards == before) return false;
    writes.shrink(0);
    entity.set_layout(place, layout, writes);
    const std::size_t before_move = writes.size();
    strategy_of(type.sharded[place]).resize(entity, place, writes);
    if (writes.size() > before_move) context.indexes.note_move(transaction, type);
    writes.write(0, transaction);
    return true;
  };
  if (!commit_retried(context, "setting the shards of", key, change)) return layout.shards;
  note_shards_changed(context, {EntityKey(key), std::string(type.sharded[place].name)}, before, layout.shards,
                      why);
  bool is_compacted = false;
  try {
    const CompactionResult result = try_to_compact(context, type, key, {});
    is_compacted = result.failure.empty();
    if (!is_compacted) context.log(result.failure);
  } catch (const StoreUnavailable& error) {
    context.outages.log(describe(key) + " is not compacted", error);
  }
  if (!is_compacted) context.compactable.note(type, key);
  return layout.shards;
}

/// Returns the number of shards afterwards; 0 if there is no such entity.
std::uint32_t resize(MapperContext& context, const Resize& resize) {
  const PropertyId& id = resize.id;
  const std::optional<std::size_t> place = find_sharded(*resize.type, id.property);
  if (!place) return resize.from;
  // The annotation that other processes report may belong to another version, or be damaged.
  const Shards& allowed = resize.type->sharded[*place].shards;
  const std::uint32_t from = resize.from, to = std::clamp(resize.to, allowed.least, allowed.most);
  const std::string what = describe(id.entity) + ", " + id.property;
  const auto note_failure = [&](std::string_view why) {
    context.log(what + ": the change from " + std::to_string(from) + " to " + std::to_string(to) +
                " shards is postponed: " + std::string(why));
    return from;
  };
  try {
    bool is_due = false;
    const std::uint32_t there_are =
        change_shards(context, *resize.type, id.entity, *place, resize.why, [&](std::uint32_t now) {
          is_due = now == from && now != to;
          return is_due ? to : now;
        });
    if (!is_due) return there_are;
    context.log(what + ": changed from " + std::to_string(from) + " to " + std::to_string(to) +
                " shards, because " + std::string(resize.why));
    return there_are;
  } catch (const NotFound&) {
    return 0;
  } catch (...) {  // also from a fold
    return note_failure(message_of(std::current_exception()));
  }
}

}  // namespace

void set_shards(MapperCore& core, const EntityType& type, EntityKeyView key, std::size_t place,
                std::uint32_t shards, bool may_decrease) {
  strategy_of(type.sharded[place]).check_shards(type.sharded[place], shards);
  change_shards(core.context, type, key, place, "an operator has set it",
                [=](std::uint32_t now) { return may_decrease || are_more(shards, now) ? shards : now; });
}

std::uint32_t shards(MapperCore& core, const EntityType& type, EntityKeyView key, std::size_t place) {
  const Now now = ask_clock(core.context.options, type);
  std::string record;
  if (!get_main(*core.context.store.snapshot(), type, key, now, record)) throw_not_found(key);
  MainHead head;
  read_head(type, key, record, head);
  return head.layouts[place].shards;
}

std::uint64_t compact(MapperCore& core, const EntityType& type, EntityKeyView key) {
  core.updates.commit_buffered(key);
  if (core.context.needs_store_clock()) core.clock.advance_when_due();
  return compact(core.context, type, key);
}

std::uint64_t compact(MapperCore& core, const EntityType& type) {
  core.updates.commit_buffered();
  if (core.context.needs_store_clock()) core.clock.advance_when_due();
  return compact_kind(core.context, type);
}

std::uint64_t compact(MapperCore& core) {
  std::uint64_t removed = 0;
  FirstFailure failure;
  for (const EntityType* type : entity_types()) failure.run([&] { removed += compact(core, *type); });
  const Now now = ask_clock(core.context.options);
  for (const EntityType* type : expiring_types())
    failure.run([&] { removed += remove_expired_entities(core.context, *type, now, nullptr); });
  removed += core.maintenance.remove_expired_records();
  failure.rethrow();
  return removed;
}

std::uint64_t build_indexes(MapperCore& core, const EntityType& type) {
  IndexBuild build(core.context, type);
  build.remove_others();
  return build.run();
}

std::uint64_t rebuild_indexes(MapperCore& core, const EntityType& type) {
  IndexBuild(core.context, type).forget();
  return build_indexes(core, type);
}

std::uint64_t refresh_indexes(MapperCore& core, const EntityType& type) {
  core.updates.commit_buffered();
  std::uint64_t refreshed = 0;
  for (const auto& index : indexes_of(type).all) refreshed += index->refresh(core.context, nullptr, {});
  return refreshed;
}

std::uint64_t refresh_indexes(MapperCore& core) {
  std::uint64_t refreshed = 0;
  for (const EntityType* type : entity_types()) refreshed += refresh_indexes(core, *type);
  return refreshed;
}

void MapperCore::close_window(platform::Clock::time_point now) {
  adaptation.close_window(now, [this](const Resize& wanted) { return resize(context, wanted); });
}

}  // namespace autoshard::detail

namespace autoshard::admin {

std::uint64_t compact(Mapper& mapper) { return detail::compact(detail::core_of(mapper)); }

std::uint64_t refresh_indexes(Mapper& mapper) { return detail::refresh_indexes(detail::core_of(mapper)); }

std::vector<HotSpot> hot_spots(const Mapper& mapper) {
  return detail::core_of(mapper).adaptation.hot_spots();
}

void adapt(Mapper& mapper, std::chrono::steady_clock::time_point now) {
  detail::core_of(mapper).close_window(now);
}

MapperCounters counters(const Mapper& mapper) {
  const detail::MapperContext& context = detail::core_of(mapper).context;
  return {.commits = context.counters.commits.value(),
          .conflicts = context.counters.conflicts.value(),
          .retries = context.counters.retries.value(),
          .resolved = context.writers.resolved()};
}

}  // namespace autoshard::admin
