#include "entity_scan.h"

#include <algorithm>
#include <utility>

#include "keys.h"
#include "layout.h"
#include "shard_record.h"

namespace autoshard::detail {
namespace {

/// The record of a key, if it is there.
class OneRecord final : public Cursor {
 public:
  OneRecord(const Snapshot& snapshot, std::string key)
      : key_(std::move(key)), is_here_(snapshot.get(key_, value_)) {}

  bool valid() const override { return is_here_; }
  std::string_view key() const override { return key_; }
  std::string_view value() const override { return value_; }
  void next() override { is_here_ = false; }

 private:
  const std::string key_;
  std::string value_;
  bool is_here_;
};

/// Where there can be no shards, the main record is found without a walk, which costs a store more. What is
/// no key of an entity may be the beginning of one: a walk would find other entities.
std::unique_ptr<Cursor> records_of(const Snapshot& snapshot, const EntityType& type, std::string_view key) {
  if (type.sharded.empty() || entity_of(key) != key)
    return std::make_unique<OneRecord>(snapshot, main_key(key));
  return snapshot.scan(key, end_key(key));
}

}  // namespace

EntityScan::EntityScan(const Snapshot& snapshot, const EntityType& type, Now now, std::string_view begin,
                       std::string_view end)
    : EntityScan(snapshot.scan(begin, end), type, now) {}

EntityScan::EntityScan(const Snapshot& snapshot, const EntityType& type, Now now, std::string_view key)
    : EntityScan(records_of(snapshot, type, key), type, now) {}

EntityScan::EntityScan(std::unique_ptr<Cursor> cursor, const EntityType& type, Now now)
    : type_(type), now_(now), cursor_(std::move(cursor)) {
  const auto add = [&](std::string_view name, std::size_t place) {
    std::string text = shard_key({}, name, 0);
    text.resize(text.size() - 2);  // without the number
    prefixes_.push_back({std::move(text), place});
  };
  for (std::size_t place = 0; place < type.sharded.size(); ++place) add(type.sharded[place].name, place);
  for (const FormerName& name : type.former_names) {
    if (const std::optional<std::size_t> place = find_sharded(type, name.former)) add(name.former, *place);
  }
}

bool EntityScan::next() {
  if (!is_passed_) {
    while (is_of_entity()) cursor_->next();
  }
  for (; cursor_->valid(); cursor_->next()) {
    const std::string_view entity = entity_of(cursor_->key());
    set_main_key(main_key_, entity);
    if (entity.empty() || cursor_->key() != main_key_ || is_tombstone(cursor_->value()) ||
        has_expired(type_, main_key_, cursor_->value(), now_))
      continue;
    key_ = entity;
    main_ = cursor_->value();
    is_passed_ = false;
    cursor_->next();
    return true;
  }
  return false;
}

std::uint64_t EntityScan::read(void* entity, const Wanted& wanted, const Wanted& later) {
  for (const ShardedPropertyType& property : type_.sharded) {
    if (wanted.has(property.name)) property.make_neutral(property.in_entity(entity));
  }
  head_ = decode_main(type_, main_key_, main_, entity, wanted);
  elements_.clear();
  later_.clear();
  if (head_.has_unsharded_group) elements_.keep_main(type_, main_key_, main_);
  const Prefix* shards = nullptr;  // those that the cursor is at
  bool is_wanted = false;
  for (; cursor_->valid(); cursor_->next()) {
    const std::string_view key = cursor_->key();
    if (!key.starts_with(key_)) break;
    if (const std::string_view rest = key.substr(key_.size()); !shards || !rest.starts_with(shards->text)) {
      shards = prefix_of(rest);
      is_wanted = shards && wanted.has(type_.sharded[shards->place].name);
    }
    if (!shards) continue;
    const ShardedPropertyType& property = type_.sharded[shards->place];
    if (!is_wanted && !later.has(property.name)) continue;
    const std::optional<ShardKey> shard = read_shard_key(key_, key);
    if (!shard) continue;
    if (is_wanted && !property.is_group()) {
      fold_shard(property, property.in_entity(entity), head_.layouts[shards->place].epoch, key,
                 cursor_->value());
    } else {
      (is_wanted ? elements_ : later_).keep(type_, shards->place, *shard, key, cursor_->value());
    }
  }
  elements_.fold(type_, head_, wanted, entity);
  is_passed_ = true;
  return head_.version;
}

void EntityScan::read_rest(void* entity, const Wanted& later) {
  for (const ShardedPropertyType& property : type_.sharded) {
    if (later.has(property.name)) property.make_neutral(property.in_entity(entity));
  }
  if (decode_main(type_, main_key_, main_, entity, later).has_unsharded_group)
    later_.keep_main(type_, main_key_, main_);
  later_.fold(type_, head_, later, entity);
}

const EntityScan::Prefix* EntityScan::prefix_of(std::string_view rest) const {
  const auto found =
      std::ranges::find_if(prefixes_, [&](const Prefix& prefix) { return rest.starts_with(prefix.text); });
  return found == prefixes_.end() ? nullptr : &*found;
}

}  // namespace autoshard::detail
