#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <optional>

#include "check.h"
#include "crc32.h"
#include "index_kinds.h"
#include "join.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

struct Entry {
  RecordKey key;
  std::string value;

  friend bool operator==(const Entry&, const Entry&) = default;
};

class EntryIndex final : public EntityIndex {
 public:
  EntryIndex(const EntityType& type, const IndexType& declared) : EntityIndex(type, declared) {}

  std::span<const std::string_view> main_members() const override { return declared().members; }

  void stage(Transaction& transaction, const EntityChange& change, const EntryLimits& limits,
             StagedWrites& writes) const override {
    std::optional<Entry> gone, put;
    if (change.before) gone = entry(change.key, change.before);
    if (change.after) put = entry(change.key, change.after);
    // By another machine's faster clock the entity may have expired, and its key may belong to another
    // entity.
    const bool may_be_lost = is_unique() && type().expires_at && put;
    if (gone == put && !may_be_lost) return;
    if (put) check(transaction, change.key, *put, limits);
    if (gone && is_there(transaction, *gone)) writes.erase().key = gone->key;
    if (!put) return;
    StagedWrites::Write& write = writes.put();
    write.key = put->key;
    write.value = put->value;
  }

  void restore(Transaction& transaction, const EntityChange& change, bool has_expired,
               const EntryLimits& limits) const override {
    const Entry missing = entry(change.key, change.after);
    check_size(change.key, missing.key, limits);
    if (is_unique() && has_expired) return;
    check(transaction, change.key, missing, limits);
    transaction.put(missing.key, missing.value);
  }

  void clean(Transaction& transaction, std::string_view record_key) const override {
    Entry there = {.key = RecordKey(record_key), .value = {}};
    if (!transaction.get(record_key, there.value)) return;
    EntityKey owner;
    try {
      owner =
          entity_of(record_key, record_key.substr(std::min(prefix_size(), record_key.size())), there.value);
    } catch (const CorruptRecord&) {
      return transaction.erase(record_key);
    }
    if (!is_of_entity(transaction, owner, there, kBeforeAllTimes)) transaction.erase(record_key);
  }

  std::vector<std::string> entry_prefixes() const override {
    std::vector<std::string> prefixes(declared().shards, key());
    for (std::size_t shard = 0; shard < prefixes.size() && is_sharded(); ++shard)
      append_shard_number(prefixes[shard], static_cast<std::uint16_t>(shard));
    return prefixes;
  }

  bool has_ids_in_keys() const override { return !is_unique(); }

  EntityKey entity_of(std::string_view entry_key, std::string_view suffix,
                      std::string_view value) const override {
    if (!is_unique()) return EntityIndex::entity_of(entry_key, suffix, value);
    return entity_with_id(type().kind, Decoder(entry_key, value).text());
  }

 private:
  bool is_unique() const { return declared().is_unique; }
  bool is_sharded() const { return declared().shards > 1; }
  std::size_t prefix_size() const { return key().size() + (is_sharded() ? sizeof(std::uint16_t) : 0); }

  /// Returns the entry of an entity.
  Entry entry(EntityKeyView entity_key, const void* entity) const {
    std::string parts;
    declared().append_key(parts, entity);
    declared().append_order(parts, entity);
    std::string entry_key = key(), value;
    if (is_sharded())
      append_shard_number(entry_key, static_cast<std::uint16_t>(crc32(parts) % declared().shards));
    entry_key += parts;
    Encoder value_out(value);
    if (is_unique()) {
      value_out.text(id_in(entity_key));
    } else {
      entry_key += id_in(entity_key);
      value_out.nil();
    }
    AUTOSHARD_CHECK(
        entity_of(entry_key, std::string_view(entry_key).substr(prefix_size()), value) == entity_key,
        {"entry", entry_key}, {"entity", entity_key});
    return {.key = RecordKey(std::move(entry_key)), .value = std::move(value)};
  }

  /// Throws if the store has no room for the key of the entry, or if the transaction sees that another entity
  /// has the entry of a unique index. An entry of an expired entity, or one that an erase left behind, does
  /// not count.
  void check(Transaction& transaction, EntityKeyView entity_key, const Entry& entry,
             const EntryLimits& limits) const {
    check_size(entity_key, entry.key, limits);
    Entry there = {.key = entry.key, .value = {}};
    if (!is_unique() || !transaction.get(entry.key, there.value) || there == entry) return;
    const EntityKey owner = entity_of(entry.key, {}, there.value);
    if (!is_of_entity(transaction, owner, there, limits.now)) return;
    throw NotUnique(describe(owner) + " has the same " + join(declared().members) + " as " +
                    describe(entity_key) + ", and index " + std::string(declared().name) +
                    " is unique: choose another value, or change " + describe(owner) + " first");
  }

  /// In a unique index that is not built yet, another entity may have the entry.
  bool is_there(Transaction& transaction, const Entry& entry) const {
    std::string there;
    return !is_unique() || (transaction.get(entry.key, there) && there == entry.value);
  }

  /// Returns whether the transaction sees the entity of an entry, and the entity has that entry.
  bool is_of_entity(Transaction& transaction, EntityKeyView owner, const Entry& there, Now now) const {
    const std::shared_ptr<void> entity = read_members(transaction, owner, now);
    return entity && entry(owner, entity.get()) == there;
  }
};

}  // namespace

std::unique_ptr<const EntityIndex> make_entry_index(const EntityType& type, const IndexType& declared) {
  return std::make_unique<EntryIndex>(type, declared);
}

}  // namespace autoshard::detail
