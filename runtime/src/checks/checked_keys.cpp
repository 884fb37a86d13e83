#include "checked_keys.h"

#include <algorithm>
#include <cstddef>

namespace autoshard::detail {
namespace {

constexpr std::string_view kExpiring("\0\1expiring\0\1", 12), kMappers("\0\1", 2), kIndexes("\0\2", 2);

/// Removes the parts of a key from its front. Each function returns false if the part is missing.
struct Cutter {
  std::string_view rest;

  bool constant(std::string_view bytes) {
    if (!rest.starts_with(bytes)) return false;
    rest.remove_prefix(bytes.size());
    return true;
  }
  bool text(std::string* text = nullptr) {
    for (std::size_t i = 0; i + 1 < rest.size(); ++i) {
      if (rest[i] != '\0') {
        if (text) text->push_back(rest[i]);
      } else if (rest[++i] == '\1') {
        rest.remove_prefix(i + 1);
        return true;
      } else if (rest[i] != '\xFF') {
        return false;
      } else if (text) {
        text->push_back('\0');
      }
    }
    return false;
  }
  bool number(std::size_t bytes, std::uint64_t& number) {
    if (rest.size() < bytes) return false;
    number = 0;
    for (std::size_t i = 0; i < bytes; ++i) number = number * 256 + static_cast<unsigned char>(rest[i]);
    rest.remove_prefix(bytes);
    return true;
  }
  /// An integer has only one form: its first byte is significant.
  bool part() {
    if (constant("\2")) return text();
    if (rest.empty()) return false;
    const int length = static_cast<unsigned char>(rest.front()) - 0x14;
    const auto bytes = static_cast<std::size_t>(std::abs(length));
    if (bytes > 8 || rest.size() <= bytes) return false;
    if (bytes > 0 && rest[1] == (length < 0 ? '\xFF' : '\0')) return false;
    rest.remove_prefix(1 + bytes);
    return true;
  }
  bool id() {
    if (!constant("\3")) return part();
    while (!constant("\1")) {
      if (!part()) return false;
    }
    return true;
  }
  /// The kind and the id of an entity; sets `key` to both.
  bool entity(std::string& key) {
    const std::string_view before = rest;
    if (!constant("\2") || !text() || !id()) return false;
    key = before.substr(0, before.size() - rest.size());
    return true;
  }
};

/// Returns whether the id is the time of a bucket. The bytes of a time begin with 0. An element of eight
/// bytes does not: it is one value of MessagePack, and 0 is such a value by itself.
bool is_time(std::string_view id) { return id.size() == 8 && id.front() == '\0'; }

bool parse_record_of_entity(Cutter cutter, CheckedKey& key) {
  if (!cutter.entity(key.entity)) return false;
  if (cutter.rest == "\1") {
    key.kind = CheckedKey::kMain;
    return true;
  }
  std::uint64_t number = 0;
  if (!cutter.constant("\2") || !cutter.text(&key.property) || !cutter.number(2, number)) return false;
  key.number = static_cast<std::uint32_t>(number);
  key.rest = cutter.rest;
  if (number == 0xFFFF) {
    key.kind = CheckedKey::kDelta;
    return key.rest.size() == 16;
  }
  key.kind = key.rest.empty()    ? CheckedKey::kShard
             : is_time(key.rest) ? CheckedKey::kBucket
                                 : CheckedKey::kElement;
  return true;
}

bool parse_expiring(Cutter cutter, CheckedKey& key) {
  std::uint64_t number = 0;
  if (cutter.constant("\1")) {
    key.kind = CheckedKey::kMark;
    return cutter.number(8, number) && cutter.rest.empty();
  }
  if (cutter.constant("\2")) {
    key.kind = CheckedKey::kToken;
    return cutter.entity(key.entity) && cutter.text() && cutter.rest.empty();
  }
  if (!cutter.constant("\3")) return false;
  key.kind = CheckedKey::kExpiry;
  const std::string_view before = cutter.rest;
  if (!cutter.constant("\2") || !cutter.text()) return false;
  key.entity = before.substr(0, before.size() - cutter.rest.size());
  if (!cutter.number(8, key.time)) return false;
  key.entity += cutter.rest;
  return cutter.id() && cutter.rest.empty();
}

bool parse_index(std::string_view whole, CheckedKey& key) {
  Cutter cutter{whole.substr(kIndexes.size())};
  const auto taken = [&] { return whole.substr(0, whole.size() - cutter.rest.size()); };
  if (!cutter.text()) return false;
  key.indexes = taken();
  key.kind = CheckedKey::kGeneration;
  if (cutter.rest.empty()) return true;
  std::uint64_t definition = 0;
  if (!cutter.text() || !cutter.number(4, definition)) return false;
  key.index = taken();
  key.rest = cutter.rest;
  key.kind = key.rest.empty() ? CheckedKey::kIndexState : CheckedKey::kIndexRecord;
  return true;
}

bool parse(std::string_view bytes, CheckedKey& key) {
  if (bytes.starts_with("\2")) return parse_record_of_entity({bytes}, key);
  if (bytes.starts_with(kExpiring)) return parse_expiring({bytes.substr(kExpiring.size())}, key);
  if (bytes.starts_with(kIndexes)) return parse_index(bytes, key);
  Cutter cutter{bytes};
  std::string name;
  if (!cutter.constant(kMappers) || !cutter.text(&name) || !cutter.rest.empty()) return false;
  key.kind = name == "clock" ? CheckedKey::kClock : CheckedKey::kLease;
  return true;
}

std::size_t size_of_kind(std::string_view entity) {
  Cutter cutter{entity};
  cutter.constant("\2");
  cutter.text();
  return entity.size() - cutter.rest.size();
}

}  // namespace

CheckedKey parse_checked_key(std::string_view key) {
  CheckedKey parsed;
  return parse(key, parsed) ? parsed : CheckedKey{};
}

std::string checked_main_key(std::string_view entity) { return std::string(entity) + '\1'; }

std::string_view checked_id(std::string_view entity) { return entity.substr(size_of_kind(entity)); }

std::string checked_generation_key(std::string_view entity) {
  return std::string(kIndexes).append(entity.substr(1, size_of_kind(entity) - 1));
}

std::string entities_of_generation(std::string_view generation) {
  return '\2' + std::string(generation.substr(kIndexes.size()));
}

std::vector<std::string> entities_of_index_record(const CheckedKey& record) {
  const std::string kind = entities_of_generation(record.indexes);
  const std::string_view rest = record.rest;
  std::vector<std::string> entities;
  for (std::size_t begin = 0; begin < rest.size(); ++begin) {
    Cutter cutter{rest.substr(begin)};
    if (cutter.id() && cutter.rest.empty()) entities.push_back(kind + std::string(rest.substr(begin)));
  }
  return entities;
}

std::vector<std::string_view> checked_members(std::string_view bytes) {
  std::vector<std::string_view> members;
  for (Cutter cutter{bytes}; !cutter.rest.empty();) {
    const std::string_view before = cutter.rest;
    if (!cutter.id()) return {};
    members.push_back(before.substr(0, before.size() - cutter.rest.size()));
  }
  return members;
}

std::string checked_expiry_key(std::string_view entity, std::int64_t time) {
  const std::size_t kind = size_of_kind(entity);
  std::string key(kExpiring);
  key += '\3';
  key += entity.substr(0, kind);
  const auto milliseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0));
  for (int byte = 7; byte >= 0; --byte) key += static_cast<char>(milliseconds >> (8 * byte) & 0xFF);
  return key.append(entity.substr(kind));
}

}  // namespace autoshard::detail
