#include "main_record.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "check.h"
#include "checked_values.h"
#include "keys.h"
#include "random.h"
#include "record_checks.h"

namespace autoshard::detail {
namespace {

// No property has these names, because they are no identifiers.
constexpr std::string_view kVersion = "@version";
constexpr std::string_view kSharding = "@sharding";
constexpr std::string_view kExpires = "@expires";

constexpr std::size_t kHeadEntries = 2;         // the first two of these names, at the front of a main record
constexpr std::size_t kLongestHeadEntries = 3;  // all of these names, as far as they are present

constexpr std::uint32_t kMostStored = 0xFFFF;  // shards; a number has two bytes, and the last marks deltas

/// Calls `entry(in, name)` for each entry of a main record except the version, which is returned. `entry`
/// reads the value. The entry `kSharding`, if present, is the first.
template <class Entry>
std::uint64_t read_entries(EntityKeyView key, std::string_view record, Entry entry) {
  Decoder in(key.bytes(), record);
  std::uint64_t version = 0;
  for (std::size_t entries = in.map(); entries > 0; --entries) {
    const std::string_view name = in.text();
    in.begin_property(name);
    if (name == kVersion) {
      version = in.natural();
    } else {
      entry(in, name);
    }
  }
  in.begin_property({});
  if (version == 0) in.fail("no version");
  return version;
}

Layout read_layout(Decoder& in) {
  if (in.array() != 2) in.fail("a layout that is not a number of shards and an epoch");
  Layout layout;
  layout.shards = static_cast<std::uint32_t>(std::min<std::uint64_t>(in.natural(), kMostStored));
  layout.epoch = in.natural();
  return layout;
}

void read_layouts(const EntityType& type, Decoder& in, std::vector<Layout>& layouts) {
  for (std::size_t entries = in.map(); entries > 0; --entries) {
    const std::optional<std::size_t> place = find_sharded(type, in.text());
    if (!place) {
      in.skip();
      continue;
    }
    const Layout stored = read_layout(in);
    // A program of an older class appends the names that it knows after the others.
    if (stored.epoch >= layouts[*place].epoch) layouts[*place] = stored;
  }
}

void set_declared(const EntityType& type, MainHead& head) {
  head.layouts.clear();
  for (const ShardedPropertyType& property : type.sharded) head.layouts.push_back(declared_layout(property));
}

/// Reads the version, which is the first entry.
std::uint64_t begin_head(Decoder& in, std::size_t entries) {
  if (entries == 0 || in.text() != kVersion) in.fail("no version at its beginning");
  const std::uint64_t version = in.natural();
  if (version == 0) in.fail("no version");
  return version;
}

std::string main_of_entries(std::uint64_t version, std::size_t number, std::string_view entries) {
  std::string record;
  Encoder out(record);
  out.map(1 + number);
  out.text(kVersion);
  out.natural(version);
  out.encoded(entries);
  return record;
}

}  // namespace

std::uint64_t first_version() {
  return (1 + random_below(0xFFFFFFFF)) << 32;  // never 0, which marks a new entity
}

std::uint64_t next_version(std::uint64_t version) {
  const std::uint64_t step = 1 + random_below(0xFFFFFFFF);  // not 0, so the lower half changes
  return (version >> 32) << 32 | static_cast<std::uint32_t>(version + step);
}

bool same_entity(std::uint64_t version, std::uint64_t other) { return version >> 32 == other >> 32; }

std::string tombstone() {
  std::string record;
  Encoder(record).nil();
  return record;
}

bool is_tombstone(std::string_view main_record) { return main_record == std::string_view("\xC0", 1); }

std::optional<std::int64_t> read_expiry(EntityKeyView key, std::string_view main_record) {
  Decoder in(key.bytes(), main_record, 2 * kLongestHeadEntries);
  std::size_t entries = std::min(in.map(), kLongestHeadEntries);
  begin_head(in, entries);
  while (--entries > 0) {
    const std::string_view name = in.text();
    if (name == kExpires) return in.integer();
    if (name != kSharding) break;
    in.skip();
  }
  return std::nullopt;
}

void read_head(const EntityType& type, EntityKeyView key, std::string_view record, MainHead& head) {
  set_declared(type, head);
  Decoder in(key.bytes(), record, 2 * kHeadEntries);
  const std::size_t entries = in.map();
  head.version = begin_head(in, entries);
  if (entries > 1 && in.text() == kSharding) read_layouts(type, in, head.layouts);
}

std::string with_layout(const EntityType& type, EntityKeyView key, std::string_view record,
                        const ShardedPropertyType& property, const Layout& layout) {
  std::string layouts, entries;
  Encoder layouts_out(layouts), entries_out(entries);
  std::size_t layouts_kept = 0, layouts_changed = 0, entries_kept = 0;
  const std::uint64_t version = read_entries(key, record, [&](Decoder& in, std::string_view name) {
    if (name != kSharding) {
      ++entries_kept;
      entries_out.text(name);
      return in.copy(entries_out);
    }
    for (std::size_t left = in.map(); left > 0; --left) {
      const std::string_view of = in.text();
      if (name_today(type, of) == property.name) {
        in.skip();
        continue;
      }
      ++layouts_kept;
      layouts_out.text(of);
      in.copy(layouts_out);
    }
  });
  const auto put_layout = [&](std::string_view name) {
    ++layouts_changed;
    layouts_out.text(name);
    layouts_out.array(2);
    layouts_out.natural(layout.shards);
    layouts_out.natural(layout.epoch);
  };
  for (const FormerName& former : type.former_names) {
    if (former.name == property.name) put_layout(former.former);
  }
  put_layout(property.name);
  std::string changed;
  Encoder out(changed);
  out.map(2 + entries_kept);
  out.text(kVersion);
  out.natural(version);
  out.text(kSharding);
  out.map(layouts_kept + layouts_changed);
  out.encoded(layouts);
  out.encoded(entries);
  AUTOSHARD_CHECK(has_version(changed, version), {"record", changed});
  AUTOSHARD_CHECK(has_layout(changed, property, layout), {"record", changed}, {"shards", layout.shards},
                  {"epoch", layout.epoch});
  AUTOSHARD_CHECK(keeps_others(type, record, changed, property.name), {"before", record}, {"after", changed});
  return changed;
}

std::set<std::string> differing_properties(const EntityType* type, EntityKeyView key, std::string_view record,
                                           std::string_view other) {
  std::map<std::string, std::array<std::string, 2>> values;
  for (const std::size_t side : {0U, 1U}) {
    read_entries(key, side == 0 ? record : other, [&](Decoder& in, std::string_view name) {
      Encoder out(values[std::string(type ? name_today(*type, name) : name)][side]);
      in.copy(out);
    });
  }
  values.erase(std::string(kSharding));
  values.erase(std::string(kExpires));
  std::set<std::string> names;
  for (const auto& [name, sides] : values) {
    if (sides[0] != sides[1]) names.insert(name);
  }
  return names;
}

namespace {

/// Returns whether the value that follows a name in a checked record is an array or a map.
bool is_container(std::string_view name) {
  const auto head = static_cast<unsigned char>(*(name.data() + name.size()));
  return (head & 0xE0U) == 0x80 || (head >= 0xDC && head <= 0xDF);
}

}  // namespace

StoredMain read_main(const EntityType& type, EntityKeyView key, std::string_view record) {
  StoredMain stored;
  Encoder layouts(stored.layouts);
  Encoder unknown(stored.unknown_entries);
  std::size_t known = 0;
  stored.is_exact = true;
  stored.version = read_entries(key, record, [&](Decoder& in, std::string_view name) {
    if (name == kSharding) return in.copy(layouts);
    if (name == kExpires) {
      stored.expiry = in.integer();
      return;
    }
    const std::string_view today = name_today(type, name);
    if (const std::size_t place = type.place(today); place < type.properties) {
      if (place != known++ || today != name || stored.unknown > 0 || is_container(name))
        stored.is_exact = false;
      return in.skip();
    }
    ++stored.unknown;
    unknown.text(name);
    in.copy(unknown);
  });
  if (known != type.properties) stored.is_exact = false;
  return stored;
}

void refuse_void_values(const EntityType& type, EntityKeyView key, const StoredMain& stored,
                        std::string_view replaced, std::string_view record) {
  if (stored.layouts.empty()) return;
  std::set<std::string> void_properties;
  Decoder in(key.bytes(), stored.layouts);
  for (std::size_t entries = in.map(); entries > 0; --entries) {
    const std::string_view name = name_today(type, in.text());
    if (!type.has_property(name)) {
      in.skip();
    } else if (read_layout(in).epoch != 0) {
      void_properties.emplace(name);
    }
  }
  if (void_properties.empty()) return;
  for (const std::string& name : differing_properties(&type, key, replaced, record)) {
    if (!void_properties.contains(name)) continue;
    throw SchemaMismatch(describe(key) + " is not saved, because a newer version of the class shards " +
                         name +
                         ", and a program with that version has replaced the value: update this program");
  }
}

std::uint64_t read_version(EntityKeyView key, std::string_view record) {
  Decoder in(key.bytes(), record, 2);
  const std::size_t entries = in.map();
  return begin_head(in, entries);
}

namespace {

/// For a check: whether a main record has this expiry, and has the unknown entries of the record that it
/// replaces. True for bytes that the strict parser rejects: see record_checks.h.
bool keeps_stored(const EntityType& type, std::string_view record, const std::optional<std::int64_t>& expiry,
                  const StoredMain& stored) {
  if (!read_checked_main({}, record)) return true;
  const StoredMain read = read_main(type, {}, record);
  return read.expiry == expiry && read.layouts == stored.layouts && read.unknown == stored.unknown &&
         read.unknown_entries == stored.unknown_entries;
}

/// `put_properties` writes the names and values of all properties.
template <class PutProperties>
std::string encode_main(const EntityType& type, const std::optional<std::int64_t>& expiry,
                        std::uint64_t version, const StoredMain& stored, PutProperties put_properties) {
  std::string record;
  record.reserve(256 + stored.unknown_entries.size());  // enough for most records
  Encoder out(record);
  out.map(1 + (stored.layouts.empty() ? 0 : 1) + (expiry ? 1 : 0) + type.properties + stored.unknown);
  out.text(kVersion);
  out.natural(version);
  if (!stored.layouts.empty()) {
    out.text(kSharding);
    out.encoded(stored.layouts);
  }
  if (expiry) {
    out.text(kExpires);
    out.integer(*expiry);
  }
  put_properties(out);
  if (stored.unknown > 0) out.encoded(stored.unknown_entries);
  AUTOSHARD_CHECK(has_version(record, version), {"record", record}, {"version", version});
  AUTOSHARD_CHECK(keeps_stored(type, record, expiry, stored), {"record", record});
  return record;
}

}  // namespace

std::string encode_main(const EntityType& type, const void* entity, std::uint64_t version,
                        const StoredMain& stored) {
  // A class that does not know of expiry keeps the time that another version has set.
  return encode_main(type, type.expires_at ? type.expires_at(entity) : stored.expiry, version, stored,
                     [&](Encoder& out) { type.encode_properties(out, entity); });
}

std::string encode_main(const EntityType& type, const BeforeHooks& before, std::uint64_t version,
                        const StoredMain& stored) {
  return encode_main(type, type.expires_at ? before.expiry : stored.expiry, version, stored,
                     [&](Encoder& out) { out.encoded(before.properties); });
}

std::optional<std::string> as_saved(const EntityType& type, EntityKeyView entity_key, std::string_view record,
                                    const StoredMain& stored) {
  std::vector<std::string_view> sharded;
  for (const ShardedPropertyType& property : type.sharded) sharded.push_back(property.name);
  const std::shared_ptr<void> entity = type.make(entity_key);
  decode_main(type, entity_key, record, entity.get(), {.except = &sharded});
  if (type.expires_at && type.expires_at(entity.get()) != stored.expiry) return std::nullopt;
  return encode_main(type, entity.get(), stored.version, stored);
}

bool FieldMask::has(std::string_view name) const {
  const auto holds = [&](const std::vector<std::string_view>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  return (!only || holds(*only)) && !(except && holds(*except));
}

MainHead decode_main(const EntityType& type, EntityKeyView key, std::string_view record, void* entity,
                     const FieldMask& wanted) {
  if (!type.former_names.empty()) {
    // Former names first, so that an entry under the present name takes precedence wherever it stands.
    read_entries(key, record, [&](Decoder& in, std::string_view name) {
      const std::string_view today = name_today(type, name);
      if (today == name || !wanted.has(today) || !type.decode_property(in, today, entity)) in.skip();
    });
  }
  MainHead head;
  set_declared(type, head);
  head.version = read_entries(key, record, [&](Decoder& in, std::string_view name) {
    if (name == kSharding) return read_layouts(type, in, head.layouts);
    if (!wanted.has(name_today(type, name))) return in.skip();
    if (type.decode_property(in, name, entity)) return;
    const std::optional<std::size_t> place = find_sharded(type, name);
    if (!place || head.layouts[*place].epoch != 0) return in.skip();
    const ShardedPropertyType& property = type.sharded[*place];
    if (property.folds_in_order()) head.has_unsharded_group = true;
    if (property.folds_in_order() || property.is_timed()) return in.skip();
    property.fold(property.in_entity(entity), in);
  });
  return head;
}

std::string with_members(const EntityType& type, EntityKeyView key, std::string_view record,
                         const std::vector<std::string_view>& names, const void* entity) {
  std::set<std::string_view> missing(names.begin(), names.end());
  std::string entries;
  Encoder entries_out(entries);
  std::size_t number = 0;
  const std::uint64_t version = read_entries(key, record, [&](Decoder& in, std::string_view name) {
    missing.erase(name_today(type, name));
    ++number;
    entries_out.text(name);
    in.copy(entries_out);
  });
  std::string properties;
  Encoder properties_out(properties);
  properties_out.map(type.properties);
  type.encode_properties(properties_out, entity);
  Decoder in(key.bytes(), properties);
  for (std::size_t left = in.map(); left > 0; --left) {
    const std::string_view name = in.text();
    if (!missing.contains(name)) {
      in.skip();
      continue;
    }
    ++number;
    entries_out.text(name);
    in.copy(entries_out);
  }
  std::string complete = main_of_entries(version, number, entries);
  AUTOSHARD_CHECK(has_version(complete, version), {"record", complete});
  AUTOSHARD_CHECK(keeps_all(record, complete), {"before", record}, {"after", complete});
  return complete;
}

bool fold_unsharded(const EntityType& type, const ShardedPropertyType& property, void* value,
                    EntityKeyView key, std::string_view record) {
  bool found = false;
  read_entries(key, record, [&](Decoder& in, std::string_view name) {
    if (name_today(type, name) != property.name) return in.skip();
    property.fold(value, in);
    found = true;
  });
  return found;
}

bool has_unsharded_group(const EntityType& type, EntityKeyView key, std::string_view record) {
  bool found = false;
  read_entries(key, record, [&](Decoder& in, std::string_view name) {
    const std::optional<std::size_t> place = find_sharded(type, name);
    found = found || (place && type.sharded[*place].folds_in_order());
    in.skip();
  });
  return found;
}

std::string without_unsharded(const EntityType& type, const ShardedPropertyType& property, EntityKeyView key,
                              std::string_view record) {
  std::string entries;
  Encoder entries_out(entries);
  std::size_t kept = 0;
  const std::uint64_t version = read_entries(key, record, [&](Decoder& in, std::string_view name) {
    if (name_today(type, name) == property.name) return in.skip();
    ++kept;
    entries_out.text(name);
    in.copy(entries_out);
  });
  std::string changed = main_of_entries(next_version(version), kept, entries);
  AUTOSHARD_CHECK(keeps_others(type, record, changed, property.name), {"before", record}, {"after", changed});
  return changed;
}

}  // namespace autoshard::detail
