#include "index_state_records.h"

#include <autoshard/codec.h>

#include <algorithm>
#include <memory>
#include <set>

#include "check.h"
#include "entity_scan.h"
#include "keys.h"
#include "random.h"

namespace autoshard::detail {
namespace {

template <class Reads>
std::string generation_in(Reads& reads, const EntityType& type) {
  std::string generation;
  if (!reads.get(indexes_key(type.kind), generation)) generation.clear();
  return generation;
}

bool says_complete(const Snapshot& snapshot, const EntityIndex& index) {
  std::string state;
  return snapshot.get(index.key(), state) && reads_complete(index.key(), state);
}

}  // namespace

std::string read_generation(const Snapshot& snapshot, const EntityType& type) {
  return generation_in(snapshot, type);
}
std::string read_generation(Transaction& transaction, const EntityType& type) {
  return generation_in(transaction, type);
}

bool has_entities(const Snapshot& snapshot, const EntityType& type) {
  const std::string kind = kind_key(type.kind);
  return EntityScan(snapshot, type, kBeforeAllTimes, kind, end_key(kind)).next();
}

bool has_incomplete(const Snapshot& snapshot, const EntityType& type) {
  return std::ranges::any_of(indexes_of(type).all,
                             [&](const auto& index) { return !says_complete(snapshot, *index); });
}

bool is_complete(const Snapshot& snapshot, const EntityIndex& index) {
  return says_complete(snapshot, index) || !has_entities(snapshot, index.type());
}

std::string encode_state(bool is_complete) {
  std::string state;
  Encoder(state).boolean(is_complete);
  AUTOSHARD_CHECK(reads_complete("a state", state) == is_complete, {"state", state});
  return state;
}

bool reads_complete(std::string_view key, std::string_view state) { return Decoder(key, state).boolean(); }

std::vector<std::string> other_indexes(const Snapshot& snapshot, const EntityType& type) {
  std::set<std::string_view> known;
  for (const auto& index : indexes_of(type).all) known.insert(index->key());
  const std::string kind = indexes_key(type.kind), end = end_key(kind);
  std::vector<std::string> others;
  std::unique_ptr<Cursor> cursor = snapshot.scan(kind + '\0', end);
  while (cursor->valid()) {
    const std::string index(index_of(cursor->key(), kind.size()));
    const std::string end_of_index = end_key(index);
    if (index.empty() || cursor->key() >= end_of_index) {  // of no index
      cursor->next();
      continue;
    }
    if (!known.contains(index)) others.push_back(index);
    cursor = snapshot.scan(end_of_index, end);
  }
  return others;
}

std::string put_generation(Transaction& transaction, const EntityType& type) {
  std::string generation;
  Encoder(generation).natural(random_bits());
  transaction.put(indexes_key(type.kind), generation);
  return generation;
}

}  // namespace autoshard::detail
