#include "entity_scan.h"

#include <utility>

#include "keys.h"

namespace autoshard::detail {
namespace {

/// A cursor over at most one record: the record of a key.
class OneRecord final : public Cursor {
 public:
  OneRecord(const Snapshot& snapshot, RecordKey key)
      : key_(std::move(key)), is_here_(snapshot.get(key_, value_)) {}

  bool valid() const override { return is_here_; }
  std::string_view key() const override { return key_; }
  std::string_view value() const override { return value_; }
  void next() override { is_here_ = false; }

 private:
  const RecordKey key_;
  std::string value_;
  bool is_here_;
};

/// Returns a cursor over the records of the entity with this key. A class without shards needs no walk, which
/// costs a store more than a read: the main record is read alone. A key that is no complete entity key may be
/// a prefix of other entities' keys; a walk would find those.
std::unique_ptr<Cursor> records_of(const Snapshot& snapshot, const EntityType& type, EntityKeyView key) {
  if (type.sharded.empty() || entity_of(key.bytes()) != key)
    return std::make_unique<OneRecord>(snapshot, main_key(key));
  return snapshot.scan(key.bytes(), end_key(key));
}

}  // namespace

EntityScan::EntityScan(const Snapshot& snapshot, const EntityType& type, Now now, std::string_view begin,
                       std::string_view end)
    : EntityScan(snapshot.scan(begin, end), type, now) {}

EntityScan::EntityScan(const Snapshot& snapshot, const EntityType& type, Now now, EntityKeyView key)
    : EntityScan(records_of(snapshot, type, key), type, now) {}

EntityScan::EntityScan(std::unique_ptr<Cursor> cursor, const EntityType& type, Now now)
    : type_(type), now_(now), cursor_(std::move(cursor)) {}

bool EntityScan::next() {
  if (!is_passed_) {
    while (is_of_entity()) cursor_->next();
  }
  for (; cursor_->valid(); cursor_->next()) {
    const EntityKeyView entity = entity_of(cursor_->key());
    main_key_.set_main(entity);
    if (entity.empty() || cursor_->key() != main_key_ || is_gone(type_, entity, cursor_->value(), now_))
      continue;
    key_ = entity;
    main_ = cursor_->value();
    is_passed_ = false;
    cursor_->next();
    return true;
  }
  return false;
}

std::uint64_t EntityScan::read(void* entity, const FieldMask& wanted, const FieldMask& later) {
  for (const ShardedPropertyType& property : type_.sharded) {
    if (wanted.has(property.name)) property.make_neutral(property.in_entity(entity));
  }
  values_.begin(type_, key_, decode_main(type_, key_, main_, entity, wanted), now_, wanted, &later);
  if (values_.head().has_unsharded_group) values_.add_main(main_);
  for (; is_of_entity(); cursor_->next()) values_.add(cursor_->key(), cursor_->value(), entity);
  values_.finish(entity);
  is_passed_ = true;
  return values_.head().version;
}

void EntityScan::read_rest(void* entity, const FieldMask& later) {
  for (const ShardedPropertyType& property : type_.sharded) {
    if (later.has(property.name)) property.make_neutral(property.in_entity(entity));
  }
  if (decode_main(type_, key_, main_, entity, later).has_unsharded_group) values_.add_main_later(main_);
  values_.finish_later(entity);
}

}  // namespace autoshard::detail
