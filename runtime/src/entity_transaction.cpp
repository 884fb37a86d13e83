#include <autoshard/entity_transaction.h>
#include <autoshard/errors.h>

#include <algorithm>

#include "engine.h"
#include "index_records.h"
#include "keys.h"
#include "parts.h"
#include "record.h"

namespace autoshard {

using namespace detail;

namespace {

template <class Updates>
auto* find(Updates& updates, const std::string& key) {
  const auto found =
      std::find_if(updates.begin(), updates.end(), [&](const auto& update) { return update.key == key; });
  return found == updates.end() ? nullptr : &*found;
}

}  // namespace

EntityTransaction::EntityTransaction(Engine& engine)
    : engine_(engine), now_(engine.now()), transaction_(engine.begin()) {}

/// Every read of a main record after the first gives the same, or what this transaction wrote: where somebody
/// else has written meanwhile, that is a conflict at the commit, and no reason to find fault with the
/// application.
const std::optional<std::string>& EntityTransaction::read_once(const std::string& key) {
  const auto [found, first] = mains_.try_emplace(key);
  std::string record;
  if (first && transaction_->get(main_key(key), record)) found->second = std::move(record);
  return found->second;
}

const std::string* EntityTransaction::main_record(const EntityType& type, const std::string& key) {
  const std::optional<std::string>& record = read_once(key);
  return record && !engine_.is_gone(type, key, *record, now_) ? &*record : nullptr;
}

const std::string& EntityTransaction::existing_main_record(const EntityType& type, const std::string& key) {
  const std::string* record = main_record(type, key);
  if (record == nullptr) throw_not_found(key);
  return *record;
}

void EntityTransaction::write_main(const std::string& key, std::string record) {
  transaction_->put(main_key(key), record);
  mains_[key] = std::move(record);
}

bool EntityTransaction::do_load(const EntityRef& entity) {
  const std::string* record = main_record(entity.type, entity.key);
  if (record == nullptr) return false;
  for (const ShardedPropertyType& property : entity.type.sharded)
    property.make_neutral(property.in_entity(entity.entity));
  *entity.version = decode_main(entity.type, entity.key, *record, entity.entity).version;

  const auto fold = [&](const Update& update) {
    fold_into_entity(entity.type, entity.entity, update.shard.get());
  };
  if (const Update* created = find(created_, entity.key)) {
    fold(*created);  // what is committed under this key is not this entity's
  } else {
    engine_.fold_shards(entity, now_);
  }
  if (const Update* update = find(updates_, entity.key)) fold(*update);
  return true;
}

void EntityTransaction::do_save(const EntityRef& entity, std::shared_ptr<void> pending) {
  if (*entity.version == 0) {
    if (std::find(erased_.begin(), erased_.end(), entity.key) != erased_.end()) {
      throw StaleEntity(describe(entity.key) +
                        " was erased in this transaction: create the new one in another");
    }
    engine_.remove_if_expired(entity.type, entity.key, now_);
    // What has expired may have been read before it was removed: then the commit is going to conflict.
    const std::optional<std::string>& stored = read_once(entity.key);
    const bool was_there =
        stored && !is_tombstone(*stored) && engine_.is_gone(entity.type, entity.key, *stored, now_);
    const std::uint64_t version =
        engine_.create(*transaction_, entity, was_there ? std::nullopt : stored, now_);
    mains_.erase(entity.key);  // what is read next is what has just been written
    make_neutral(entity.type, pending.get());
    for (const ShardedPropertyType& property : entity.type.sharded)
      property.fold_value(property.in_shard(pending.get()), property.in_entity(entity.entity));
    created_.push_back({&entity.type, entity.key, version, std::move(pending)});
    return;
  }
  const StoredMain main = read_main(entity.type, entity.key, existing_main_record(entity.type, entity.key));
  if (!same_entity(main.version, *entity.version)) throw_not_found(entity.key);
  if (main.version != *entity.version) {
    engine_.note_conflict(entity.key, encode_main(entity.type, entity.entity, *entity.version, main),
                          existing_main_record(entity.type, entity.key));
    throw_saved_since(entity.key);
  }
  // Written even if it is the same: the new version keeps the application's object, with its updates, from
  // being saved again.
  const std::uint64_t version = next_version(main.version);
  put_index_records(*transaction_, entity.type, entity.key, &existing_main_record(entity.type, entity.key),
                    entity.entity, engine_.entry_limits(now_));
  write_main(entity.key, encode_main(entity.type, entity.entity, version, main));
  put_expiry(*transaction_, entity, main.expiry);
  collect(entity.type, entity.key, version, std::move(pending));
}

void EntityTransaction::do_update(const EntityType& type, const std::string& key,
                                  std::shared_ptr<void> shard) {
  const StoredMain main = read_main(type, key, existing_main_record(type, key));
  collect(type, key, main.version, std::move(shard));
}

void EntityTransaction::collect(const EntityType& type, const std::string& key, std::uint64_t version,
                                std::shared_ptr<void> shard) {
  if (Update* update = find(updates_, key)) {
    fold_parts(type, update->shard.get(), shard.get());
  } else {
    updates_.push_back({&type, key, version, std::move(shard)});
  }
}

bool EntityTransaction::do_erase(const EntityType& type, const std::string& key) {
  const std::optional<std::string>& stored = read_once(key);
  if (!stored || !engine_.can_be_erased(type, key, *stored, now_)) return false;
  engine_.erase_references(*transaction_, type, key, *stored, now_);
  write_main(key, tombstone());
  std::erase_if(updates_, [&](const Update& update) { return update.key == key; });
  std::erase_if(created_, [&](const Update& update) { return update.key == key; });
  erased_.push_back(key);
  return true;
}

bool EntityTransaction::do_exists(const EntityType& type, const std::string& key) {
  return main_record(type, key) != nullptr;
}

}  // namespace autoshard
