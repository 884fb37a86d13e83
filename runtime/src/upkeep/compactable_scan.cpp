#include "compactable_scan.h"

#include <autoshard/errors.h>

#include <memory>

#include "check.h"

namespace autoshard::detail {
namespace {

/// The number of records in a page.
constexpr std::size_t kPage = 4096;

}  // namespace

std::optional<FoundPart> find_part(const EntityType& type, const MainHead& head, Now now,
                                   EntityKeyView entity, const Cursor& cursor) {
  const std::optional<ShardKey> key = read_shard_key(entity, cursor.key());
  const std::optional<std::size_t> place = key ? find_sharded(type, key->property) : std::nullopt;
  if (!place) return std::nullopt;
  return FoundPart{
      *place, {type, type.sharded[*place], head.layouts[*place], now}, {*key, cursor.key(), cursor.value()}};
}

bool is_compactable(const FoundPart& found) {
  return strategy_of(found.property.property).state(found.property, found.record) != PartState::kCurrent;
}

CompactableScan::CompactableScan(Store& store, const EntityType& type, Now now)
    : store_(store), type_(type), now_(now), from_(kind_key(type.kind)), end_(end_key(from_)) {}

std::optional<EntityKey> CompactableScan::next_in_page() {
  AUTOSHARD_CHECK(!is_at_end());
  const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
  const std::unique_ptr<Cursor> cursor = snapshot->scan(from_, end_);
  for (std::size_t seen = 0; cursor->valid(); cursor->next()) {
    if (seen++ == kPage) {
      from_ = cursor->key();
      return std::nullopt;
    }
    const EntityKeyView key = entity_of(cursor->key());
    if (key.empty() || !may_be_compactable(key, *cursor)) continue;
    EntityKey found(key);
    from_ = end_key(found);
    return found;
  }
  from_.clear();
  return std::nullopt;
}

/// A page that begins with shards uses the main record of the previous page, which may have changed by now.
/// An entity that is judged wrongly for that reason is judged again, now or next time.
bool CompactableScan::is_compactable(EntityKeyView key, const Cursor& cursor) {
  if (is_main_key(cursor.key(), key)) {
    entity_ = key;
    if (is_tombstone(cursor.value())) return true;
    read_head(type_, key, cursor.value(), head_);
    return has_unsharded_group(type_, key, cursor.value());
  }
  if (entity_ != key) return false;
  const std::optional<FoundPart> found = find_part(type_, head_, now_, key, cursor);
  return found && detail::is_compactable(*found);
}

/// As `is_compactable`. True for an entity that cannot be read: its compaction says why.
bool CompactableScan::may_be_compactable(EntityKeyView key, const Cursor& cursor) {
  try {
    return is_compactable(key, cursor);
  } catch (const StoreUnavailable&) {
    throw;
  } catch (...) {
    return true;
  }
}

}  // namespace autoshard::detail
