#include "read_entity.h"

#include <memory>
#include <utility>

#include "check.h"
#include "conflict_notes.h"
#include "keys.h"
#include "main_record.h"
#include "value_reader.h"

namespace autoshard::detail {
namespace {

/// Folds the shard records of an entity into it. The cursor is at its main record, and moves past the shards.
/// Returns whether there are records to compact.
bool fold_records(Cursor& cursor, const EntityRef& entity, MainHead head, Now now) {
  AUTOSHARD_CHECK(cursor.valid() && is_main_key(cursor.key(), entity.key), {"entity", entity.key});
  ValueReader values;
  values.begin(entity.type, entity.key, std::move(head), now);
  if (values.head().has_unsharded_group) values.add_main(cursor.value());
  for (cursor.next(); cursor.valid() && entity.key.has_record(cursor.key()); cursor.next())
    values.add(cursor.key(), cursor.value(), entity.entity);
  values.finish(entity.entity);
  return values.is_compactable();
}

}  // namespace

bool read_entity(MapperContext& context, Cursor& cursor, const EntityRef& entity, Now now,
                 std::string* main_record) {
  if (!cursor.valid() || !is_main_key(cursor.key(), entity.key)) return false;
  if (is_tombstone(cursor.value()))
    context.compactable.note(entity.type, entity.key);  // an erase was interrupted
  if (is_gone(entity.type, entity.key, cursor.value(), now)) return false;
  for (const ShardedPropertyType& property : entity.type.sharded)
    property.make_neutral(property.in_entity(entity.entity));
  MainHead head = decode_main(entity.type, entity.key, cursor.value(), entity.entity);
  *entity.version = head.version;
  context.recent.note(entity.key, head.version, cursor.value());
  if (main_record) *main_record = cursor.value();
  note_loaded(context, entity, head);
  if (fold_records(cursor, entity, std::move(head), now)) context.compactable.note(entity.type, entity.key);
  return true;
}

void fold_shards(MapperContext& context, const EntityRef& entity, Now now) {
  const std::unique_ptr<Cursor> cursor = context.store.scan(entity.key.bytes(), end_key(entity.key));
  if (!cursor->valid() || !is_main_key(cursor->key(), entity.key) ||
      is_gone(entity.type, entity.key, cursor->value(), now))
    return;
  MainHead head;
  read_head(entity.type, entity.key, cursor->value(), head);
  head.has_unsharded_group = has_unsharded_group(entity.type, entity.key, cursor->value());
  if (fold_records(*cursor, entity, std::move(head), now)) context.compactable.note(entity.type, entity.key);
}

}  // namespace autoshard::detail
