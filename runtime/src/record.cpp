#include "record.h"

#include <autoshard/codec.h>

#include "random.h"

namespace autoshard::detail {
namespace {

// No property can have this name: it is no identifier.
constexpr std::string_view kVersion = "@version";

/// The name of today of what was stored as `name`.
std::string_view name_today(const EntityType& type, std::string_view name) {
  for (const FormerName& entry : type.former_names) {
    if (entry.former == name) return entry.name;
  }
  return name;
}

/// Calls `entry(in, name)` for each entry of a main record but the version, which is returned. `entry` reads
/// the value.
template <class Entry>
std::uint64_t read_entries(std::string_view key, std::string_view record, Entry entry) {
  Decoder in(key, record);
  std::uint64_t version = 0;
  for (std::size_t entries = in.map(); entries > 0; --entries) {
    const std::string_view name = in.text();
    if (name == kVersion) {
      version = in.natural();
    } else {
      entry(in, name);
    }
  }
  if (version == 0) in.fail("no version");
  return version;
}

/// A decoder that has come to the value of a shard record.
Decoder shard_value(std::string_view key, std::string_view record) {
  Decoder in(key, record);
  if (in.array() == 0) in.fail("an empty shard");
  return in;
}

}  // namespace

std::uint64_t first_version() {
  return (1 + random_below(0xFFFFFFFF)) << 32;  // never 0, which stands for a new entity
}

std::uint64_t next_version(std::uint64_t version) {
  const auto saves = static_cast<std::uint32_t>(version);
  return (version >> 32) << 32 | static_cast<std::uint32_t>(saves + 1);
}

bool same_entity(std::uint64_t version, std::uint64_t other) { return version >> 32 == other >> 32; }

std::string tombstone() {
  std::string record;
  Encoder(record).nil();
  return record;
}

bool is_tombstone(std::string_view main_record) { return main_record == std::string_view("\xC0", 1); }

StoredMain read_main(const EntityType& type, std::string_view key, std::string_view record) {
  StoredMain stored;
  Encoder unknown(stored.unknown_entries);
  stored.version = read_entries(key, record, [&](Decoder& in, std::string_view name) {
    if (type.has_property(name_today(type, name))) return in.skip();
    ++stored.unknown;
    unknown.text(name);
    in.copy(unknown);
  });
  return stored;
}

std::uint64_t read_version(std::string_view key, std::string_view record) {
  return read_entries(key, record, [](Decoder& in, std::string_view) { in.skip(); });
}

std::string encode_main(const EntityType& type, const void* entity, std::uint64_t version,
                        const StoredMain& stored) {
  std::string record;
  record.reserve(256 + stored.unknown_entries.size());  // most need no more
  Encoder out(record);
  out.map(1 + type.properties + stored.unknown);
  out.text(kVersion);
  out.natural(version);
  type.encode_properties(out, entity);
  out.encoded(stored.unknown_entries);
  return record;
}

const ShardedPropertyType* find_sharded(const EntityType& type, std::string_view name) {
  const std::string_view today = name_today(type, name);
  for (const ShardedPropertyType& property : type.sharded) {
    if (property.name == today) return &property;
  }
  return nullptr;
}

std::uint64_t decode_main(const EntityType& type, std::string_view key, std::string_view record,
                          void* entity) {
  if (!type.former_names.empty()) {
    // First, so that an entry of today's name has the last word, wherever it stands.
    read_entries(key, record, [&](Decoder& in, std::string_view name) {
      const std::string_view today = name_today(type, name);
      if (today == name || !type.decode_property(in, today, entity)) in.skip();
    });
  }
  return read_entries(key, record, [&](Decoder& in, std::string_view name) {
    if (type.decode_property(in, name, entity)) return;
    if (const ShardedPropertyType* property = find_sharded(type, name)) {
      property->fold(property->in_entity(entity), in);
    } else {
      in.skip();
    }
  });
}

std::string encode_shard(const ShardedPropertyType& property, const void* value) {
  std::string record;
  Encoder out(record);
  out.array(1);
  property.encode(out, value);
  return record;
}

std::string encode_shard(const ShardedPropertyType& property, const void* value, std::string_view key,
                         std::string_view record) {
  Decoder in = shard_value(key, record);
  std::string folded;
  Encoder out(folded);
  out.array(1);
  property.encode_folded(out, value, in);
  return folded;
}

void fold_shard(const ShardedPropertyType& property, void* value, std::string_view key,
                std::string_view record) {
  Decoder in = shard_value(key, record);
  property.fold(value, in);
}

}  // namespace autoshard::detail
