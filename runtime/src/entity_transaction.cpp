#include <autoshard/entity_transaction.h>
#include <autoshard/errors.h>

#include <algorithm>

#include "engine.h"
#include "entity_errors.h"
#include "keys.h"
#include "parts.h"
#include "record.h"
#include "staged_transaction.h"

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
    : engine_(engine),
      now_(engine.now()),
      of_store_(engine.begin()),
      transaction_(std::make_unique<StagedTransaction>(*of_store_)) {}

/// Every read of a main record after the first gives the same, or what this transaction wrote: where somebody
/// else has written meanwhile, that is a conflict at the commit, and no reason to find fault with the
/// application.
const std::optional<std::string>& EntityTransaction::read_once(const std::string& key) {
  if (const auto read = mains_.find(key); read != mains_.end()) return read->second;
  std::optional<std::string> record(std::in_place);
  if (!transaction_->get(main_key(key), *record)) record.reset();
  return mains_.emplace(key, std::move(record)).first->second;
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

bool EntityTransaction::do_load(const EntityRef& entity) {
  const std::string* record = main_record(entity.type, entity.key);
  if (record == nullptr) return false;
  for (const ShardedPropertyType& property : entity.type.sharded)
    property.make_neutral(property.in_entity(entity.entity));
  *entity.version = decode_main(entity.type, entity.key, *record, entity.entity).version;

  const auto fold = [&](const Update& update) {
    for (const auto& shard : update.shards) fold_into_entity(entity.type, entity.entity, shard.get());
  };
  if (const Update* created = find(created_, entity.key)) {
    fold(*created);  // what is committed under this key is not this entity's
  } else {
    engine_.fold_shards(entity, now_);
  }
  if (const Update* update = find(updates_, entity.key)) fold(*update);
  return true;
}

/// Whether the transaction has erased the entity, or the entity has ended since the transaction changed it.
/// What is staged for one entity must not be committed for the next one of its id.
bool EntityTransaction::has_ended_here(const EntityType& type, const std::string& key) {
  if (std::find(erased_.begin(), erased_.end(), key) != erased_.end()) return true;
  return (find(updates_, key) || find(created_, key)) && main_record(type, key) == nullptr;
}

void EntityTransaction::create(const EntityRef& entity, std::shared_ptr<void> first_value) {
  if (has_ended_here(entity.type, entity.key)) {
    throw StaleEntity(describe(entity.key) + " has ended in this transaction: create the new one in another");
  }
  engine_.settle_updates(entity.key);
  engine_.remove_if_expired(entity.type, entity.key, now_);
  const std::optional<std::string>& stored = read_once(entity.key);
  const bool was_there =
      stored && !is_tombstone(*stored) && engine_.is_gone(entity.type, entity.key, *stored, now_);
  // It was read before it was removed, or was saved since. Once it is removed, the commit conflicts.
  if (was_there) engine_.remove_if_expired(entity.type, entity.key, now_);
  StagedTransaction staged(*transaction_);
  const std::uint64_t version =
      engine_.create(staged, entity, was_there ? std::nullopt : stored, now_).version;
  make_neutral(entity.type, first_value.get());
  for (const ShardedPropertyType& property : entity.type.sharded)
    property.copy(property.in_shard(first_value.get()), property.in_entity(entity.entity));
  staged.write();
  mains_.erase(entity.key);  // what is read next is what has just been written
  created_.push_back({&entity.type, entity.key, version, {std::move(first_value)}});
}

void EntityTransaction::do_save(const EntityRef& entity, std::shared_ptr<void> pending) {
  if (*entity.version == 0) return create(entity, std::move(pending));
  const std::string& stored = existing_main_record(entity.type, entity.key);
  const StoredMain main = read_main(entity.type, entity.key, stored);
  if (!same_entity(main.version, *entity.version)) throw_not_found(entity.key);
  if (main.version != *entity.version) {
    engine_.note_stale(entity, main, stored);
    throw_saved_since(entity.key);
  }
  // Written even if it is the same: the new version keeps the application's object, with its updates, from
  // being saved again.
  const std::uint64_t version = next_version(main.version);
  std::string record = encode_main(entity.type, entity.entity, version, main);
  refuse_void_values(entity.type, entity.key, main, stored, record);
  StagedTransaction staged(*transaction_);
  engine_.put_indexes(staged, entity.type, entity.key, &stored, entity.entity, now_);
  staged.put(main_key(entity.key), record);
  put_expiry(staged, entity, main.expiry, engine_.entry_limits(now_));
  staged.write();
  before_.try_emplace(entity.key, stored);
  mains_[entity.key] = std::move(record);
  collect(entity.type, entity.key, version, std::move(pending));
}

void EntityTransaction::do_update(const EntityType& type, const std::string& key,
                                  std::shared_ptr<void> shard) {
  const StoredMain main = read_main(type, key, existing_main_record(type, key));
  collect(type, key, main.version, std::move(shard));
}

void EntityTransaction::collect(const EntityType& type, const std::string& key, std::uint64_t version,
                                std::shared_ptr<void> shard) {
  Update* update = find(updates_, key);
  if (!update) update = &updates_.emplace_back(Update{&type, key, version, {}});
  update->shards.push_back(std::move(shard));
}

/// Not in the call that makes an update: a fold that throws leaves some of the values folded.
void EntityTransaction::fold_updates() {
  for (Update& update : updates_) {
    for (std::size_t i = 1; i < update.shards.size(); ++i)
      fold_parts(*update.type, update.shards.front().get(), update.shards[i].get());
    update.shards.resize(1);
  }
}

bool EntityTransaction::do_erase(const EntityType& type, const std::string& key) {
  engine_.settle_updates(key);
  const std::optional<std::string>& stored = read_once(key);
  if (!stored || !engine_.can_be_erased(type, key, *stored, now_)) return false;
  StagedTransaction staged(*transaction_);
  engine_.erase_references(staged, type, key, *stored, now_);
  staged.put(main_key(key), tombstone());
  staged.write();
  mains_[key] = tombstone();
  std::erase_if(updates_, [&](const Update& update) { return update.key == key; });
  std::erase_if(created_, [&](const Update& update) { return update.key == key; });
  erased_.push_back(key);
  return true;
}

bool EntityTransaction::do_exists(const EntityType& type, const std::string& key) {
  return main_record(type, key) != nullptr;
}

}  // namespace autoshard
