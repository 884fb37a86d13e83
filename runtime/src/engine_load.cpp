/// What is read: entities as they are, or as they were a while ago.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "elements.h"
#include "engine.h"
#include "kept_records.h"
#include "keys.h"
#include "record.h"

namespace autoshard::detail {
namespace {

/// So many are worth compaction; others are those of the process that makes them.
constexpr std::size_t kManyDeltas = 16;

/// Folds the shard records of an entity into it. The cursor is at its main record, and goes past the shards.
/// Returns whether there are records to be compacted: many deltas, or any that a resize, a replacement or an
/// earlier version of the class has left.
bool fold_records(Cursor& cursor, const EntityRef& entity, const MainHead& head) {
  std::size_t deltas = 0;
  bool any_left = head.has_unsharded_group;
  KeptRecords elements;
  if (head.has_unsharded_group) elements.keep_main(entity.type, cursor.key(), cursor.value());
  for (cursor.next(); cursor.valid() && cursor.key().starts_with(entity.key); cursor.next()) {
    const std::optional<ShardKey> key = read_shard_key(entity.key, cursor.key());
    const std::optional<std::size_t> place = key ? find_sharded(entity.type, key->property) : std::nullopt;
    if (!place) continue;
    const ShardedPropertyType& property = entity.type.sharded[*place];
    const Layout& layout = head.layouts[*place];
    if (property.is_group()) {
      elements.keep(entity.type, *place, *key, cursor.key(), cursor.value());
      if (is_no_element(property, layout, *key, cursor.key(), cursor.value())) any_left = true;
      continue;
    }
    const bool counts =
        fold_shard(property, property.in_entity(entity.entity), layout.epoch, cursor.key(), cursor.value());
    if (!key->element.empty() && counts) ++deltas;
    const bool is_elsewhere = key->shard && key->property != record_name(entity.type, property);
    if (!counts || is_elsewhere || is_beyond(layout, key->shard)) any_left = true;
  }
  elements.fold(entity.type, head, {}, entity.entity);
  return any_left || deltas > kManyDeltas;
}

bool is_expired(const EntityType& type, const void* entity, Now now) {
  if (!type.expires_at) return false;
  const std::optional<std::int64_t> expiry = type.expires_at(entity);
  return expiry && now.has_come(*expiry);
}

}  // namespace

bool Engine::load(const EntityRef& entity) { return load(entity, nullptr, now(entity.type)); }

bool Engine::load(const EntityRef& entity, std::string* main_record, Now now) {
  commit_what_is_buffered(entity.key);
  return read(*context_.store.scan(main_key(entity.key), end_key(entity.key)), entity, main_record, now);
}

/// From a cursor that has come to its main record, if there is one; it goes on behind its shards.
bool Engine::read(Cursor& cursor, const EntityRef& entity, std::string* main_record, Now now) {
  const std::string key = main_key(entity.key);
  if (!cursor.valid() || cursor.key() != key) return false;
  if (is_tombstone(cursor.value())) context_.loose.note(entity.type, entity.key);  // an erase was cut short
  if (is_gone(entity.type, key, cursor.value(), now)) return false;
  for (const ShardedPropertyType& property : entity.type.sharded)
    property.make_neutral(property.in_entity(entity.entity));
  const MainHead head = decode_main(entity.type, key, cursor.value(), entity.entity);
  *entity.version = head.version;
  context_.recent.note(entity.key, head.version, cursor.value());
  if (main_record) *main_record = cursor.value();
  if (fold_records(cursor, entity, head)) context_.loose.note(entity.type, entity.key);
  note_loaded(entity, head);
  return true;
}

std::unique_ptr<Snapshot> Engine::snapshot() {
  commit_what_is_buffered();
  return context_.store.snapshot();
}

std::shared_ptr<const void> Engine::kept(const EntityType& type, std::string_view key, cached how) {
  auto entity = context_.loaded.read(type, key, ReadCache::Clock::now() - how.at_most);
  if (entity && is_expired(type, entity.get(), now(type))) entity = nullptr;
  return entity;
}

bool Engine::load_cached(const EntityType& type, cached how, const MakeEntity& make, const CopyEntity& copy) {
  const Now now = this->now(type);
  const bool is_shared = how.kept == cached::where::shared && context_.options.cache;
  if (is_shared) {
    const EntityRef entity = make();
    commit_what_is_buffered(entity.key);
    if (context_.shared.read(entity, how.at_most, {}) && !is_expired(entity.type, entity.entity, now))
      return true;
  }
  const EntityRef entity = make();
  const SharedReads::Moment began;
  std::string main_record;
  std::shared_ptr<const void> loaded;
  context_.loaded.begin_load(entity.key);
  try {
    if (load(entity, &main_record, now)) {
      if (is_shared) context_.shared.put(entity, main_record, how.at_most, began, ReadCache::Clock::now());
      loaded = copy();
    }
  } catch (...) {
    context_.loaded.end_load(entity.type, entity.key, began.here, nullptr);
    throw;
  }
  context_.loaded.end_load(entity.type, entity.key, began.here, loaded);
  return loaded != nullptr;
}

void Engine::fold_shards(const EntityRef& entity, Now now) {
  commit_what_is_buffered(entity.key);
  const std::unique_ptr<Cursor> cursor = context_.store.scan(entity.key, end_key(entity.key));
  const std::string key = main_key(entity.key);
  if (!cursor->valid() || cursor->key() != key || is_gone(entity.type, key, cursor->value(), now)) return;
  MainHead head;
  read_head(entity.type, key, cursor->value(), head);
  head.has_unsharded_group = has_unsharded_group(entity.type, key, cursor->value());
  fold_records(*cursor, entity, head);
}

bool Engine::exists(const EntityType& type, const std::string& key) {
  const Now now = this->now(type);
  std::string record;
  return context_.store.snapshot()->get(main_key(key), record) && !is_gone(type, key, record, now);
}

}  // namespace autoshard::detail
