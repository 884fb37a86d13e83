#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check.h"
#include "checked_keys.h"
#include "checked_store.h"
#include "checked_values.h"

namespace autoshard::detail {
namespace {

using Write = CheckedCommit::Write;
using Seen = std::optional<std::string>;

/// The largest step of the store's clock, see store_clock.h.
constexpr std::uint64_t kLongestStep = 60'000;

// Checks of one record.

bool is_shard(const CheckedKey& key, std::string_view record_key, std::string_view record) {
  const std::optional<CheckedShard> shard = read_checked_shard(record_key, record);
  if (!shard) return false;
  if (key.kind == CheckedKey::kElement) return shard->elements <= 3 && shard->third.value_or(0) <= 1;
  if (key.kind == CheckedKey::kBucket) return shard->elements <= 3;
  if (key.kind != CheckedKey::kShard || !shard->share) return shard->elements <= 2;
  return shard->share->first <= *shard->part && *shard->part <= shard->share->second;
}

/// An entry is nil, or the id if the index is unique. A ranked index also has dirty records and places: nil,
/// a number, or a part.
bool is_index_record(std::string_view key, std::string_view record) {
  return is_checked_nil(record) || read_checked_text(key, record) || is_checked_integer(key, record);
}

bool is_record(const CheckedKey& key, std::string_view record_key, std::string_view record) {
  switch (key.kind) {
    case CheckedKey::kMain:
      return read_checked_main(record_key, record).has_value();
    case CheckedKey::kShard:
    case CheckedKey::kDelta:
    case CheckedKey::kElement:
    case CheckedKey::kBucket:
      return is_shard(key, record_key, record);
    case CheckedKey::kMark:
    case CheckedKey::kToken:
    case CheckedKey::kLease:
      return read_checked_numbers(record_key, record, 2).has_value();
    case CheckedKey::kExpiry:
      return is_checked_nil(record);
    case CheckedKey::kClock:
    case CheckedKey::kGeneration:
      return read_checked_natural(record_key, record).has_value();
    case CheckedKey::kIndexState:
      return is_checked_boolean(record);
    case CheckedKey::kIndexRecord:
      return is_index_record(record_key, record);
    case CheckedKey::kOther:
      break;
  }
  return false;
}

// Checks of the records of one commit against each other.

/// An entity before and after a commit. An empty member is unknown; a tombstone stands for an absent entity.
struct Entity {
  bool is_seen = false;
  std::optional<CheckedMain> before{}, after{};

  bool is_alive_after() const { return after && !after->is_tombstone; }
};

class Transition {
 public:
  explicit Transition(const CheckedCommit& commit) : commit_(commit) {}

  void check() const {
    for (const auto& [record_key, write] : commit_.writes) {
      const CheckedKey key = parse_checked_key(record_key);
      if (key.is_of_entity()) check_record_of_entity(key, record_key, write);
      if (key.kind == CheckedKey::kMain) check_main(key, record_key, write);
      if (key.is_of_shard()) check_shard(key, record_key, write);
      if (key.kind == CheckedKey::kBucket) check_bucket_end(record_key, write);
      if (key.kind == CheckedKey::kMark) check_mark(record_key, write);
      if (key.kind == CheckedKey::kToken) check_token(key, record_key, write);
      if (key.kind == CheckedKey::kExpiry) check_expiry(key, record_key, write);
      if (key.kind == CheckedKey::kClock) check_clock(record_key, write);
      if (key.kind == CheckedKey::kLease) check_lease(record_key, write);
      if (key.kind == CheckedKey::kGeneration || key.kind == CheckedKey::kIndexState)
        check_index_state(key, record_key, write);
      if (key.kind == CheckedKey::kIndexRecord) check_index_record(key, record_key, write);
    }
  }

 private:
  /// Returns what was read of the record; null if it was not read.
  const Seen* seen(std::string_view key) const {
    const auto found = commit_.seen.find(key);
    return found == commit_.seen.end() ? nullptr : &found->second;
  }
  const Write* written(std::string_view key) const {
    const auto found = commit_.writes.find(key);
    return found == commit_.writes.end() ? nullptr : &found->second;
  }
  bool puts(std::string_view key) const {
    const Write* write = written(key);
    return write && write->kind == Write::kPut;
  }
  bool erases(std::string_view key) const {
    const Write* write = written(key);
    return write && write->kind == Write::kErase;
  }

  Entity entity(std::string_view entity_key) const {
    const std::string key = checked_main_key(entity_key);
    const auto read = [&](const std::string& record) { return read_checked_main(key, record); };
    Entity entity;
    const CheckedMain none{.is_tombstone = true};
    if (const Seen* before = seen(key)) {
      entity.is_seen = true;
      entity.before = *before ? read(**before) : none;
    }
    entity.after = entity.before;
    if (const Write* write = written(key))
      entity.after = write->kind == Write::kPut ? read(write->value) : none;
    return entity;
  }

  /// A transaction may also erase an entity that it has created; it then leaves the first shards to be
  /// removed.
  bool is_created(const CheckedKey& key, const Entity& entity) const {
    return entity.before && entity.before->is_tombstone && puts(checked_main_key(key.entity));
  }

  /// Every writer of a record of an entity has read the entity's main record. A shard is written only for an
  /// existing entity.
  void check_record_of_entity(const CheckedKey& key, std::string_view record_key, const Write& write) const {
    const Entity entity = this->entity(key.entity);
    AUTOSHARD_CHECK(entity.is_seen, {"key", record_key}, {"value", write.value});
    if (key.kind == CheckedKey::kMain || write.kind == Write::kErase || !entity.after) return;
    if (!entity.is_alive_after() && is_created(key, entity)) return;
    AUTOSHARD_CHECK(entity.is_alive_after(), {"key", record_key}, {"value", write.value});
    AUTOSHARD_CHECK(
        counts(key, record_key, write, *entity.after) || is_replaced_at_once(key, record_key, write, entity),
        {"key", record_key}, {"value", write.value});
  }

  /// A commit may have the updates of an entity one by one: if a fold throws, or if they belong to several
  /// buckets. The delta or the bucket of one update may then come before an update that replaces the value.
  static bool is_replaced_at_once(const CheckedKey& key, std::string_view record_key, const Write& write,
                                  const Entity& entity) {
    if ((key.kind != CheckedKey::kDelta && key.kind != CheckedKey::kBucket) || !entity.before) return false;
    const std::uint64_t epoch = epoch_of(record_key, write);
    const auto allows = [&](const auto& layout) {
      const auto before = entity.before->layouts.find(layout.first);
      const std::uint64_t first = before == entity.before->layouts.end() ? 0 : before->second.second;
      return first <= epoch && epoch < layout.second.second && is_in_shards(key, layout.second.first);
    };
    return std::any_of(entity.after->layouts.begin(), entity.after->layouts.end(), allows);
  }

  static std::uint64_t epoch_of(std::string_view record_key, const Write& write) {
    if (write.kind == Write::kFold) return read_checked_tail(record_key, write.value).value_or(0);
    const std::optional<CheckedShard> shard = read_checked_shard(record_key, write.value);
    return shard ? shard->epoch : 0;
  }
  static bool is_in_shards(const CheckedKey& key, std::uint64_t shards) {
    return !key.is_of_shard() || key.number < std::max<std::uint64_t>(shards, 1);
  }

  /// Returns whether a record has the epoch of the main record and belongs to no shard beyond the number
  /// there. An entry under another name of the property counts if its epoch is not lower.
  static bool counts(const CheckedKey& key, std::string_view record_key, const Write& write,
                     const CheckedMain& main) {
    const std::uint64_t epoch = epoch_of(record_key, write);
    const auto layout = main.layouts.find(key.property);
    if (layout == main.layouts.end()) return epoch == 0 || has_epoch(main, epoch);
    const auto allows = [&](const auto& entry) {
      const auto& [shards, its_epoch] = entry.second;
      return (entry.first == key.property || its_epoch >= layout->second.second) && epoch == its_epoch &&
             is_in_shards(key, shards);
    };
    return std::any_of(main.layouts.begin(), main.layouts.end(), allows);
  }
  static bool has_epoch(const CheckedMain& main, std::uint64_t epoch) {
    return std::any_of(main.layouts.begin(), main.layouts.end(),
                       [&](const auto& layout) { return layout.second.second == epoch; });
  }

  void check_main(const CheckedKey& key, std::string_view record_key, const Write& write) const {
    const Entity entity = this->entity(key.entity);
    if (!entity.before || !entity.after) return;  // damaged before
    const CheckedMain &before = *entity.before, &after = *entity.after;
    const Seen stored = *seen(record_key);
    if (write.kind == Write::kErase) {
      AUTOSHARD_CHECK(stored && before.is_tombstone, {"key", record_key});
    } else if (after.is_tombstone) {
      // A transaction may erase an entity that it has created; then there was none before.
      check_generation(key, record_key);
    } else if (before.is_tombstone) {
      AUTOSHARD_CHECK(after.layouts.empty(), {"key", record_key}, {"value", write.value});
      check_generation(key, record_key);
    } else {
      check_change(key, record_key, before, after);
    }
    check_references(key, before, after);
  }

  /// The entity stays the same one. Only a save changes properties; compaction removes entries.
  void check_change(const CheckedKey& key, std::string_view record_key, const CheckedMain& before,
                    const CheckedMain& after) const {
    AUTOSHARD_CHECK(after.version >> 32 == before.version >> 32, {"key", record_key},
                    {"version before", before.version}, {"version", after.version});
    const auto is_kept = [&](const auto& entry) {
      const auto old = before.entries.find(entry.first);
      return old != before.entries.end() && old->second == entry.second;
    };
    const bool only_takes_away = std::all_of(after.entries.begin(), after.entries.end(), is_kept);
    if (after.version == before.version) {
      for (const auto& [name, value] : before.entries) {
        const auto now = after.entries.find(name);
        AUTOSHARD_CHECK(now != after.entries.end() && now->second == value, {"key", record_key},
                        {"entry", name});
      }
      AUTOSHARD_CHECK(after.expires == before.expires, {"key", record_key});
    } else if (!only_takes_away) {
      check_generation(key, record_key);
    }
    for (const auto& [name, layout] : before.layouts)
      AUTOSHARD_CHECK(keeps_epoch(after, name, layout.second), {"key", record_key}, {"property", name},
                      {"epoch before", layout.second});
  }
  /// Under this name, or under a newer name of the property.
  static bool keeps_epoch(const CheckedMain& main, const std::string& name, std::uint64_t epoch) {
    if (const auto same = main.layouts.find(name); same != main.layouts.end())
      return same->second.second >= epoch;
    return std::any_of(main.layouts.begin(), main.layouts.end(),
                       [&](const auto& layout) { return layout.second.second >= epoch; });
  }

  /// Every writer of a main record has read which indexes the kind has.
  void check_generation(const CheckedKey& key, std::string_view record_key) const {
    AUTOSHARD_CHECK(seen(checked_generation_key(key.entity)), {"key", record_key});
  }

  /// The record of an entity's expiry is written and erased together with the expiry in the main record.
  void check_references(const CheckedKey& key, const CheckedMain& before, const CheckedMain& after) const {
    const std::string old_key =
        before.expires ? checked_expiry_key(key.entity, *before.expires) : std::string();
    const std::string new_key =
        after.expires ? checked_expiry_key(key.entity, *after.expires) : std::string();
    if (before.expires == after.expires) return;
    if (!new_key.empty()) AUTOSHARD_CHECK(puts(new_key), {"key", new_key});
    if (!old_key.empty() && old_key != new_key) AUTOSHARD_CHECK(erases(old_key), {"key", old_key});
  }

  /// A new record of a shard is based on the one that was read, unless that is void or is older than the
  /// entity.
  void check_shard(const CheckedKey& key, std::string_view record_key, const Write& write) const {
    if (write.kind != Write::kPut || seen(record_key)) return;
    const Entity entity = this->entity(key.entity);
    if (!entity.before || !entity.after || is_created(key, entity)) return;
    AUTOSHARD_CHECK(entity.before->layouts != entity.after->layouts, {"key", record_key},
                    {"value", write.value});
  }

  /// The number of a mark increases. It may skip the numbers of commits that the store has lost.
  void check_mark(std::string_view record_key, const Write& write) const {
    if (write.kind != Write::kPut) return;
    const Seen* before = seen(record_key);
    AUTOSHARD_CHECK(before, {"key", record_key}, {"value", write.value});
    const auto number = [&](std::string_view record) { return read_checked_numbers(record_key, record, 2); };
    const std::int64_t now = (*number(write.value))[1];
    if (!*before) {
      AUTOSHARD_CHECK(now == 0, {"key", record_key}, {"number", now});
    } else if (const auto then = number(**before)) {
      AUTOSHARD_CHECK(now > (*then)[1], {"key", record_key}, {"number before", (*then)[1]}, {"number", now});
    }
  }

  /// A token is new, its entity exists, and it ends in the future.
  void check_token(const CheckedKey& key, std::string_view record_key, const Write& write) const {
    const Seen* before = seen(record_key);
    AUTOSHARD_CHECK(before, {"key", record_key}, {"value", write.value});
    if (write.kind != Write::kPut) return;
    AUTOSHARD_CHECK(!*before, {"key", record_key}, {"value", write.value});
    const Entity entity = this->entity(key.entity);
    AUTOSHARD_CHECK(entity.is_seen && (!entity.after || entity.is_alive_after()), {"key", record_key});
    const std::int64_t end = (*read_checked_numbers(record_key, write.value, 2))[1];
    check_end(record_key, static_cast<std::uint64_t>(end));
  }

  /// A bucket that counts no more ends in the future.
  void check_bucket_end(std::string_view record_key, const Write& write) const {
    if (write.kind != Write::kPut) return;
    const std::optional<std::uint64_t> end = read_checked_shard(record_key, write.value)->third;
    if (end) check_end(record_key, *end);
  }

  /// The commit has read the clock of the store, and the record ends at least one step later.
  void check_end(std::string_view record_key, std::uint64_t end) const {
    const std::string clock_key("\0\1clock\0\1", 9);
    const Seen* clock = seen(clock_key);
    AUTOSHARD_CHECK(clock, {"key", record_key});
    const std::uint64_t now = *clock ? read_checked_natural(clock_key, **clock).value_or(0) : 0;
    AUTOSHARD_CHECK(end >= now + kLongestStep, {"key", record_key}, {"end", end}, {"time of the store", now});
  }

  /// The record agrees with the main record of the same commit. It is erased once the main record has another
  /// expiry.
  void check_expiry(const CheckedKey& key, std::string_view record_key, const Write& write) const {
    const Entity entity = this->entity(key.entity);
    AUTOSHARD_CHECK(entity.is_seen, {"key", record_key});
    if (!entity.before || !entity.after) return;
    const bool is_said =
        entity.after->expires && checked_expiry_key(key.entity, *entity.after->expires) == record_key;
    AUTOSHARD_CHECK(is_said == (write.kind == Write::kPut), {"key", record_key},
                    {"main record",
                     puts(checked_main_key(key.entity)) ? written(checked_main_key(key.entity))->value : ""});
  }

  /// The time of the store increases, by one step at most.
  void check_clock(std::string_view record_key, const Write& write) const {
    const Seen* before = seen(record_key);
    AUTOSHARD_CHECK(before && write.kind == Write::kPut, {"value", write.value});
    const std::uint64_t now = *read_checked_natural(record_key, write.value);
    const std::optional<std::uint64_t> then = *before ? read_checked_natural(record_key, **before) : 0;
    if (!then) return;
    AUTOSHARD_CHECK(now >= *then && now - *then <= kLongestStep, {"before", *then}, {"now", now});
  }

  /// Only a transaction that has read a lease takes it or gives it up. Its holder counts.
  void check_lease(std::string_view record_key, const Write& write) const {
    const Seen* before = seen(record_key);
    AUTOSHARD_CHECK(before, {"key", record_key}, {"value", write.value});
    if (write.kind != Write::kPut || !*before) return;
    const auto then = read_checked_numbers(record_key, **before, 2);
    const auto now = read_checked_numbers(record_key, write.value, 2);
    if (then && (*then)[0] == (*now)[0])
      AUTOSHARD_CHECK((*now)[1] > (*then)[1], {"before", (*then)[1]}, {"now", (*now)[1]});
  }

  /// A transaction that erases or writes the state of an index writes another generation.
  void check_index_state(const CheckedKey& key, std::string_view record_key, const Write& write) const {
    const Seen* before = seen(record_key);
    if (key.kind == CheckedKey::kGeneration) {
      AUTOSHARD_CHECK(write.kind == Write::kPut, {"key", record_key});
      return;
    }
    const bool completes = write.kind == Write::kPut && write.value == "\xC3";
    if (completes) {
      AUTOSHARD_CHECK(before && *before && **before == "\xC2", {"key", record_key});
      AUTOSHARD_CHECK(seen(key.indexes), {"key", record_key});
    } else {
      AUTOSHARD_CHECK(puts(key.indexes), {"key", record_key});
    }
  }

  /// An entry is written for an existing entity; in a ranked index, for one that was seen to be dirty.
  void check_index_record(const CheckedKey& key, std::string_view record_key, const Write& write) const {
    if (write.kind != Write::kPut) return;
    if (const Seen* before = seen(record_key); before && *before) return;
    const std::optional<std::string> id = read_checked_text(record_key, write.value);
    const auto is_of = [&](const CheckedKey& other) {
      const std::string_view its_id = checked_id(other.entity);
      return other.kind == CheckedKey::kMain && checked_generation_key(other.entity) == key.indexes &&
             (id == its_id || std::string_view(key.rest).ends_with(its_id)) && entity(other.entity).after &&
             entity(other.entity).is_alive_after();
    };
    const auto is_dirty_of = [&](const CheckedKey& other) {
      return other.kind == CheckedKey::kIndexRecord && other.index == key.index &&
             other.rest.starts_with('\1') &&
             std::string_view(key.rest).ends_with(std::string_view(other.rest).substr(1));
    };
    for (const auto& [other_key, value] : commit_.seen) {
      const CheckedKey other = parse_checked_key(other_key);
      if (is_of(other) || (value && is_dirty_of(other))) return;
    }
    const bool belongs_to_entity_that_was_read = false;
    AUTOSHARD_CHECK(belongs_to_entity_that_was_read, {"key", record_key}, {"value", write.value});
  }

  const CheckedCommit& commit_;
};

}  // namespace

void check_writes(const CheckedCommit& commit) {
  for (const auto& [key, write] : commit.writes) {
    const CheckedKey parsed = parse_checked_key(key);
    // Records of unknown origin may be removed.
    if (write.kind == Write::kErase) continue;
    AUTOSHARD_CHECK(parsed.kind != CheckedKey::kOther, {"key", key}, {"value", write.value});
    if (write.kind == Write::kPut) {
      AUTOSHARD_CHECK(is_record(parsed, key, write.value), {"key", key}, {"value", write.value});
    } else {
      AUTOSHARD_CHECK(parsed.is_of_shard() && read_checked_tail(key, write.value), {"key", key},
                      {"value", write.value});
    }
  }
}

void check_mark(const CheckedCommit& commit) {
  bool has_mark = false, changes_entity = false;
  for (const auto& [key, write] : commit.writes) {
    const CheckedKey parsed = parse_checked_key(key);
    has_mark = has_mark || (parsed.kind == CheckedKey::kMark && write.kind == Write::kPut);
    changes_entity = changes_entity || parsed.is_of_entity();
  }
  AUTOSHARD_CHECK(has_mark || !changes_entity, {"first key", commit.writes.begin()->first});
}

void check_transition(const CheckedCommit& commit) { Transition(commit).check(); }

}  // namespace autoshard::detail
