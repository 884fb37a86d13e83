#include "keys.h"

#include <autoshard/detail/id.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "check.h"
#include "checked_keys.h"
#include "hash.h"
#include "key_bytes.h"
#include "of_thread.h"
#include "platform.h"
#include "random.h"

/// The functions of keys.h and `detail/id.h` that make keys; read_keys.cpp has the others.
namespace autoshard::detail {
namespace {

void append_escaped(std::string& key, std::string_view text) {
  constexpr char kEscaped[] = {kEscape, kEscapedZero}, kEnd[] = {kEscape, kEndOfText};
  for (std::size_t zero; (zero = text.find(kEscape)) != text.npos; text.remove_prefix(zero + 1))
    key.append(text, 0, zero).append(kEscaped, sizeof(kEscaped));
  key.append(text).append(kEnd, sizeof(kEnd));
}

/// Returns the time in nanoseconds, greater than the result of every earlier call in this process.
std::uint64_t next_time() {
  static std::atomic<std::uint64_t> newest{0};
  const auto now = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(platform::SystemClock::now().time_since_epoch())
          .count());
  std::uint64_t before = newest.load(std::memory_order_relaxed);
  std::uint64_t time = 0;
  do {
    time = std::max(now, before + 1);
    // unreachable: no test can have another thread ask between these two instructions
  } while (!newest.compare_exchange_weak(before, time, std::memory_order_relaxed));
  return time;
}

/// Foreign records lead to keys that are no entity keys. Such keys are looked for and never written.
bool is_entity_key(EntityKeyView entity) {
  return parse_checked_key(checked_main_key(entity.bytes())).kind == CheckedKey::kMain;
}

/// For checks: whether the written key belongs to a record of this kind and entity.
bool is_key_of(std::string_view key, CheckedKey::Kind kind, EntityKeyView entity) {
  if (!is_entity_key(entity)) return true;
  const CheckedKey read = parse_checked_key(key);
  return read.kind == kind && read.entity == entity.bytes();
}

bool is_shard_key_of(std::string_view key, EntityKeyView entity, std::string_view property,
                     std::uint16_t number) {
  if (!is_entity_key(entity)) return true;
  // The ids of deltas and elements are appended later.
  const CheckedKey read = parse_checked_key(number == kDeltas ? std::string(key).append(16, '.') : key);
  return read.kind == (number == kDeltas ? CheckedKey::kDelta : CheckedKey::kShard) &&
         read.entity == entity.bytes() && read.property == property && read.number == number;
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
  char form[1 + sizeof(magnitude)] = {static_cast<char>(negative ? kZeroTag - length : kZeroTag + length)};
  for (unsigned i = 0; i < length; ++i) {
    const std::uint64_t byte = magnitude >> (8 * (length - 1 - i));
    form[1 + i] = static_cast<char>(negative ? ~byte : byte);
  }
  key.append(form, 1 + length);
}

void begin_composite(std::string& key) { key.push_back(kCompositeTag); }

void end_composite(std::string& key) { key.push_back(kEndOfComposite); }

namespace {
struct KeyMemory {
  std::string key;
};
}  // namespace

void ReusedKey::exchange() {
  if (KeyMemory* memory = OfThread<KeyMemory>::get()) memory->key.swap(bytes_);
}

void RecordKey::set_main(EntityKeyView entity) {
  bytes_.assign(entity.bytes());
  bytes_.push_back(kMainTag);
  AUTOSHARD_CHECK(is_key_of(bytes_, CheckedKey::kMain, entity), {"key", *this}, {"entity", entity});
}

void RecordKey::set_shard(EntityKeyView entity, std::string_view property, std::uint16_t shard) {
  bytes_.clear();
  bytes_.reserve(entity.bytes().size() + property.size() + 8);
  bytes_.append(entity.bytes());
  bytes_.push_back(kShardTag);
  append_escaped(bytes_, property);
  append_shard_number(bytes_, shard);
  AUTOSHARD_CHECK(is_shard_key_of(bytes_, entity, property, shard), {"key", *this}, {"entity", entity},
                  {"property", property}, {"shard", shard});
}

void append_shard_number(std::string& key, std::uint16_t shard) {
  key.push_back(static_cast<char>(shard >> 8));
  key.push_back(static_cast<char>(shard & 0xFF));
}

void append_big_endian(std::string& key, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(number >> shift));
}

void RecordKey::set_delta(EntityKeyView entity, std::string_view property) {
  set_shard(entity, property, kDeltas);
  append_new_id(bytes_);
}

void RecordKey::set_new_element(EntityKeyView entity, std::string_view property, std::uint16_t group) {
  set_shard(entity, property, group);
  append_new_id(bytes_);
}

void RecordKey::set_adopted_element(EntityKeyView entity, std::string_view property, std::uint64_t time) {
  set_shard(entity, property, 0);
  append_big_endian(bytes_, time);
  append_big_endian(bytes_, next_time());
}

void RecordKey::set_equal_element(EntityKeyView entity, std::string_view property, std::string_view bytes) {
  set_shard(entity, property, static_cast<std::uint16_t>(stable_hash(bytes) % kDeltas));
  AUTOSHARD_CHECK(!bytes.empty(), {"key", *this});
  bytes_.append(bytes);
}

void RecordKey::set_bucket(EntityKeyView entity, std::string_view property, std::uint16_t shard,
                           std::int64_t begin) {
  AUTOSHARD_CHECK(begin >= 0, {"begin", begin});
  set_shard(entity, property, shard);
  append_big_endian(bytes_, static_cast<std::uint64_t>(begin));
  AUTOSHARD_CHECK(is_key_of(bytes_, CheckedKey::kBucket, entity), {"key", *this}, {"begin", begin});
}

RecordKey main_key(EntityKeyView entity) {
  RecordKey key;
  key.set_main(entity);
  return key;
}

RecordKey shard_key(EntityKeyView entity, std::string_view property, std::uint16_t shard) {
  RecordKey key;
  key.set_shard(entity, property, shard);
  return key;
}

RecordKey token_key(EntityKeyView entity, std::string_view token) {
  RecordKey key;
  key.set_token(entity, token);
  return key;
}

RecordKey lease_key(std::string_view name) {
  std::string key("\0\1", 2);
  append_escaped(key, name);
  return RecordKey(std::move(key));
}

RecordKey store_clock_key() { return lease_key("clock"); }

RecordKey writer_key(std::uint64_t id) {
  std::string key(kWriterKeys);
  append_big_endian(key, id);
  return RecordKey(std::move(key));
}

void RecordKey::set_token(EntityKeyView entity, std::string_view token) {
  set(kTokenKeys, entity.bytes());
  append_escaped(bytes_, token);
  AUTOSHARD_CHECK(is_key_of(bytes_, CheckedKey::kToken, entity), {"key", *this}, {"entity", entity});
}

std::string begin_of_expiries(std::string_view kind, std::int64_t time) {
  std::string key(kEntityKeys);
  append_text(key, kind);
  append_big_endian(key, static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0)));
  return key;
}

RecordKey expiry_key(std::string_view kind, std::int64_t time, EntityKeyView entity) {
  RecordKey key(begin_of_expiries(kind, time).append(id_in(entity)));
  AUTOSHARD_CHECK(key.bytes() == checked_expiry_key(entity.bytes(), time), {"key", key}, {"entity", entity},
                  {"time", time});
  return key;
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

std::string kind_key(std::string_view kind) {
  std::string key;
  append_text(key, kind);
  return key;
}

EntityKey entity_with_id(std::string_view kind, std::string_view id) {
  return EntityKey(kind_key(kind).append(id));
}

std::string end_key(std::string_view prefix) {
  std::string key(prefix);
  key.push_back(kEndTag);
  return key;
}

std::string end_of_property(EntityKeyView entity, std::string_view property) {
  return shard_key(entity, property, kDeltas).bytes().append(17, '\xFF');
}

}  // namespace autoshard::detail
