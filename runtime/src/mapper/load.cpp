/// Loads entities, from the store or from caches.

#include <autoshard/cached.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "entity_expiry.h"
#include "keys.h"
#include "main_record.h"
#include "mapper_core.h"
#include "read_entity.h"

namespace autoshard::detail {
namespace {

bool load(MapperCore& core, const EntityRef& entity, std::string* main_record, Now now) {
  core.updates.commit_buffered(entity.key);
  const auto cursor = core.context.store.scan(main_key(entity.key), end_key(entity.key));
  return read_entity(core.context, *cursor, entity, now, main_record);
}

bool is_expired(const EntityType& type, const void* entity, Now now) {
  if (!type.expires_at) return false;
  const std::optional<std::int64_t> expiry = type.expires_at(entity);
  return expiry && now.has_come(*expiry);
}

}  // namespace

bool load(MapperCore& core, const EntityRef& entity) {
  return load(core, entity, nullptr, ask_clock(core.context.options, entity.type));
}

std::vector<bool> load(MapperCore& core, const std::vector<EntityRef>& entities) {
  const Now now = ask_clock(core.context.options);
  const std::unique_ptr<Snapshot> snapshot = core.snapshot();
  std::vector<std::size_t> order(entities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return entities[one].key < entities[other].key; });
  std::vector<bool> are_there(entities.size());
  const auto range_of = [&](std::size_t place) {
    return KeyRange{main_key(entities[place].key).bytes(), end_key(entities[place].key)};
  };
  for (std::size_t begin = 0; begin < order.size(); begin += kEntitiesAtOnce) {
    const std::span<const std::size_t> batch =
        std::span(order).subspan(begin, std::min(kEntitiesAtOnce, order.size() - begin));
    const auto is_repeated = [&](std::size_t i) {
      return i > 0 && entities[batch[i]].key == entities[batch[i - 1]].key;
    };
    std::vector<KeyRange> ranges;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!is_repeated(i)) ranges.push_back(range_of(batch[i]));
    }
    const std::unique_ptr<Cursor> cursor = snapshot->scan_all(std::move(ranges));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const EntityRef& entity = entities[batch[i]];
      if (is_repeated(i)) {
        const KeyRange again = range_of(batch[i]);
        are_there[batch[i]] = read_entity(core.context, *snapshot->scan(again.begin, again.end), entity, now);
        continue;
      }
      are_there[batch[i]] = read_entity(core.context, *cursor, entity, now);
      while (cursor->valid() && entity.key.has_record(cursor->key())) cursor->next();  // skips an erased one
      AUTOSHARD_CHECK(!cursor->valid() || entity.key.bytes() < cursor->key(), {"entity", entity.key},
                      {"cursor", cursor->key()});
    }
  }
  return are_there;
}

std::shared_ptr<const void> find_kept(MapperCore& core, const EntityType& type, EntityKeyView key,
                                      cached how) {
  auto entity = core.context.loaded.read(type, key, ReadCache::Clock::now() - how.at_most);
  if (entity && is_expired(type, entity.get(), ask_clock(core.context.options, type))) entity = nullptr;
  return entity;
}

bool load_cached(MapperCore& core, const EntityType& type, cached how, const MakeEntity& make,
                 const CopyEntity& copy) {
  MapperContext& context = core.context;
  const Now now = ask_clock(context.options, type);
  const bool is_shared = how.kept == cached::where::shared && context.options.cache;
  if (is_shared) {
    const EntityRef entity = make();
    core.updates.commit_buffered(entity.key);
    const bool is_kept =
        context.shared.read(entity, how.at_most, {}) && !is_expired(entity.type, entity.entity, now);
    (is_kept ? context.counters.shared_cache_hits : context.counters.shared_cache_misses).add();
    if (is_kept) return true;
  }
  const EntityRef entity = make();
  const SharedReads::Moment began;
  std::string main_record;
  std::shared_ptr<const void> loaded;
  context.loaded.begin_load(entity.key);
  try {
    if (load(core, entity, &main_record, now)) {
      if (is_shared) context.shared.put(entity, main_record, how.at_most, began, ReadCache::Clock::now());
      loaded = copy();
    }
  } catch (...) {
    context.loaded.end_load(entity.type, entity.key, began.here, nullptr);
    throw;
  }
  context.loaded.end_load(entity.type, entity.key, began.here, loaded);
  return loaded != nullptr;
}

bool exists(MapperCore& core, const EntityType& type, EntityKeyView key) {
  const Now now = ask_clock(core.context.options, type);
  std::string record;
  return get_main(*core.context.store.snapshot(), type, key, now, record);
}

}  // namespace autoshard::detail
