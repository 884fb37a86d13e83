#include <autoshard/detail/id.h>
#include <autoshard/errors.h>

#include <algorithm>

#include "hex.h"
#include "key_bytes.h"
#include "keys.h"

/// The functions of keys.h and `detail/id.h` that read keys.
namespace autoshard::detail {
namespace {

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
  const std::size_t end = key.find(kEscape);
  if (end == std::string_view::npos || key.size() < end + 4 || key[end + 1] != kEndOfText)
    return std::nullopt;
  const std::string_view property = key.substr(1, end - 1);
  key.remove_prefix(end + 2);
  const auto number = static_cast<std::uint16_t>(static_cast<unsigned char>(key[0]) << 8 |
                                                 static_cast<unsigned char>(key[1]));
  const std::string_view element = key.substr(2);
  if (number == kDeltas && element.empty()) return std::nullopt;
  if (number == kDeltas) return ShardKey{property, std::nullopt, element};
  return ShardKey{property, number, element};
}

}  // namespace

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

std::string_view id_in(EntityKeyView entity) { return entity.bytes().substr(size_of_kind(entity.bytes())); }

void throw_no_id_of_this_type(std::string_view id) {
  throw CorruptRecord("the key of a record holds no id of its class: " + shown(id) +
                      "; another program wrote the record, or the type of the id has changed");
}

std::string describe_part(std::string_view part) { return take_part(part); }

bool is_main_key(std::string_view record_key, EntityKeyView entity) {
  return entity.has_record(record_key) &&
         record_key.substr(entity.bytes().size()) == std::string_view(&kMainTag, 1);
}

bool is_token_key(std::string_view record_key) { return record_key.starts_with(kTokenKeys); }

std::optional<ExpiryKey> read_expiry_key(std::string_view kind, std::string_view record_key) {
  std::string entity = kind_key(kind);
  record_key.remove_prefix(std::min(kEntityKeys.size() + entity.size(), record_key.size()));
  std::uint64_t time = 0;
  if (record_key.size() < sizeof(time)) return std::nullopt;
  for (const char byte : record_key.substr(0, sizeof(time)))
    time = time << 8 | static_cast<unsigned char>(byte);
  entity += record_key.substr(sizeof(time));
  if (entity_of(entity).bytes() != entity) return std::nullopt;
  return ExpiryKey{static_cast<std::int64_t>(time), EntityKey(std::move(entity))};
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

std::pair<std::uint64_t, std::uint64_t> read_new_id(std::string_view element) {
  std::pair<std::uint64_t, std::uint64_t> id;
  for (std::size_t i = 0; i < element.size(); ++i) {
    std::uint64_t& half = i < 8 ? id.first : id.second;
    half = half << 8 | static_cast<unsigned char>(element[i]);
  }
  return id;
}

std::optional<std::int64_t> read_bucket(const ShardKey& key) {
  if (!key.is_of_bucket()) return std::nullopt;
  return static_cast<std::int64_t>(read_new_id(key.element).first);
}

std::optional<ShardKey> read_shard_key(EntityKeyView entity, std::string_view record_key) {
  record_key.remove_prefix(entity.bytes().size());
  return take_shard(record_key);
}

EntityKeyView entity_of(std::string_view record_key) {
  const std::size_t kind = size_of_kind(record_key);
  const std::size_t id = kind == 0 ? 0 : size_of_id(record_key.substr(kind));
  return EntityKeyView(id == 0 ? std::string_view() : record_key.substr(0, kind + id));
}

std::string describe(std::string_view record_key) {
  if (entity_of(record_key).empty()) return "record " + shown(record_key);
  std::string_view rest = record_key.substr(1);
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
