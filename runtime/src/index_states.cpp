#include "index_states.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "entity_expiry.h"
#include "entity_scan.h"
#include "index_records.h"
#include "keys.h"
#include "record.h"
#include "rollup.h"
#include "rollup_refresh.h"
#include "room.h"

namespace autoshard::detail {
namespace {

/// So that a transaction meets few others, and a snapshot is soon let go.
constexpr std::size_t kBatch = 128;

std::string encode_state(bool is_complete) {
  std::string record;
  Encoder(record).boolean(is_complete);
  return record;
}

/// Empty where there is none. Of a snapshot, or a transaction.
template <class Reads>
std::optional<bool> read_state(Reads& reads, const std::string& key) {
  std::string record;
  if (!reads.get(key, record)) return std::nullopt;
  return Decoder(key, record).boolean();
}

bool has_entities(const Snapshot& snapshot, const EntityType& type) {
  const std::string kind = kind_key(type.kind);
  return EntityScan(snapshot, type, kBeforeAllTimes, kind, end_key(kind)).next();
}

}  // namespace

bool is_complete(const Snapshot& snapshot, const EntityType& type, const IndexType& index) {
  const std::optional<bool> state = read_state(snapshot, index_key(type, index));
  return state ? *state : !has_entities(snapshot, type);
}

/// One commit of what `work` puts into a transaction, which is made anew after a conflict.
template <class Work>
void IndexStates::commit(const EntityType& type, Work work) {
  const std::string kind = kind_key(type.kind);
  for (Attempts attempts(options_, notes_, "indexing", kind);;) {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    work(*transaction);
    if (attempts.commit(writers_, *transaction)) return;
  }
}

void IndexStates::note_creation(const EntityType& type) {
  if (type.indexes.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (noted_.contains(&type)) return;
  }
  const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
  std::vector<const IndexType*> indexes;
  for (const IndexType& index : type.indexes) {
    if (!read_state(*snapshot, index_key(type, index))) indexes.push_back(&index);
  }
  if (!indexes.empty() && !has_entities(*snapshot, type)) {
    commit(type, [&](Transaction& transaction) {
      for (const IndexType* index : indexes) {
        const std::string key = index_key(type, *index);
        if (!read_state(transaction, key)) transaction.put(key, encode_state(true));
      }
    });
  }
  const std::lock_guard lock(mutex_);
  noted_.insert(&type);
}

std::uint64_t IndexStates::build(const EntityType& type) {
  remove_others(type);
  std::vector<const IndexType*> indexes;
  for (const IndexType& index : type.indexes) {
    if (begin(type, index)) indexes.push_back(&index);
  }
  if (indexes.empty()) return 0;
  std::uint64_t entities = 0;
  std::string begin = kind_key(type.kind);
  const std::string end = end_key(begin);
  for (;;) {
    Keys batch;
    {
      // Of a state after the beginning: whoever creates an entity later gives it its entries. Each batch sees
      // one of its own, so that none is held for long.
      const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
      EntityScan scan(*snapshot, type, kBeforeAllTimes, begin, end);
      Room room(store_.traits(), kBatch);
      while (room.is_left() && scan.next()) {
        batch.push_back(scan.key());
        room.take(scan.main_size());
      }
    }
    if (batch.empty()) break;
    restore(type, indexes, batch);
    entities += batch.size();
    begin = end_key(batch.back());
  }
  for (const IndexType* index : indexes) {
    if (index->is_rollup()) RollupRefresh(store_, options_, notes_, writers_, type, *index).run({});
  }
  this->end(type, indexes);
  return entities;
}

/// Removes the entries of a state without a record of it: somebody has left them who had such an index
/// before. Then notes that the index is being built. False if it is complete.
bool IndexStates::begin(const EntityType& type, const IndexType& index) {
  const std::string key = index_key(type, index);
  const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
  std::optional<bool> state = read_state(*snapshot, key);
  const std::unique_ptr<Cursor> cursor = snapshot->scan(key, end_key(key));
  while (!state) {
    Keys batch;
    for (Room room(store_.traits(), kBatch); room.is_left() && cursor->valid(); cursor->next()) {
      batch.emplace_back(cursor->key());
      room.take(batch.back().size());
    }
    // Only until another process has begun, for the entries are right from then on.
    commit_in_parts(std::span(std::as_const(batch)), [&](std::span<const std::string> entries) {
      commit(type, [&](Transaction& transaction) {
        state = read_state(transaction, key);
        if (state) return;
        for (const std::string& entry : entries) {
          index.is_rollup() ? erase_rollup_record(transaction, type, index, entry) : transaction.erase(entry);
        }
        if (batch.empty()) transaction.put(key, encode_state(false));
      });
    });
    if (!state && batch.empty()) state = false;
  }
  return !*state;
}

void IndexStates::end(const EntityType& type, const std::vector<const IndexType*>& indexes) {
  commit(type, [&](Transaction& transaction) {
    for (const IndexType* index : indexes) {
      const std::string key = index_key(type, *index);
      // Without one, somebody whose class does not have the index has removed it meanwhile.
      if (read_state(transaction, key)) transaction.put(key, encode_state(true));
    }
  });
}

/// Of the entities that are still there. One that many write is no reason to give up the others.
void IndexStates::restore(const EntityType& type, const std::vector<const IndexType*>& indexes,
                          std::span<const std::string> entities) {
  const EntryLimits limits = {.now = ask_clock(options_), .longest_key = store_.traits().longest_key};
  try {
    return commit(type, [&](Transaction& transaction) {
      std::string stored;
      for (const std::string& key : entities) {
        if (transaction.get(main_key(key), stored) && !is_tombstone(stored))
          restore_index_records(transaction, type, key, stored, indexes, limits);
      }
    });
  } catch (const Contention&) {
    if (entities.size() == 1) throw;
  } catch (const CommitTooLarge&) {
    if (entities.size() == 1) throw;
  }
  restore(type, indexes, entities.first(entities.size() / 2));
  restore(type, indexes, entities.subspan(entities.size() / 2));
}

void IndexStates::remove_others(const EntityType& type) {
  std::set<std::string> known;
  for (const IndexType& index : type.indexes) known.insert(index_key(type, index));
  std::string begin = indexes_key(type.kind);
  const std::string end = end_key(begin);
  const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
  std::unique_ptr<Cursor> cursor = snapshot->scan(begin, end);
  while (cursor->valid()) {
    Keys batch;
    for (Room room(store_.traits(), kBatch); room.is_left() && cursor->valid(); cursor->next()) {
      const auto above = known.upper_bound(std::string(cursor->key()));
      if (above != known.begin() && cursor->key().starts_with(*std::prev(above))) {
        cursor = snapshot->scan(end_key(*std::prev(above)), end);
        break;
      }
      batch.emplace_back(cursor->key());
      room.take(batch.back().size());
    }
    if (batch.empty()) continue;
    commit_in_parts(std::span(std::as_const(batch)), [&](std::span<const std::string> entries) {
      commit(type, [&](Transaction& transaction) {
        for (const std::string& entry : entries) transaction.erase(entry);
      });
    });
  }
}

}  // namespace autoshard::detail
