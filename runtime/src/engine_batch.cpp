/// What is done to many entities at once.

#include <autoshard/errors.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "engine.h"
#include "forgetting.h"
#include "keys.h"
#include "lane.h"
#include "parts.h"
#include "room.h"
#include "shard_writer.h"

namespace autoshard::detail {
namespace {

/// Entities in one commit, or one read, at most.
constexpr std::size_t kBatch = 128;

/// How many of the first entities are different ones, and no more than a batch.
std::size_t first_batch(std::span<const EntityRef> entities) {
  std::unordered_set<std::string_view> keys;
  while (keys.size() < std::min(entities.size(), kBatch) && keys.insert(entities[keys.size()].key).second) {
  }
  return keys.size();
}

void forget_in_the_end(std::deque<Forgetting>& forgetting, MapperContext& context,
                       std::span<const EntityRef> entities) {
  for (const EntityRef& entity : entities) forgetting.emplace_back(context, entity.key);
}

}  // namespace

/// Entities that are to be saved, and what became of those that could not be.
struct Engine::BatchSave {
  std::span<const EntityRef> all;
  Now now;
  std::vector<BatchFailed::Failure> failures{};
  std::exception_ptr unavailable{};  // what the store has thrown; nothing is attempted after it

  void fail(const EntityRef& entity, const std::exception_ptr& error) {
    failures.push_back({static_cast<std::size_t>(&entity - all.data()), error});
  }
};

std::vector<bool> Engine::load(std::span<const EntityRef> entities) {
  const Now now = this->now();
  const std::unique_ptr<Snapshot> snapshot = this->snapshot();
  std::vector<std::size_t> order(entities.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t one, std::size_t other) { return entities[one].key < entities[other].key; });
  std::vector<bool> are_there(entities.size());
  const auto range_of = [&](std::size_t place) {
    return KeyRange{main_key(entities[place].key), end_key(entities[place].key)};
  };
  for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
    const std::span<const std::size_t> batch =
        std::span(order).subspan(begin, std::min(kBatch, order.size() - begin));
    const auto is_repeated = [&](std::size_t i) {
      return i > 0 && entities[batch[i]].key == entities[batch[i - 1]].key;
    };
    std::vector<KeyRange> ranges;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (!is_repeated(i)) ranges.push_back(range_of(batch[i]));
    }
    const std::unique_ptr<Cursor> cursor = snapshot->scan_all(std::move(ranges));
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const EntityRef& entity = entities[batch[i]];
      if (is_repeated(i)) {
        const KeyRange again = range_of(batch[i]);
        are_there[batch[i]] = read(*snapshot->scan(again.begin, again.end), entity, nullptr, now);
        continue;
      }
      are_there[batch[i]] = read(*cursor, entity, nullptr, now);
      while (cursor->valid() && cursor->key().starts_with(entity.key)) cursor->next();  // of an erased one
    }
  }
  return are_there;
}

std::vector<BatchFailed::Failure> Engine::save(std::span<const EntityRef> entities) {
  BatchSave batch{entities, now()};
  while (!entities.empty()) {
    const std::size_t size = first_batch(entities);
    save_some(entities.first(size), batch);
    entities = entities.subspan(size);
  }
  return std::move(batch.failures);
}

/// Those of which one cannot be committed, for whatever reason, are halved, until it is alone.
void Engine::save_some(std::span<const EntityRef> entities, BatchSave& batch) {
  if (batch.unavailable) {
    for (const EntityRef& entity : entities) batch.fail(entity, batch.unavailable);
    return;
  }
  if (entities.size() == 1) {
    try {
      return save(entities.front(), batch.now);
    } catch (const StoreUnavailable&) {
      batch.unavailable = std::current_exception();
      return batch.fail(entities.front(), batch.unavailable);
    } catch (...) {
      return batch.fail(entities.front(), std::current_exception());
    }
  }
  std::deque<Forgetting> forgetting;
  forget_in_the_end(forgetting, context_, entities);
  std::size_t put = 0;
  bool are_saved = false, is_unknown = false;
  try {
    are_saved = save_together(entities, batch.now, put);
  } catch (const OutcomeUnknown&) {
    is_unknown = put > 0;
    for (const EntityRef& entity : entities.first(put)) batch.fail(entity, std::current_exception());
  } catch (...) {
    // Whose error it is, and that it is one, shows when each is alone.
  }
  if (are_saved) {
    update_together(entities.first(put), batch);
  } else if (!is_unknown) {
    put = entities.size() / 2;
    save_some(entities.first(put), batch);
  }
  if (put < entities.size()) save_some(entities.subspan(put), batch);
}

/// Says that the main records of these entities are about to be read, and the generation of their indexes.
void Engine::prefetch(Transaction& transaction, const EntityType& type, std::vector<std::string> keys) const {
  if (!context_.store.traits().prefetches) return;
  for (std::string& key : keys) key = main_key(key);
  keys.push_back(indexes_key(type.kind));
  transaction.prefetch(keys);
}

/// Main records and first values, of as many entities from the first on as one commit has room for: `put`
/// says how many. Returns false if none of it is written.
bool Engine::save_together(std::span<const EntityRef> entities, Now now, std::size_t& put) {
  for (const EntityRef& entity : entities) {
    if (*entity.version != 0) continue;
    settle_updates(entity.key);
    remove_if_expired(entity.type, entity.key, now);
  }
  const std::unique_ptr<Transaction> transaction = begin();
  std::vector<std::string> keys;
  for (const EntityRef& entity : entities) keys.push_back(entity.key);
  prefetch(*transaction, entities.front().type, std::move(keys));
  std::vector<std::uint64_t> versions;
  bool any_changed = false;
  for (Room room(context_.store.traits(), entities.size()); room.is_left();) {
    const EntityRef& entity = entities[put];
    const auto [version, bytes] = put_saved(*transaction, entity, now);
    versions.push_back(version);
    ++put;
    any_changed = any_changed || version != *entity.version;
    room.take(bytes);
  }
  if (any_changed && !commit_once(*transaction, "saving several entities")) return false;
  for (std::size_t i = 0; i < versions.size(); ++i) {
    if (versions[i] != *entities[i].version) note_saved(entities[i], versions[i]);
  }
  return true;
}

/// Updates of sharded properties, of entities whose main records are saved.
void Engine::update_together(std::span<const EntityRef> entities, BatchSave& batch) {
  std::deque<Request> requests;
  std::vector<const EntityRef*> updated;
  std::vector<Request*> waiting;
  for (const EntityRef& entity : entities) {
    if (is_neutral(entity.type, entity.pending)) continue;
    index_states_.note_update(entity.type);
    if (may_replace(entity.type)) commit_what_is_buffered(entity.key);
    updated.push_back(&entity);
    waiting.push_back(&requests.emplace_back(entity.type, entity.key, entity.pending, *entity.version));
  }
  ShardWriter writer(context_, index_states_, lane_of_thread());
  for (Attempts attempts = this->attempts("updating several entities", {}); !waiting.empty();) {
    writer.commit(waiting);
    std::erase_if(waiting,
                  [](const Request* request) { return request->result != Request::Result::kConflict; });
    if (waiting.empty()) break;
    try {
      attempts.wait();
    } catch (...) {
      for (Request* request : waiting) request->fail(std::current_exception());
      break;
    }
    for (Request* request : waiting) request->set_waiting();
  }
  for (std::size_t i = 0; i < updated.size(); ++i) {
    if (requests[i].result == Request::Result::kFailed) {
      batch.fail(*updated[i], requests[i].error);
    } else {
      make_neutral(updated[i]->type, updated[i]->pending);
    }
  }
}

std::uint64_t Engine::erase(const EntityType& type, std::span<const std::string> keys) {
  std::vector<std::string> sorted(keys.begin(), keys.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const std::string& key : sorted) settle_updates(key);
  std::uint64_t erased = 0;
  const Now now = this->now();
  for (std::span<const std::string> left = sorted; !left.empty();) {
    const std::size_t size = std::min(left.size(), kBatch);
    erased += in_halves(left.first(size),
                        [&](std::span<const std::string> some) { return erase_some(type, some, now); });
    left = left.subspan(size);
  }
  return erased;
}

/// Returns how many there were; nothing if they cannot be erased together.
std::optional<std::uint64_t> Engine::erase_some(const EntityType& type, std::span<const std::string> keys,
                                                Now now) {
  if (keys.size() == 1) return erase(type, keys.front(), 0, now) ? 1 : 0;
  std::deque<Forgetting> forgetting;
  for (const std::string& key : keys) forgetting.emplace_back(context_, key);
  std::vector<std::string> buried;
  const std::unique_ptr<Transaction> transaction = begin();
  prefetch(*transaction, type, {keys.begin(), keys.end()});
  for (const std::string& key : keys) {
    if (bury(*transaction, type, key, 0, now)) buried.push_back(key);
  }
  if (buried.empty()) return 0;
  if (!commit_once(*transaction, "erasing several entities")) return std::nullopt;
  clear_all(buried);
  return buried.size();
}

/// Returns false if nothing is written: after a conflict, and if it is too large for one commit, as is said
/// then in `too_large`.
bool Engine::commit_once(Transaction& transaction, std::string_view doing, std::string* too_large) {
  CommitOutcome outcome = CommitOutcome::kConflict;
  try {
    outcome = context_.writers.commit(transaction);
  } catch (const CommitTooLarge& error) {
    if (too_large) *too_large = error.what();
    return false;
  }
  switch (outcome) {
    case CommitOutcome::kCommitted:
      count(context_.commits);
      return true;
    case CommitOutcome::kConflict:
    case CommitOutcome::kNotFolded:  // it folds nothing
      count(context_.conflicts);
      return false;
    case CommitOutcome::kUnknown:
      break;
  }
  const std::string message = unknown_outcome(doing);
  log(message);
  throw OutcomeUnknown(message);
}

}  // namespace autoshard::detail
