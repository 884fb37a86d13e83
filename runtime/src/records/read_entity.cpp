#include "read_entity.h"

#include <cstddef>
#include <memory>
#include <optional>

#include "conflict_notes.h"
#include "elements.h"
#include "kept_records.h"
#include "keys.h"
#include "main_record.h"
#include "shard_record.h"

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

}  // namespace

bool read_entity(MapperContext& context, Cursor& cursor, const EntityRef& entity, Now now,
                 std::string* main_record) {
  const std::string key = main_key(entity.key);
  if (!cursor.valid() || cursor.key() != key) return false;
  if (is_tombstone(cursor.value())) context.loose.note(entity.type, entity.key);  // an erase was cut short
  if (is_gone(entity.type, key, cursor.value(), now)) return false;
  for (const ShardedPropertyType& property : entity.type.sharded)
    property.make_neutral(property.in_entity(entity.entity));
  const MainHead head = decode_main(entity.type, key, cursor.value(), entity.entity);
  *entity.version = head.version;
  context.recent.note(entity.key, head.version, cursor.value());
  if (main_record) *main_record = cursor.value();
  if (fold_records(cursor, entity, head)) context.loose.note(entity.type, entity.key);
  note_loaded(context, entity, head);
  return true;
}

void fold_shards(MapperContext& context, const EntityRef& entity, Now now) {
  const std::unique_ptr<Cursor> cursor = context.store.scan(entity.key, end_key(entity.key));
  const std::string key = main_key(entity.key);
  if (!cursor->valid() || cursor->key() != key || is_gone(entity.type, key, cursor->value(), now)) return;
  MainHead head;
  read_head(entity.type, key, cursor->value(), head);
  head.has_unsharded_group = has_unsharded_group(entity.type, key, cursor->value());
  fold_records(*cursor, entity, head);
}

}  // namespace autoshard::detail
