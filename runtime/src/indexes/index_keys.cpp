#include "index_keys.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "crc32.h"
#include "join.h"
#include "keys.h"
#include "mutex.h"
#include "shard_record.h"
#include "shard_value.h"

namespace autoshard::detail {
namespace {

/// The record of a shard on which there was no update: the value of entities without any.
std::string neutral_of(const EntityType& type, std::string_view name) {
  const ShardedPropertyType& property = *std::ranges::find(type.sharded, name, &ShardedPropertyType::name);
  ShardValue shard;
  std::string record;
  encode_shard(record, property, property.in_shard(shard.make_neutral(type.shard)), 0);
  return record;
}

/// Changes with whatever makes the entries of an index others, but for how a sharded property is folded.
std::uint32_t definition(const EntityType& type, const IndexType& index) {
  std::string text;
  for (const std::string_view member : index.members) append_text(text, member);
  append_integer(text, false, index.key_members);
  append_integer(text, false, index.shards);
  append_integer(text, false, index.is_unique ? 1 : 0);
  if (index.is_rollup()) {
    append_text(text, "rollup");
    append_text(text, neutral_of(type, index.members.front()));
    for (const FormerName& former : type.former_names) {  // shards under these count as well
      if (former.name == index.members.front()) append_text(text, former.former);
    }
  }
  return crc32(text);
}

}  // namespace

void check_size(const IndexType& index, std::string_view entity_key, std::string_view entry_key,
                std::size_t longest) {
  if (longest == 0 || entry_key.size() <= longest) return;
  throw KeyTooLong("the entry of " + describe(entity_key) + " in index " + std::string(index.name) +
                   " takes a key of " + std::to_string(entry_key.size()) + " bytes, and the store's have " +
                   std::to_string(longest) + " at most: choose a shorter " + join(index.members));
}

const std::string& index_key(const EntityType& type, const IndexType& index) {
  struct Known {
    SharedMutex mutex;
    std::unordered_map<const IndexType*, std::string> keys AUTOSHARD_GUARDED_BY(mutex);
  };
  static Known& known = *new Known;  // for mappers that outlive the static objects
  {
    const ReaderLock lock(known.mutex);
    if (const auto found = known.keys.find(&index); found != known.keys.end()) return found->second;
  }
  std::string key = index_key(type.kind, index.name, definition(type, index));
  const WriterLock lock(known.mutex);
  return known.keys.try_emplace(&index, std::move(key)).first->second;
}

std::vector<std::string> index_prefixes(const EntityType& type, const IndexType& index) {
  if (index.is_rollup()) return {index_key(type, index) + kRollupEntry};
  std::vector<std::string> prefixes(index.shards, index_key(type, index));
  for (std::size_t shard = 0; shard < prefixes.size() && index.shards > 1; ++shard)
    append_shard_number(prefixes[shard], static_cast<std::uint16_t>(shard));
  return prefixes;
}

std::size_t size_of_values(const IndexType& index, std::string_view suffix) {
  std::string_view rest = suffix;
  for (std::size_t place = 0; place < index.members.size(); ++place) skip_part(rest);
  return suffix.size() - rest.size();
}

std::string entity_of_entry(const EntityType& type, const IndexType& index, std::string_view entry_key,
                            std::string_view suffix, std::string_view value) {
  std::string key = kind_key(type.kind);
  if (index.is_unique) {
    key += Decoder(entry_key, value).text();
  } else {
    key += suffix.substr(size_of_values(index, suffix));
  }
  return key;
}

}  // namespace autoshard::detail
