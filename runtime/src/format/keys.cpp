#include "keys.h"

#include <autoshard/detail/id.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <utility>

#include "check.h"
#include "checked_keys.h"
#include "hash.h"
#include "hex.h"
#include "of_thread.h"
#include "platform.h"
#include "random.h"

namespace autoshard::detail {
namespace {

constexpr char kTextTag = 0x02;
constexpr char kCompositeTag = 0x03;
constexpr char kEndOfComposite = 0x01;
// The tag is this plus the number of bytes of a positive integer, or minus that of a negative one.
constexpr unsigned char kZeroTag = 0x14;
constexpr char kMainTag = 0x01;
constexpr char kShardTag = 0x02;
constexpr char kEndTag = '\xFF';

// These prefixes are adjacent. No lease is named "expiring" or "clock".
constexpr std::string_view kExpiringKeys("\0\1expiring\0\1", 12);
constexpr std::string_view kTokenKeys("\0\1expiring\0\1\2", 13);
constexpr std::string_view kWriterKeys("\0\1expiring\0\1\1", 13);
constexpr std::string_view kEntityKeys("\0\1expiring\0\1\3", 13);

constexpr std::string_view kIndexKeys("\0\2", 2);

constexpr char kEscape = 0x00;
constexpr char kEscapedZero = '\xFF';
constexpr char kEndOfText = 0x01;
constexpr std::string_view kEndOfEscaped("\0\1", 2);  // these two bytes

void append_escaped(std::string& key, std::string_view text) {
  for (const char byte : text) {
    key.push_back(byte);
    if (byte == kEscape) key.push_back(kEscapedZero);
  }
  key.push_back(kEscape);
  key.push_back(kEndOfText);
}

/// Returns the size of an escaped text at the front of `key`; 0 if there is none. The functions below also
/// return 0 then.
std::size_t size_of_escaped(std::string_view key) {
  for (std::size_t at = key.find(kEscape); at < key.size() - 1; at = key.find(kEscape, at + 2)) {
    if (key[at + 1] == kEndOfText) return at + 2;
    if (key[at + 1] != kEscapedZero) return 0;
  }
  return 0;
}

std::size_t size_of_number(std::string_view key) {
  if (key.empty()) return 0;
  const auto tag = static_cast<unsigned char>(key.front());
  const std::size_t length = tag < kZeroTag ? std::size_t{kZeroTag} - tag : std::size_t{tag} - kZeroTag;
  return length > sizeof(std::uint64_t) || key.size() < 1 + length ? 0 : 1 + length;
}

/// The size of an id or of a part of one.
std::size_t size_of_part(std::string_view key) {
  if (!key.starts_with(kTextTag)) return size_of_number(key);
  const std::size_t size = size_of_escaped(key.substr(1));
  return size == 0 ? 0 : 1 + size;
}

std::size_t size_of_id(std::string_view key) {
  if (!key.starts_with(kCompositeTag)) return size_of_part(key);
  std::string_view rest = key.substr(1);
  while (!rest.starts_with(kEndOfComposite)) {
    const std::size_t size = size_of_part(rest);
    if (size == 0) return 0;
    rest.remove_prefix(size);
  }
  return key.size() - rest.size() + 1;
}

/// The size of the kind at the front of an entity's key.
std::size_t size_of_kind(std::string_view key) { return key.starts_with(kTextTag) ? size_of_part(key) : 0; }

/// Removes an escaped text from the front of `key`. Empty, with `key` unchanged, if there is none.
std::optional<std::string> take_escaped(std::string_view& key) {
  const std::size_t size = size_of_escaped(key);
  if (size == 0) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < size - 2; ++i) {
    text.push_back(key[i]);
    if (key[i] == kEscape) ++i;  // skips the byte that marks an escaped zero
  }
  key.remove_prefix(size);
  return text;
}

std::string shown(std::string_view bytes) {
  constexpr std::size_t kLongest = 80;
  return printable(bytes, kLongest);
}

/// Removes an integer from the front of `key`. Empty, with `key` unchanged, if there is none.
std::optional<Integer> take_number(std::string_view& key) {
  const std::size_t size = size_of_number(key);
  if (size == 0) return std::nullopt;
  const bool negative = static_cast<unsigned char>(key.front()) < kZeroTag;
  std::uint64_t magnitude = 0;
  for (const char byte : key.substr(1, size - 1)) {
    const auto bits = static_cast<unsigned char>(negative ? ~byte : byte);
    magnitude = magnitude << 8 | bits;
  }
  key.remove_prefix(size);
  return Integer{negative, magnitude};
}

/// Removes a part of an id from the front of `key`, which begins with one. Returns it in words.
std::string take_part(std::string_view& key) {
  if (key.starts_with(kTextTag)) {
    key.remove_prefix(1);
    return '"' + shown(*take_escaped(key)) + '"';
  }
  const Integer integer = *take_number(key);
  const std::string digits = std::to_string(integer.magnitude);
  return integer.negative ? '-' + digits : digits;
}

/// Removes an id from the front of `key`, which begins with one. Returns it in words.
std::string take_id(std::string_view& key) {
  if (!key.starts_with(kCompositeTag)) return take_part(key);
  key.remove_prefix(1);
  std::string words;
  while (!key.starts_with(kEndOfComposite)) words += (words.empty() ? "" : ", ") + take_part(key);
  key.remove_prefix(1);
  return '(' + words + ')';
}

/// Parses the part of a shard's key after the key of its entity; empty if it is something else. Names of
/// properties are identifiers, so nothing in them is escaped.
std::optional<ShardKey> take_shard(std::string_view key) {
  if (!key.starts_with(kShardTag)) return std::nullopt;
  const std::size_t end = key.find(kEndOfEscaped);
  if (end == std::string_view::npos || key.size() < end + 4) return std::nullopt;
  const std::string_view property = key.substr(1, end - 1);
  key.remove_prefix(end + 2);
  const auto number = static_cast<std::uint16_t>(static_cast<unsigned char>(key[0]) << 8 |
                                                 static_cast<unsigned char>(key[1]));
  const std::string_view element = key.substr(2);
  if (number == kDeltas && element.empty()) return std::nullopt;
  if (number == kDeltas) return ShardKey{property, std::nullopt, element};
  return ShardKey{property, number, element};
}

/// Returns the time in nanoseconds, greater than the result of every earlier call in this process.
std::uint64_t next_time() {
  static std::atomic<std::uint64_t> newest{0};
  const auto now = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(platform::SystemClock::now().time_since_epoch())
          .count());
  std::uint64_t before = newest.load(std::memory_order_relaxed);
  std::uint64_t time = now;
  do {
    time = std::max(now, before + 1);
    // unreachable: no test can have another thread ask between these two instructions
  } while (!newest.compare_exchange_weak(before, time, std::memory_order_relaxed));
  return time;
}

/// Foreign records lead to keys that are no entity keys. Such keys are looked for and never written.
bool is_entity_key(std::string_view entity) {
  return parse_checked_key(checked_main_key(entity)).kind == CheckedKey::kMain;
}

/// For checks: whether the written key belongs to a record of this kind and entity.
bool is_key_of(std::string_view key, CheckedKey::Kind kind, std::string_view entity) {
  if (!is_entity_key(entity)) return true;
  const CheckedKey read = parse_checked_key(key);
  return read.kind == kind && read.entity == entity;
}

bool is_shard_key_of(std::string_view key, std::string_view entity, std::string_view property,
                     std::uint16_t number) {
  if (!is_entity_key(entity)) return true;
  // The ids of deltas and elements are appended later.
  const CheckedKey read = parse_checked_key(number == kDeltas ? std::string(key).append(16, '.') : key);
  return read.kind == (number == kDeltas ? CheckedKey::kDelta : CheckedKey::kShard) &&
         read.entity == entity && read.property == property && read.number == number;
}

void append_new_id(std::string& key) {
  append_big_endian(key, next_time());
  append_big_endian(key, random_bits());
}

}  // namespace

void append_text(std::string& key, std::string_view text) {
  key.push_back(kTextTag);
  append_escaped(key, text);
}

void append_integer(std::string& key, bool negative, std::uint64_t magnitude) {
  unsigned length = 0;
  while (length < sizeof(magnitude) && magnitude >> (8 * length) != 0) ++length;
  key.push_back(static_cast<char>(negative ? kZeroTag - length : kZeroTag + length));
  for (unsigned i = length; i-- > 0;) {
    const std::uint64_t byte = magnitude >> (8 * i);
    key.push_back(static_cast<char>(negative ? ~byte : byte));
  }
}

std::string take_text(std::string_view& key) {
  const std::string_view before = key;
  if (key.starts_with(kTextTag)) {
    key.remove_prefix(1);
    if (std::optional<std::string> text = take_escaped(key)) return *std::move(text);
  }
  throw_no_id_of_this_type(before);
}

Integer take_integer(std::string_view& key) {
  const std::optional<Integer> integer = take_number(key);
  if (!integer) throw_no_id_of_this_type(key);
  return *integer;
}

void take_begin_of_composite(std::string_view& key) {
  if (!key.starts_with(kCompositeTag)) throw_no_id_of_this_type(key);
  key.remove_prefix(1);
}

void take_end_of_composite(std::string_view& key) {
  if (!key.starts_with(kEndOfComposite)) throw_no_id_of_this_type(key);
  key.remove_prefix(1);
}

namespace {
struct KeyMemory {
  std::string key;
};
}  // namespace

std::string ReusedKey::take_memory() {
  std::string key;
  if (KeyMemory* memory = OfThread<KeyMemory>::get()) key = std::move(memory->key);
  key.clear();
  return key;
}

ReusedKey::~ReusedKey() {
  if (KeyMemory* memory = OfThread<KeyMemory>::get()) memory->key = std::move(key_);
}

std::string_view id_in(std::string_view entity_key) { return entity_key.substr(size_of_kind(entity_key)); }

void throw_no_id_of_this_type(std::string_view id) {
  throw CorruptRecord("the key of a record holds no id of its class: " + shown(id) +
                      "; another program wrote the record, or the type of the id has changed");
}

void begin_composite(std::string& key) { key.push_back(kCompositeTag); }

void end_composite(std::string& key) { key.push_back(kEndOfComposite); }

void set_main_key(std::string& key, std::string_view entity_key) {
  key.assign(entity_key);
  key.push_back(kMainTag);
  AUTOSHARD_CHECK(is_key_of(key, CheckedKey::kMain, entity_key), {"key", key}, {"entity", entity_key});
}

void set_shard_key(std::string& key, std::string_view entity_key, std::string_view property,
                   std::uint16_t shard) {
  key.clear();
  key.reserve(entity_key.size() + property.size() + 8);
  key.append(entity_key);
  key.push_back(kShardTag);
  append_escaped(key, property);
  append_shard_number(key, shard);
  AUTOSHARD_CHECK(is_shard_key_of(key, entity_key, property, shard), {"key", key}, {"entity", entity_key},
                  {"property", property}, {"shard", shard});
}

void append_shard_number(std::string& key, std::uint16_t shard) {
  key.push_back(static_cast<char>(shard >> 8));
  key.push_back(static_cast<char>(shard & 0xFF));
}

void append_big_endian(std::string& key, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(number >> shift));
}

void set_delta_key(std::string& key, std::string_view entity_key, std::string_view property) {
  set_shard_key(key, entity_key, property, kDeltas);
  append_new_id(key);
}

void set_new_element_key(std::string& key, std::string_view entity_key, std::string_view property,
                         std::uint16_t group) {
  set_shard_key(key, entity_key, property, group);
  append_new_id(key);
}

void set_adopted_element_key(std::string& key, std::string_view entity_key, std::string_view property,
                             std::uint64_t time) {
  set_shard_key(key, entity_key, property, 0);
  append_big_endian(key, time);
  append_big_endian(key, next_time());
}

void set_equal_element_key(std::string& key, std::string_view entity_key, std::string_view property,
                           std::string_view bytes) {
  set_shard_key(key, entity_key, property, static_cast<std::uint16_t>(stable_hash(bytes) % kDeltas));
  AUTOSHARD_CHECK(!bytes.empty(), {"key", key});
  key.append(bytes);
}

void set_bucket_key(std::string& key, std::string_view entity_key, std::string_view property,
                    std::uint16_t shard, std::int64_t begin) {
  AUTOSHARD_CHECK(begin >= 0, {"begin", begin});
  set_shard_key(key, entity_key, property, shard);
  append_big_endian(key, static_cast<std::uint64_t>(begin));
}

std::string main_key(std::string_view entity_key) {
  std::string key;
  set_main_key(key, entity_key);
  return key;
}

std::string shard_key(std::string_view entity_key, std::string_view property, std::uint16_t shard) {
  std::string key;
  set_shard_key(key, entity_key, property, shard);
  return key;
}

std::string lease_key(std::string_view name) {
  std::string key("\0\1", 2);
  append_escaped(key, name);
  return key;
}

std::string store_clock_key() { return lease_key("clock"); }

std::string writer_key(std::uint64_t id) {
  std::string key(kWriterKeys);
  append_big_endian(key, id);
  return key;
}

void set_token_key(std::string& key, std::string_view entity_key, std::string_view token) {
  key.assign(kTokenKeys);
  key.append(entity_key);
  append_escaped(key, token);
  AUTOSHARD_CHECK(is_key_of(key, CheckedKey::kToken, entity_key), {"key", key}, {"entity", entity_key});
}

bool is_token_key(std::string_view key) { return key.starts_with(kTokenKeys); }

std::string begin_of_expiries(std::string_view kind, std::int64_t time) {
  std::string key(kEntityKeys);
  append_text(key, kind);
  append_big_endian(key, static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0)));
  return key;
}

std::string expiry_key(std::string_view kind, std::int64_t time, std::string_view entity_key) {
  std::string key = begin_of_expiries(kind, time);
  key.append(id_in(entity_key));
  AUTOSHARD_CHECK(key == checked_expiry_key(entity_key, time), {"key", key}, {"entity", entity_key},
                  {"time", time});
  return key;
}

std::optional<ExpiryKey> read_expiry_key(std::string_view kind, std::string_view key) {
  std::string entity = kind_key(kind);
  key.remove_prefix(std::min(kEntityKeys.size() + entity.size(), key.size()));
  std::uint64_t time = 0;
  if (key.size() < sizeof(time)) return std::nullopt;
  for (const char byte : key.substr(0, sizeof(time))) time = time << 8 | static_cast<unsigned char>(byte);
  entity += key.substr(sizeof(time));
  if (entity_of(entity) != entity) return std::nullopt;
  return ExpiryKey{static_cast<std::int64_t>(time), std::move(entity)};
}

std::string begin_of_expiring() { return std::string(kExpiringKeys); }

std::string end_of_expiring() { return std::string(kEntityKeys); }

std::string indexes_key(std::string_view kind) {
  std::string key(kIndexKeys);
  append_escaped(key, kind);
  return key;
}

std::string index_key(std::string_view kind, std::string_view index, std::uint32_t definition) {
  std::string key = indexes_key(kind);
  append_escaped(key, index);
  for (int shift = 24; shift >= 0; shift -= 8) key.push_back(static_cast<char>(definition >> shift));
  return key;
}

std::string_view index_of(std::string_view record_key, std::size_t kind_size) {
  const std::size_t name = size_of_escaped(record_key.substr(kind_size));
  const std::size_t size = kind_size + name + sizeof(std::uint32_t);
  return name == 0 || record_key.size() < size ? std::string_view() : record_key.substr(0, size);
}

void skip_part(std::string_view& key) {
  const std::string_view before = key;
  std::size_t depth = 0;  // of composite ids
  do {
    std::size_t size = 1;
    if (key.starts_with(kCompositeTag)) {
      ++depth;
    } else if (depth > 0 && key.starts_with(kEndOfComposite)) {
      --depth;
    } else {
      size = size_of_part(key);
    }
    if (size == 0) throw_no_id_of_this_type(before);
    key.remove_prefix(size);
  } while (depth > 0);
}

std::string describe_part(std::string_view part) { return take_part(part); }

std::string kind_key(std::string_view kind) {
  std::string key;
  append_text(key, kind);
  return key;
}

std::string end_key(std::string_view entity_key) {
  std::string key(entity_key);
  key.push_back(kEndTag);
  return key;
}

std::string end_of_property(std::string_view entity_key, std::string_view property) {
  std::string key = shard_key(entity_key, property, kDeltas);
  key.append(17, '\xFF');
  return key;
}

std::pair<std::uint64_t, std::uint64_t> read_new_id(std::string_view element) {
  std::pair<std::uint64_t, std::uint64_t> id;
  for (std::size_t i = 0; i < element.size(); ++i) {
    std::uint64_t& half = i < 8 ? id.first : id.second;
    half = half << 8 | static_cast<unsigned char>(element[i]);
  }
  return id;
}

std::optional<std::int64_t> read_bucket(const ShardKey& key) {
  if (!key.is_of_element() || key.element.size() != sizeof(std::int64_t)) return std::nullopt;
  const auto begin = static_cast<std::int64_t>(read_new_id(key.element).first);
  return begin < 0 ? std::nullopt : std::optional(begin);
}

std::optional<ShardKey> read_shard_key(std::string_view entity_key, std::string_view record_key) {
  record_key.remove_prefix(entity_key.size());
  return take_shard(record_key);
}

std::string_view entity_of(std::string_view record_key) {
  const std::size_t kind = size_of_kind(record_key);
  const std::size_t id = kind == 0 ? 0 : size_of_id(record_key.substr(kind));
  return id == 0 ? std::string_view() : record_key.substr(0, kind + id);
}

std::string describe(std::string_view key) {
  const std::string_view entity = entity_of(key);
  if (entity.empty()) return "record " + shown(key);
  std::string_view rest = key.substr(1);
  std::string words = shown(*take_escaped(rest));
  words += ' ' + take_id(rest);
  const std::optional<ShardKey> shard = take_shard(rest);
  if (!shard) return words;
  if (!shard->shard) {
    words += ", a delta of ";
  } else if (!shard->element.empty()) {
    words += ", an element of ";
  } else {
    words += ", shard " + std::to_string(*shard->shard) + " of ";
  }
  return words + shown(shard->property);
}

}  // namespace autoshard::detail
