#include "engine.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <utility>

#include "elements.h"
#include "entity_errors.h"
#include "escrow.h"
#include "forgetting.h"
#include "keys.h"
#include "lane.h"
#include "parts.h"
#include "record.h"
#include "remains.h"
#include "shard_writer.h"

namespace autoshard::detail {
namespace {

/// Whoever compacts and is gone lets others wait for so long.
constexpr std::chrono::seconds kLeaseTerm(10);

/// Of attempts that somebody else makes, and later.
constexpr platform::Clock::time_point kNotBegun{};

/// Whether only the commit can tell if the update is possible.
bool may_exceed_bounds(const EntityType& type, void* shard) {
  return std::any_of(type.sharded.begin(), type.sharded.end(), [&](const ShardedPropertyType& property) {
    return property.bounds && !is_neutral(property, shard);
  });
}

}  // namespace

bool may_replace(const EntityType& type) {
  return std::any_of(type.sharded.begin(), type.sharded.end(),
                     [](const ShardedPropertyType& property) { return property.replaced != nullptr; });
}

namespace {

/// With what the store says of itself, unless the options do.
AdaptiveRules rules_for(const Store& store, AdaptiveRules rules) {
  if (rules.sustained_writes == 0) rules.sustained_writes = store.traits().sustained_writes_per_record;
  return rules;
}

}  // namespace

Engine::Engine(Store& store, MapperOptions options)
    : context_(store, std::move(options)),
      log_(std::make_shared<const AsyncRequest::Log>(context_.options.log)),
      index_states_(context_),
      adaptation_(rules_for(context_.store, context_.options.adaptive), context_.usage,
                  context_.options.cache, context_.options.log, platform::Clock::now()),
      store_clock_(context_.store),
      compaction_(context_.store, "compaction", kLeaseTerm) {
  const StoreTraits traits = store.traits();
  if (traits.atomic_scope != StoreTraits::AtomicScope::kStore || !traits.snapshot_reads) {
    throw StoreUnavailable(
        "a mapper needs a store with transactions over several records and with snapshots");
  }
  if (context_.options.combine || is_buffered()) combiner_.emplace(context_, index_states_);
  if (context_.options.adaptive.window.count() > 0)
    adapting_.emplace(context_.options.adaptive.window, [this] { adapt(platform::Clock::now()); });
  if (context_.options.compact_every.count() > 0)
    compacting_.emplace(context_.options.compact_every, [this] { run_background(); });
}

Engine::~Engine() { stop(); }

void Engine::stop() {
  stopping_ = true;
  adapting_.reset();
  compacting_.reset();
  if (combiner_) combiner_->stop();  // callbacks may still use this
  context_.writers.remove_marks();
}

void Engine::save(const EntityRef& entity) { save(entity, now(entity.type)); }

void Engine::save(const EntityRef& entity, Now now) {
  const Forgetting forgetting(context_, entity.key);
  if (*entity.version == 0) {
    settle_updates(entity.key);
    remove_if_expired(entity.type, entity.key, now);
  }
  for (Attempts attempts = this->attempts(*entity.version == 0 ? "creating" : "saving", entity.key);;) {
    const std::unique_ptr<Transaction> transaction = begin();
    const std::uint64_t version = put_saved(*transaction, entity, now).version;
    if (version == *entity.version) break;
    if (!attempts.commit(*transaction)) continue;
    note_saved(entity, version);
    break;
  }
  if (is_neutral(entity.type, entity.pending)) return;
  update(entity.type, entity.key, entity.pending, *entity.version);
  make_neutral(entity.type, entity.pending);
}

/// The main record of an entity; `NotFound` if there is none.
std::string Engine::get_main(Transaction& transaction, const EntityType& type, const std::string& key,
                             Now now) const {
  std::string record;
  if (!transaction.get(main_key(key), record) || is_gone(type, key, record, now)) throw_not_found(key);
  return record;
}

/// Puts what saving the entity writes besides its updates, which may be nothing.
Engine::Put Engine::put_saved(Transaction& transaction, const EntityRef& entity, Now now) {
  const auto& [type, key, object, version, pending, before_hooks] = entity;
  if (*version == 0) {
    std::optional<std::string> stored(std::in_place);
    if (!transaction.get(main_key(key), *stored)) stored.reset();
    return create(transaction, entity, stored, now);
  }
  const std::string stored = get_main(transaction, type, key, now);
  const StoredMain main = read_main(type, key, stored);
  if (!same_entity(main.version, *version)) throw_not_found(key);
  if (main.version != *version) {
    note_stale(entity, main, stored);
    throw_saved_since(key);
  }
  const std::string same = encode_main(type, object, main.version, main);
  if (same == stored) return {*version, 0};
  std::optional<std::string> as_read;
  if (!main.is_exact) as_read = as_saved(type, key, stored, main);
  if (same == as_read) return {*version, 0};
  if (before_hooks && !is_neutral(type, pending)) {
    const std::string before = encode_main(type, *before_hooks, main.version, main);
    if (before == stored || before == as_read) {
      take_back(type, key, *before_hooks, object);
      return {*version, 0};
    }
  }
  const std::uint64_t next = next_version(main.version);
  const std::string record = encode_main(type, object, next, main);
  refuse_void_values(type, key, main, stored, record);
  put_indexes(transaction, type, key, &stored, object, now);
  transaction.put(main_key(key), record);
  put_expiry(transaction, entity, main.expiry, entry_limits(now));
  return {next, record.size()};
}

/// What `put_saved` has put is committed.
void Engine::note_saved(const EntityRef& entity, std::uint64_t version) {
  if (*entity.version == 0) {
    make_neutral(entity.type, entity.pending);  // its values are those that it was created with
  } else {
    note_saved(entity.key);
  }
  *entity.version = version;
}

Engine::Put Engine::create(Transaction& transaction, const EntityRef& entity,
                           const std::optional<std::string>& stored, Now now) {
  const std::string key = main_key(entity.key);
  if (stored && !is_tombstone(*stored)) {
    throw StaleEntity(describe(entity.key) +
                      " is there already: load it and change that, or choose another id");
  }
  const std::uint64_t version = first_version();
  StagedWrites writes;
  StagedWrites::Write& main = writes.put();
  main.key = key;
  main.value = encode_main(entity.type, entity.entity, version, {});
  for (const ShardedPropertyType& property : entity.type.sharded) {
    const void* value = property.in_entity(entity.entity);
    if (property.bounds) {
      put_first_value(entity.type, property, entity.key, value, writes);
    } else if (property.is_group()) {
      put_elements(entity.type, property, entity.key, declared_layout(property), value, writes);
    } else if (!property.is_neutral(value)) {
      StagedWrites::Write& shard = writes.put();
      set_shard_key(shard.key, entity.key, property.name, 0);
      encode_shard(shard.value, property, value, 0);
    }
  }
  if (const std::size_t most = context_.store.traits().longest_key, longest = writes.longest_key(0);
      most != 0 && longest > most) {
    throw KeyTooLong(describe(entity.key) + " takes a key of " + std::to_string(longest) +
                     " bytes, and the store's have " + std::to_string(most) +
                     " at most: choose a shorter id");
  }
  put_indexes(transaction, entity.type, entity.key, nullptr, entity.entity, now);
  if (stored) {
    thin_remains(context_, entity.key);
    erase_remains(context_.store, transaction, entity.key);
  }
  writes.write(0, transaction);
  put_expiry(transaction, entity, std::nullopt, entry_limits(now));
  return {version, writes.bytes()};
}

void Engine::update(const EntityType& type, std::string_view key, const void* shard, std::uint64_t version,
                    std::string_view token) {
  note_token(token);
  index_states_.note_update(type);
  if (may_replace(type)) commit_what_is_buffered(key);  // which came before
  Request request(type, key, shard, version, token);
  for (Attempts attempts = this->attempts("updating", key);; attempts.wait()) {
    commit(request);
    if (request.result == Request::Result::kFailed) std::rethrow_exception(request.error);
    if (request.result == Request::Result::kCommitted) return;
    request.set_waiting();
  }
}

void Engine::apply(const EntityType& type, std::string_view key, void* shard, std::string_view token) {
  is_buffered() && !may_exceed_bounds(type, shard) ? buffer(type, key, shard, token)
                                                   : update(type, key, shard, 0, token);
}

/// The version makes sure that no later entity of this id counts it.
void Engine::buffer(const EntityType& type, std::string_view key, void* shard, std::string_view token) {
  combiner_->throw_if_lost();
  note_token(token);
  index_states_.note_update(type);
  const std::string main = main_key(key);
  std::string record;
  if (!begin()->get(main, record) || is_gone(type, key, record, now(type))) throw_not_found(key);
  if (is_neutral(type, shard)) return;
  const std::uint64_t version = read_version(main, record);
  AsyncRequest* request = AsyncRequest::make(type, key, shard, log_, token);
  request->version = version;
  request->attempts.emplace(context_, "updating", request->key, kNotBegun);
  const Forgetting forgetting(context_, key);
  combiner_->buffer(*request);
}

/// Where no thread compacts, those who leave tokens let the time of the store go on.
void Engine::note_token(std::string_view token) noexcept {
  if (token.empty() || context_.options.compact_every.count() > 0) return;
  try {
    store_clock_.advance_when_due();
  } catch (const std::exception&) {
    // The update meets it, too.
  }
}

void Engine::flush() {
  if (!combiner_) return;
  combiner_->flush();
  combiner_->throw_if_lost();
}

/// Of all entities, or of the one with this key.
void Engine::commit_what_is_buffered(std::string_view key) {
  if (is_buffered()) combiner_->flush(key);
}

void Engine::settle_updates(std::string_view key) {
  if (combiner_) combiner_->settle(key);
}

Completion Engine::update_async(const EntityType& type, std::string_view key, void* shard,
                                std::string_view token) {
  AsyncRequest* request = AsyncRequest::make(type, key, shard, log_, token);
  request->attempts.emplace(context_, "updating", request->key, kNotBegun);
  Completion completion(request);
  try {
    index_states_.note_update(type);
    if (combiner_) {
      note_token(token);
      combiner_->submit(*request);
      return completion;
    }
    update(type, key, request->shard, 0, token);
  } catch (...) {
    request->fail(std::current_exception());
  }
  request->complete();
  return completion;
}

void Engine::commit(Request& request) {
  if (combiner_) return combiner_->commit(request);
  Request* alone = &request;
  ShardWriter(context_, index_states_, lane_of_thread()).commit({&alone, 1});
}

void Engine::transact(const std::function<void(EntityTransaction&)>& work) {
  Attempts attempts = this->attempts("committing a transaction", {});
  for (;;) {
    EntityTransaction transaction(*this);
    work(transaction);
    transaction.fold_updates();
    std::deque<Forgetting> forgetting;
    for (const auto& [key, record] : transaction.mains_) forgetting.emplace_back(context_, key);
    for (const auto& created : transaction.created_) forgetting.emplace_back(context_, created.key);
    if (!attempts.commit(*transaction.transaction_)) {
      note_conflicts(transaction);
      continue;
    }
    return finish(transaction);
  }
}

/// What follows the commit of the main records. Goes on whatever happens, and tells in the end.
void Engine::finish(EntityTransaction& transaction) {
  for (const auto& [key, record] : transaction.mains_) {
    if (record && !is_tombstone(*record)) note_saved(key);
  }
  std::string missing, refused, unknown;
  for (const EntityTransaction::Update& change : transaction.updates_) {
    try {
      update(*change.type, change.key, change.shards.front().get(), change.version);
    } catch (const NotFound&) {
      // Erased since: after the update, as far as anybody can tell.
    } catch (const BoundExceeded& error) {
      refused += std::string(" ") + error.what() + ';';
    } catch (const OutcomeUnknown&) {
      unknown += ' ' + describe(change.key) + ';';
    } catch (const std::exception& error) {
      missing += ' ' + describe(change.key) + " (" + error.what() + ");";
    } catch (...) {  // out of a fold
      missing += ' ' + describe(change.key) + ';';
    }
  }
  for (const std::string& key : transaction.erased_) clear_or_log(key);
  if (missing.empty() && refused.empty() && unknown.empty()) return;
  std::string message = "the transaction is committed, do not repeat it;";
  if (!missing.empty()) message += " updates of sharded properties are missing, apply them again:" + missing;
  if (!refused.empty()) message += " updates were refused, to apply them again would be no use:" + refused;
  if (!unknown.empty())
    message += " it cannot be told whether those of these took effect, load and see:" + unknown;
  message.pop_back();
  throw OutcomeUnknown(message);
}

MapperCounters Engine::counters() const {
  return {.commits = context_.commits.load(std::memory_order_relaxed),
          .conflicts = context_.conflicts.load(std::memory_order_relaxed),
          .retries = context_.retries.load(std::memory_order_relaxed),
          .resolved = context_.writers.resolved()};
}

void Engine::log_failure(const std::string& what, const std::exception& error) {
  const bool is_outage = dynamic_cast<const StoreUnavailable*>(&error) != nullptr;
  if (is_outage) ++outages_;
  if (is_outage && outage_is_logged_.exchange(true)) return;
  log(what + ": " + error.what());
}

void Engine::log(const std::string& message) const {
  if (context_.options.log) context_.options.log(message);
}

}  // namespace autoshard::detail
