#include "keys.h"

#include <autoshard/detail/id.h>

namespace autoshard::detail {
namespace {

constexpr char kTextTag = 0x02;
constexpr char kCompositeTag = 0x03;
constexpr char kEndOfComposite = 0x01;
constexpr unsigned char kZeroTag =
    0x14;  // plus the number of bytes of a positive integer, minus that of a negative
constexpr char kMainTag = 0x01;
constexpr char kShardTag = 0x02;
constexpr char kEndTag = '\xFF';

constexpr char kEscape = 0x00;
constexpr char kEscapedZero = '\xFF';
constexpr char kEndOfText = 0x01;

void append_escaped(std::string& key, std::string_view text) {
  for (const char byte : text) {
    key.push_back(byte);
    if (byte == kEscape) key.push_back(kEscapedZero);
  }
  key.push_back(kEscape);
  key.push_back(kEndOfText);
}

/// Takes an escaped text off the front of `key`; empty, with `key` untouched, if there is none.
std::optional<std::string> take_escaped(std::string_view& key) {
  std::string text;
  for (std::size_t i = 0; i + 1 < key.size(); ++i) {
    if (key[i] != kEscape) {
      text.push_back(key[i]);
    } else if (key[++i] == kEndOfText) {
      key.remove_prefix(i + 1);
      return text;
    } else if (key[i] == kEscapedZero) {
      text.push_back(kEscape);
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::string printable(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::size_t kLongest = 80;
  std::string out;
  for (const char byte : bytes.substr(0, kLongest)) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0x20 && code < 0x7F && byte != '\\') {
      out.push_back(byte);
    } else {
      out.append({'\\', 'x', kDigits[code >> 4], kDigits[code & 15]});
    }
  }
  if (bytes.size() > kLongest) out.append("...");
  return out;
}

/// Takes an id, or a part of one, off the front of `key`, in words.
std::optional<std::string> take_part(std::string_view& key) {
  if (key.empty()) return std::nullopt;
  const auto tag = static_cast<unsigned char>(key.front());
  if (key.front() == kTextTag) {
    key.remove_prefix(1);
    const std::optional<std::string> text = take_escaped(key);
    if (!text) return std::nullopt;
    return '"' + printable(*text) + '"';
  }
  const bool negative = tag < kZeroTag;
  const std::size_t length = negative ? std::size_t{kZeroTag} - tag : std::size_t{tag} - kZeroTag;
  if (length > sizeof(std::uint64_t) || key.size() < 1 + length) return std::nullopt;
  std::uint64_t magnitude = 0;
  for (const char byte : key.substr(1, length)) {
    const auto bits = static_cast<unsigned char>(negative ? ~byte : byte);
    magnitude = magnitude << 8 | bits;
  }
  key.remove_prefix(1 + length);
  return (negative ? "-" : "") + std::to_string(magnitude);
}

/// Takes an id off the front of `key`, in words.
std::optional<std::string> take_id(std::string_view& key) {
  if (!key.starts_with(kCompositeTag)) return take_part(key);
  key.remove_prefix(1);
  std::string words;
  while (!key.starts_with(kEndOfComposite)) {
    const std::optional<std::string> part = take_part(key);
    if (!part) return std::nullopt;
    words += (words.empty() ? "" : ", ") + *part;
  }
  key.remove_prefix(1);
  return '(' + words + ')';
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

void begin_composite(std::string& key) { key.push_back(kCompositeTag); }

void end_composite(std::string& key) { key.push_back(kEndOfComposite); }

void set_main_key(std::string& key, std::string_view entity_key) {
  key.assign(entity_key);
  key.push_back(kMainTag);
}

void set_shard_key(std::string& key, std::string_view entity_key, std::string_view property,
                   std::uint16_t shard) {
  key.clear();
  key.reserve(entity_key.size() + property.size() + 8);
  key.append(entity_key);
  key.push_back(kShardTag);
  append_escaped(key, property);
  key.push_back(static_cast<char>(shard >> 8));
  key.push_back(static_cast<char>(shard & 0xFF));
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

std::string end_key(std::string_view entity_key) {
  std::string key(entity_key);
  key.push_back(kEndTag);
  return key;
}

std::optional<std::string> property_of_shard(std::string_view entity_key, std::string_view record_key) {
  record_key.remove_prefix(entity_key.size());
  if (record_key.empty() || record_key.front() != kShardTag) return std::nullopt;
  record_key.remove_prefix(1);
  return take_escaped(record_key);
}

std::string describe(std::string_view key) {
  const std::string_view whole = key;
  if (key.empty() || key.front() != kTextTag) return "record " + printable(whole);
  key.remove_prefix(1);
  const std::optional<std::string> kind = take_escaped(key);
  const std::optional<std::string> id = kind ? take_id(key) : std::nullopt;
  if (!id) return "record " + printable(whole);
  std::string words = printable(*kind) + ' ' + *id;
  if (key.empty() || key.front() != kShardTag) return words;
  key.remove_prefix(1);
  const std::optional<std::string> property = take_escaped(key);
  if (!property || key.size() != 2) return words;
  const unsigned shard =
      static_cast<unsigned>(static_cast<unsigned char>(key[0])) << 8 | static_cast<unsigned char>(key[1]);
  return words + ", shard " + std::to_string(shard) + " of " + printable(*property);
}

}  // namespace autoshard::detail
