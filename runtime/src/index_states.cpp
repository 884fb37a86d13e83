#include "index_states.h"

#include <autoshard/codec.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "index_build.h"
#include "index_records.h"
#include "keys.h"
#include "random.h"

namespace autoshard::detail {
namespace {

/// Empty where there is none. Of a snapshot, or a transaction.
template <class Reads>
std::string read_generation(Reads& reads, const EntityType& type) {
  std::string generation;
  if (!reads.get(indexes_key(type.kind), generation)) generation.clear();
  return generation;
}

bool says_complete(const Snapshot& snapshot, const EntityType& type, const IndexType& index) {
  const std::string& key = index_key(type, index);
  std::string state;
  return snapshot.get(key, state) && reads_complete(key, state);
}

bool has_incomplete(const Snapshot& snapshot, const EntityType& type) {
  return std::ranges::any_of(type.indexes,
                             [&](const IndexType& index) { return !says_complete(snapshot, type, index); });
}

}  // namespace

bool is_complete(const Snapshot& snapshot, const EntityType& type, const IndexType& index) {
  return says_complete(snapshot, type, index) || !has_entities(snapshot, type);
}

std::string encode_state(bool is_complete) {
  std::string state;
  Encoder(state).boolean(is_complete);
  return state;
}

bool reads_complete(std::string_view key, std::string_view state) { return Decoder(key, state).boolean(); }

std::vector<std::string> other_indexes(const Snapshot& snapshot, const EntityType& type) {
  std::set<std::string_view> known;
  for (const IndexType& index : type.indexes) known.insert(index_key(type, index));
  const std::string kind = indexes_key(type.kind), end = end_key(kind);
  std::vector<std::string> others;
  std::unique_ptr<Cursor> cursor = snapshot.scan(kind + '\0', end);
  while (cursor->valid()) {
    const std::string index(index_of(cursor->key(), kind.size()));
    if (index.empty()) {  // of no index
      cursor->next();
      continue;
    }
    if (!known.contains(index)) others.push_back(index);
    cursor = snapshot.scan(end_key(index), end);
  }
  return others;
}

std::string put_generation(Transaction& transaction, const EntityType& type) {
  std::string generation;
  Encoder(generation).natural(random_bits());
  transaction.put(indexes_key(type.kind), generation);
  return generation;
}

bool IndexStates::note_write(Transaction& transaction, const EntityType& type) {
  std::optional<std::string> known = prepared(type);
  if (!known) known = prepare(type);
  const std::string now = read_generation(transaction, type);
  // Where this makes another generation, the transaction has read an earlier one, and will conflict.
  if (now != *known) prepare(type);
  // Once the record is there, stores validate it for any number of commits at the same time.
  if (now.empty()) put_generation(transaction, type);
  return now == *known && !now.empty();
}

void IndexStates::note_update(const EntityType& type) {
  if (are_read_by_updates()) return;  // the transaction looks
  const auto place = reinterpret_cast<std::uintptr_t>(&type) / alignof(std::max_align_t);
  platform::Atomic<const EntityType*>& recent = recently_updated_[place % recently_updated_.size()];
  if (recent.load(std::memory_order_acquire) == &type) return;
  const auto is_noted = [&] {
    const std::lock_guard lock(mutex_);
    return updated_.contains(&type);
  };
  if (!is_noted()) {
    give_up_others(type);
    const std::lock_guard lock(mutex_);
    updated_.insert(&type);
  }
  recent.store(&type, std::memory_order_release);
}

void IndexStates::note_move(Transaction& transaction, const EntityType& type) {
  if (type.former_names.empty()) return;
  if (are_read_by_updates()) {
    note_write(transaction, type);
  } else {
    note_update(type);
  }
}

std::optional<std::string> IndexStates::prepared(const EntityType& type) {
  const std::lock_guard lock(mutex_);
  const auto found = prepared_.find(&type);
  return found == prepared_.end() ? std::nullopt : std::optional(found->second);
}

/// Returns the generation in which nothing is left to do.
std::string IndexStates::prepare(const EntityType& type) {
  for (;;) {
    std::string generation = give_up_others(type);
    if (!type.indexes.empty()) {
      const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
      if (read_generation(*snapshot, type) != generation) continue;
      if (has_incomplete(*snapshot, type) && !has_entities(*snapshot, type)) {
        IndexBuild(context_, type).complete_without_entities();
        continue;
      }
    }
    const std::lock_guard lock(mutex_);
    return prepared_[&type] = std::move(generation);
  }
}

/// Removes the states of indexes that the class does not have: they are going to miss what it writes. Returns
/// the generation in which there are none.
std::string IndexStates::give_up_others(const EntityType& type) {
  for (;;) {
    const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
    std::vector<std::string> states = other_indexes(*snapshot, type);
    std::string state;
    std::erase_if(states, [&](const std::string& key) { return !snapshot->get(key, state); });
    if (states.empty()) return read_generation(*snapshot, type);
    commit_work(context_, type, [&](Transaction& transaction) {
      for (const std::string& key : states) transaction.erase(key);
      put_generation(transaction, type);
    });
    if (context_.options.log) {
      context_.options.log(
          "indexes of " + std::string(type.kind) +
          " are given up which another version of the class has: this program does not maintain " +
          "them; call Mapper::build_indexes in a program that does, once this one has ended");
    }
  }
}

}  // namespace autoshard::detail
