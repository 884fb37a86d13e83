#include <autoshard/entity_transaction.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attempts.h"
#include "check.h"
#include "conflict_notes.h"
#include "entity_errors.h"
#include "entity_expiry.h"
#include "erase_entity.h"
#include "keys.h"
#include "main_record.h"
#include "mapper_core.h"
#include "parts.h"
#include "read_entity.h"
#include "staged_transaction.h"
#include "write_entity.h"

namespace autoshard {

using namespace detail;

namespace {

template <class Changes>
auto* find(Changes& changes, EntityKeyView key) {
  const auto found =
      std::find_if(changes.begin(), changes.end(), [&](const auto& update) { return update.key == key; });
  return found == changes.end() ? nullptr : &*found;
}

/// Returns whether the type of a bounded property has room for the sum of two values.
bool has_room_for_sum(const ShardedPropertyType& property, const void* one, const void* other) {
  if (!property.admits_updates()) return true;
  std::int64_t sum = property.to_integer(one);
  return !__builtin_add_overflow(sum, property.to_integer(other), &sum) && property.range.least <= sum &&
         sum <= property.range.most;
}

bool has_room_for_sums(const EntityType& type, void* one, void* other) {
  return std::all_of(type.sharded.begin(), type.sharded.end(), [&](const ShardedPropertyType& property) {
    return has_room_for_sum(property, property.in_shard(one), property.in_shard(other));
  });
}

/// Throws `BoundExceeded` if the update takes a bounded property of the entity to what its type cannot hold.
void require_room(const EntityRef& entity, void* shard) {
  for (const ShardedPropertyType& property : entity.type.sharded) {
    if (replaces(property, shard) ||
        has_room_for_sum(property, property.in_entity(entity.entity), property.in_shard(shard)))
      continue;
    throw BoundExceeded(describe(entity.key) + ": the updates in this transaction take " +
                        std::string(property.name) + " out of its bounds, and were not made");
  }
}

}  // namespace

/// The reads and changes of one transaction.
class EntityTransaction::Work {
 public:
  explicit Work(MapperCore& core);

  bool load(const EntityRef& entity);
  void save(const EntityRef& entity, std::shared_ptr<void> pending);
  void update(const EntityType& type, EntityKeyView key, std::shared_ptr<void> shard);
  bool erase(const EntityType& type, EntityKeyView key);
  bool exists(const EntityType& type, EntityKeyView key);

  bool commit(Attempts& attempts);
  void finish();

 private:
  /// The updates to the sharded properties of one entity, in their order.
  struct Update {
    const EntityType* type;
    EntityKey key;
    std::uint64_t version;  // of its main record
    std::vector<std::shared_ptr<void>> shards;
  };

  const std::optional<std::string>& read_once(EntityKeyView key);
  // Returns null if there is no such entity.
  const std::string* main_record(const EntityType& type, EntityKeyView key);
  const std::string& existing_main_record(const EntityType& type, EntityKeyView key);
  bool has_ended_here(const EntityType& type, EntityKeyView key);
  void create(const EntityRef& entity, std::shared_ptr<void> first_value);
  void fold_updates();
  void note_conflicts() const;
  void collect(const EntityType& type, EntityKeyView key, std::uint64_t version, std::shared_ptr<void> shard);

  MapperCore& core_;
  const Now now_;  // the instant by which this transaction judges expiry
  const std::unique_ptr<Transaction> of_store_;
  const std::unique_ptr<Transaction> transaction_;  // writes to `of_store_` at the commit, all or nothing
  // The main records, as they were read or last written here.
  std::map<EntityKey, std::optional<std::string>, std::less<>> mains_;
  // The main records that are written here, as they were read.
  std::map<EntityKey, std::string> before_;
  std::vector<Update> updates_;  // committed afterwards, at most one for each entity
  std::vector<Update> created_;  // first values, which the transaction itself writes
  std::vector<EntityKey> erased_;
};

bool EntityTransaction::do_load(const EntityRef& entity) { return work_.load(entity); }

void EntityTransaction::do_save(const EntityRef& entity, std::shared_ptr<void> pending) {
  work_.save(entity, std::move(pending));
}

void EntityTransaction::do_update(const EntityType& type, EntityKeyView key, std::shared_ptr<void> shard) {
  work_.update(type, key, std::move(shard));
}

bool EntityTransaction::do_erase(const EntityType& type, EntityKeyView key) { return work_.erase(type, key); }

bool EntityTransaction::do_exists(const EntityType& type, EntityKeyView key) {
  return work_.exists(type, key);
}

EntityTransaction::Work::Work(MapperCore& core)
    : core_(core),
      now_(ask_clock(core.context.options)),
      of_store_(core.context.store.begin()),
      transaction_(std::make_unique<StagedTransaction>(*of_store_)) {}

/// Returns the main record as it was first read, or as this transaction wrote it. If another caller has
/// written it meanwhile, the commit conflicts; that is no error of the application.
const std::optional<std::string>& EntityTransaction::Work::read_once(EntityKeyView key) {
  if (const auto read = mains_.find(key); read != mains_.end()) return read->second;
  std::optional<std::string> record(std::in_place);
  if (!transaction_->get(main_key(key), *record)) record.reset();
  return mains_.emplace(key, std::move(record)).first->second;
}

const std::string* EntityTransaction::Work::main_record(const EntityType& type, EntityKeyView key) {
  const std::optional<std::string>& record = read_once(key);
  return record && !is_gone(type, key, *record, now_) ? &*record : nullptr;
}

const std::string& EntityTransaction::Work::existing_main_record(const EntityType& type, EntityKeyView key) {
  const std::string* record = main_record(type, key);
  if (record == nullptr) throw_not_found(key);
  return *record;
}

bool EntityTransaction::Work::load(const EntityRef& entity) {
  const std::string* record = main_record(entity.type, entity.key);
  if (record == nullptr) return false;
  for (const ShardedPropertyType& property : entity.type.sharded)
    property.make_neutral(property.in_entity(entity.entity));
  *entity.version = decode_main(entity.type, entity.key, *record, entity.entity).version;

  const auto fold = [&](const Update& update) {
    for (const auto& shard : update.shards) {
      require_room(entity, shard.get());
      fold_into_entity(entity.type, entity.entity, shard.get());
    }
  };
  if (const Update* created = find(created_, entity.key)) {
    fold(*created);  // the committed shards under this key belong to another entity
  } else {
    core_.updates.commit_buffered(entity.key);
    fold_shards(core_.context, entity, now_);
  }
  if (const Update* update = find(updates_, entity.key)) fold(*update);
  return true;
}

/// Returns whether the transaction has erased the entity, or the entity has ended since the transaction
/// changed it. Staged writes of an entity must not be committed for the next entity of its id.
bool EntityTransaction::Work::has_ended_here(const EntityType& type, EntityKeyView key) {
  if (std::find(erased_.begin(), erased_.end(), key) != erased_.end()) return true;
  return (find(updates_, key) || find(created_, key)) && main_record(type, key) == nullptr;
}

void EntityTransaction::Work::create(const EntityRef& entity, std::shared_ptr<void> first_value) {
  if (has_ended_here(entity.type, entity.key)) {
    throw StaleEntity(
        describe(entity.key) +
        " was erased in this transaction, or has expired: create the new entity in another transaction");
  }
  core_.updates.settle(entity.key);
  remove_if_expired(core_.context, entity.type, entity.key, now_);
  const std::optional<std::string>& stored = read_once(entity.key);
  const bool was_there = stored && !is_tombstone(*stored) && is_gone(entity.type, entity.key, *stored, now_);
  // The transaction has read the expired entity, or it was saved since. After the removal the commit
  // conflicts.
  if (was_there) remove_if_expired(core_.context, entity.type, entity.key, now_);
  StagedTransaction staged(*transaction_);
  const std::uint64_t version =
      put_new_entity(core_.context, staged, entity, was_there ? std::nullopt : stored, now_).version;
  make_neutral(entity.type, first_value.get());
  for (const ShardedPropertyType& property : entity.type.sharded)
    property.copy(property.in_shard(first_value.get()), property.in_entity(entity.entity));
  staged.write();
  mains_.erase(entity.key);  // the next read finds the new record
  created_.push_back({&entity.type, entity.key, version, {std::move(first_value)}});
}

void EntityTransaction::Work::save(const EntityRef& entity, std::shared_ptr<void> pending) {
  if (*entity.version == 0) return create(entity, std::move(pending));
  // A replacement must not find a main record that has no room for it any more.
  core_.updates.commit_earlier(entity.type, entity.key);
  const std::string& stored = existing_main_record(entity.type, entity.key);
  const StoredMain main = read_main(entity.type, entity.key, stored);
  if (!same_entity(main.version, *entity.version)) throw_not_found(entity.key);
  if (main.version != *entity.version) {
    note_stale(core_.context, entity, main, stored);
    throw_saved_since(entity.key);
  }
  // Written even if it is unchanged: the new version keeps the application's object, with its updates, from
  // being saved again.
  const std::uint64_t version = next_version(main.version);
  std::string record = encode_main(entity.type, entity.entity, version, main);
  refuse_void_values(entity.type, entity.key, main, stored, record);
  StagedTransaction staged(*transaction_);
  const EntryLimits limits = entry_limits(core_.context, now_);
  core_.context.indexes.put(staged, entity.type, entity.key, &stored, entity.entity, limits);
  staged.put(main_key(entity.key), record);
  put_expiry(staged, entity, main.expiry, limits);
  staged.write();
  before_.try_emplace(entity.key, stored);
  mains_[entity.key] = std::move(record);
  collect(entity.type, entity.key, version, std::move(pending));
}

void EntityTransaction::Work::update(const EntityType& type, EntityKeyView key, std::shared_ptr<void> shard) {
  const StoredMain main = read_main(type, key, existing_main_record(type, key));
  collect(type, key, main.version, std::move(shard));
}

void EntityTransaction::Work::collect(const EntityType& type, EntityKeyView key, std::uint64_t version,
                                      std::shared_ptr<void> shard) {
  if (Update* update = find(updates_, key)) {
    AUTOSHARD_CHECK(same_entity(update->version, version), {"entity", key}, {"version", version});
    update->shards.push_back(std::move(shard));
    return;
  }
  std::vector<std::shared_ptr<void>> shards;
  shards.push_back(std::move(shard));
  updates_.push_back({&type, EntityKey(key), version, std::move(shards)});
}

/// Folds the updates of each entity into one, or into few if a type has no room for their sum. Not done in
/// the calls that make updates, because a fold that throws leaves some of the values folded.
void EntityTransaction::Work::fold_updates() {
  for (Update& update : updates_) {
    AUTOSHARD_CHECK(!update.shards.empty(), {"entity", update.key});
    auto last = update.shards.begin();
    for (auto next = last + 1; next != update.shards.end(); ++next) {
      if (has_room_for_sums(*update.type, last->get(), next->get())) {
        fold_parts(*update.type, last->get(), next->get());
      } else if (++last != next) {
        *last = std::move(*next);
      }
    }
    update.shards.erase(last + 1, update.shards.end());
  }
}

bool EntityTransaction::Work::erase(const EntityType& type, EntityKeyView key) {
  core_.updates.settle(key);
  const std::optional<std::string>& stored = read_once(key);
  if (!stored || !can_be_erased(type, key, *stored, now_)) return false;
  StagedTransaction staged(*transaction_);
  erase_references(core_.context, staged, type, key, *stored, now_);
  staged.put(main_key(key), tombstone());
  staged.write();
  mains_.find(key)->second = tombstone();
  std::erase_if(updates_, [&](const Update& update) { return update.key == key; });
  std::erase_if(created_, [&](const Update& update) { return update.key == key; });
  erased_.emplace_back(key);
  return true;
}

bool EntityTransaction::Work::exists(const EntityType& type, EntityKeyView key) {
  return main_record(type, key) != nullptr;
}

/// Returns false after a conflict.
bool EntityTransaction::Work::commit(Attempts& attempts) {
  fold_updates();
  std::deque<InvalidateOnExit> invalidation;
  for (const auto& [key, record] : mains_) invalidation.emplace_back(core_.context, key);
  for (const Update& created : created_) invalidation.emplace_back(core_.context, created.key);
  if (attempts.commit(*transaction_)) return true;
  note_conflicts();
  return false;
}

/// Notes the main records that others have changed since the transaction read them.
void EntityTransaction::Work::note_conflicts() const {
  const std::unique_ptr<Snapshot> snapshot = core_.context.store.snapshot();
  for (const auto& [key, mine] : mains_) {
    const auto written = before_.find(key);
    const std::string* before = written == before_.end() ? nullptr : &written->second;
    std::string there_now;
    if (!mine || is_tombstone(*mine) || !snapshot->get(main_key(key), there_now) || is_tombstone(there_now))
      continue;
    if (there_now != (before ? *before : *mine)) note_conflict(core_.context, key, before, *mine, there_now);
  }
}

/// Completes the transaction after the commit of the main records: commits the updates and removes the
/// remains of erased entities. Continues with the next entity after a failure, and throws at the end.
void EntityTransaction::Work::finish() {
  for (const auto& [key, record] : mains_) {
    if (record && !is_tombstone(*record)) note_saved(core_.context, key);
  }
  std::string missing, refused, unknown, partial;
  for (const Update& change : updates_) {
    auto next = change.shards.begin();
    const auto made_none = [&] { return next == change.shards.begin(); };
    try {
      for (; next != change.shards.end(); ++next)
        core_.updates.update(*change.type, change.key, next->get(), change.version, {}, now_);
    } catch (const NotFound&) {
      // Erased since: to every observer the erase came after the update.
    } catch (const OutcomeUnknown&) {
      unknown += ' ' + describe(change.key) + ';';
    } catch (const BoundExceeded& error) {
      (made_none() ? refused : partial) += std::string(" ") + error.what() + ';';
    } catch (const std::exception& error) {
      (made_none() ? missing : partial) += ' ' + describe(change.key) + " (" + error.what() + ");";
    } catch (...) {  // from a fold
      (made_none() ? missing : partial) += ' ' + describe(change.key) + ';';
    }
  }
  for (const EntityKey& key : erased_) try_to_finish_erase(core_.context, key);
  std::string message;
  const auto add = [&](const char* what, const std::string& entities) {
    if (!entities.empty()) message += what + entities;
  };
  add(" the updates of these entities are missing, apply them again:", missing);
  add(" a bound refused the updates of these entities, and none was made:", refused);
  add(" updates of these entities have an unknown outcome, load them and look:", unknown);
  add(" only some updates of these entities were made, load them and look:", partial);
  if (message.empty()) return;
  message = "the transaction is committed, do not repeat it;" + message;
  message.pop_back();
  throw OutcomeUnknown(message);
}

void detail::transact(MapperCore& core, const std::function<void(EntityTransaction&)>& work) {
  for (Attempts attempts(core.context, "committing a transaction", {});;) {
    EntityTransaction::Work done(core);
    EntityTransaction transaction(done);
    work(transaction);
    if (done.commit(attempts)) return done.finish();
  }
}

}  // namespace autoshard
