#include "record_json.h"

#include <autoshard/detail/id.h>
#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <cstdint>
#include <msgpack.hpp>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "checked_keys.h"
#include "checked_values.h"
#include "hex.h"

namespace autoshard::ctl {
namespace {

using detail::CheckedKey;
using detail::to_hex;

constexpr const char* kTombstone = "tombstone";
constexpr const char* kStoreRecord = "store record";
constexpr std::string_view kStoreKeys("\0\0", 2), kIndexKeys("\0\2", 2), kTokens("\0\1expiring\0\1\2", 13),
    kExpiries("\0\1expiring\0\1\3", 13);

bool is_utf8(std::string_view text) {
  // The library checks texts when it writes them.
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

Json text_to_json(std::string_view text) {
  if (is_utf8(text)) return text;
  return {{"$bytes", to_hex(text)}};
}

Json object_to_json(const msgpack::object& object) {
  switch (object.type) {
    case msgpack::type::NIL:
      return nullptr;
    case msgpack::type::BOOLEAN:
      return object.via.boolean;
    case msgpack::type::POSITIVE_INTEGER:
      return object.via.u64;
    case msgpack::type::NEGATIVE_INTEGER:
      return object.via.i64;
    case msgpack::type::FLOAT32:
    case msgpack::type::FLOAT64:
      return object.via.f64;
    case msgpack::type::STR:
      return text_to_json({object.via.str.ptr, object.via.str.size});
    case msgpack::type::BIN:
      return {{"$bytes", to_hex(std::string_view(object.via.bin.ptr, object.via.bin.size))}};
    case msgpack::type::EXT:
      return {{"$bytes", to_hex(std::string_view(object.via.ext.data(), object.via.ext.size))}};
    case msgpack::type::ARRAY: {
      Json array = Json::array();
      for (const msgpack::object& element : object.via.array) array.push_back(object_to_json(element));
      return array;
    }
    case msgpack::type::MAP:
      break;
  }
  Json pairs = Json::array();
  std::set<std::string> names;
  for (const msgpack::object_kv& entry : object.via.map) {
    Json name = object_to_json(entry.key);
    if (name.is_string()) names.insert(name.get<std::string>());
    pairs.push_back(Json::array({std::move(name), object_to_json(entry.val)}));
  }
  if (names.size() == pairs.size()) {  // all are texts, and none occurs twice
    Json::object_t by_name;
    for (Json& pair : pairs) by_name.push_back({pair[0].get<std::string>(), std::move(pair[1])});
    return by_name;
  }
  return {{"$map", std::move(pairs)}};
}

/// Removes an id of one member, or a member of a composite id, from the front of `key`.
Json take_part(std::string_view& key) {
  if (key.starts_with('\2')) return text_to_json(detail::take_text(key));
  const detail::Integer integer = detail::take_integer(key);
  if (!integer.negative) return integer.magnitude;
  return static_cast<std::int64_t>(0 - integer.magnitude);
}

/// Removes a text without the tag of a part from the front of `key`.
Json take_untagged_text(std::string_view& key) {
  const std::string tagged = '\2' + std::string(key);
  std::string_view rest = tagged;
  Json text = text_to_json(detail::take_text(rest));
  key.remove_prefix(key.size() - rest.size());
  return text;
}

Json take_id(std::string_view& key) {
  if (!key.starts_with('\3')) return take_part(key);
  Json parts = Json::array();
  detail::take_begin_of_composite(key);
  while (!key.starts_with('\1')) parts.push_back(take_part(key));
  detail::take_end_of_composite(key);
  return parts;
}

void append_part(std::string& key, const Json& part) {
  if (part.is_string()) return detail::append_text(key, part.get<std::string>());
  if (part.is_number_unsigned()) return detail::append_integer(key, false, part.get<std::uint64_t>());
  if (part.is_number_integer()) {
    const auto number = part.get<std::int64_t>();
    return detail::append_integer(
        key, number < 0,
        number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number));
  }
  throw InvalidUse("an id is a number, a text, or an array of them, and this is none: " + part.dump());
}

/// Sets "kind" and "id" of the entity with this key.
void set_entity(Json& record, std::string_view entity) {
  std::string_view rest = entity;
  record["kind"] = text_to_json(detail::take_text(rest));
  record["id"] = take_id(rest);
}

void set_problem(Json& record, std::string problem, std::string_view value) {
  record["problem"] = std::move(problem);
  record["bytes"] = to_hex(value);
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

void describe_main(Json& record, std::string_view key, std::string_view value) {
  const std::optional<detail::CheckedMain> main = detail::read_checked_main(key, value);
  if (!main) return set_problem(record, "this is no main record", value);
  if (main->is_tombstone) {
    record["form"] = kTombstone;
    return;
  }
  record["version"] = main->version;
  if (main->expires) record["expires"] = *main->expires;
  for (const auto& [name, layout] : main->layouts)
    record["sharding"][text_of(text_to_json(name))] = {{"shards", layout.first}, {"epoch", layout.second}};
  Json::object_t properties;  // in the order of the record
  const Json whole = to_json(key, value);
  for (const auto& [name, entry] : whole.items()) {
    if (!name.starts_with('@')) properties.push_back({name, entry});
  }
  record["properties"] = std::move(properties);
}

void describe_shard(Json& record, const CheckedKey& parsed, std::string_view key, std::string_view value) {
  record["property"] = text_to_json(parsed.property);
  switch (parsed.kind) {
    case CheckedKey::kShard:
      record["number"] = parsed.number;
      break;
    case CheckedKey::kBucket:
      record["number"] = parsed.number;
      record["begin"] = big_endian(parsed.rest);
      break;
    case CheckedKey::kElement:
      record["partition"] = parsed.number;
      record["element"] = to_hex(parsed.rest);
      break;
    default:
      record["time"] = big_endian(std::string_view(parsed.rest).substr(0, 8));
      break;
  }
  const std::optional<detail::CheckedShard> shard = detail::read_checked_shard(key, value);
  if (!shard) return set_problem(record, "this is no part of a sharded property", value);
  record["epoch"] = shard->epoch;
  record["part"] = to_json(key, shard->value);
  if (shard->share) record["share"] = {{"least", shard->share->first}, {"most", shard->share->second}};
  if (shard->third) record[parsed.kind == CheckedKey::kBucket ? "end" : "mark"] = *shard->third;
}

void describe_numbers(Json& record, std::string_view key, std::string_view value,
                      const std::vector<const char*>& names, std::size_t least) {
  for (std::size_t size = names.size(); size >= least; --size) {
    const auto numbers = detail::read_checked_numbers(key, value, size);
    if (!numbers) continue;
    for (std::size_t at = 0; at < size; ++at) record[names[at]] = (*numbers)[at];
    return;
  }
  set_problem(record, "this is no array of " + std::to_string(names.size()) + " integers", value);
}

void describe_index(Json& record, const CheckedKey& parsed, std::string_view key, std::string_view value) {
  std::string_view rest = std::string_view(parsed.index).substr(kIndexKeys.size());
  record["kind"] = take_untagged_text(rest);
  record["index"] = take_untagged_text(rest);
  record["definition"] = to_hex(rest);
  if (parsed.kind == CheckedKey::kIndexState) {
    if (!detail::is_checked_boolean(value))
      return set_problem(record, "the state of an index is a bool", value);
    record["complete"] = value == "\xC3";
    return;
  }
  record["entry"] = to_hex(parsed.rest);
  record["value"] = to_json(key, value);
  const Json& shown = record["value"];
  if (!shown.is_null() && !shown.is_string() && !shown.is_number_integer() && !shown.is_object())
    set_problem(record, "the value of an index record is nil, a text or an integer", value);
}

void describe_known(Json& record, const CheckedKey& parsed, std::string_view key, std::string_view value) {
  if (!parsed.entity.empty()) set_entity(record, parsed.entity);
  switch (parsed.kind) {
    case CheckedKey::kMain:
      return describe_main(record, key, value);
    case CheckedKey::kShard:
    case CheckedKey::kDelta:
    case CheckedKey::kElement:
    case CheckedKey::kBucket:
      return describe_shard(record, parsed, key, value);
    case CheckedKey::kMark:
      return describe_numbers(record, key, value, {"until", "number"}, 2);
    case CheckedKey::kToken: {
      std::string_view rest = key.substr(kTokens.size() + parsed.entity.size());
      record["token"] = take_untagged_text(rest);
      return describe_numbers(record, key, value, {"until", "end"}, 1);
    }
    case CheckedKey::kExpiry:
      record["time"] = parsed.time;
      if (!detail::is_checked_nil(value)) set_problem(record, "the end of an entity is nil", value);
      return;
    case CheckedKey::kClock:
    case CheckedKey::kGeneration:
      if (parsed.kind == CheckedKey::kGeneration) {
        std::string_view rest = std::string_view(parsed.indexes).substr(kIndexKeys.size());
        record["kind"] = take_untagged_text(rest);
      }
      record["value"] = to_json(key, value);
      if (!detail::read_checked_natural(key, value)) set_problem(record, "this is no natural number", value);
      return;
    case CheckedKey::kLease:
      return describe_numbers(record, key, value, {"holder", "count"}, 2);
    case CheckedKey::kIndexState:
    case CheckedKey::kIndexRecord:
      return describe_index(record, parsed, key, value);
    case CheckedKey::kOther:
      return;
  }
}

constexpr std::pair<CheckedKey::Kind, const char*> kFormsOfKeys[] = {
    {CheckedKey::kMain, "main record"},
    {CheckedKey::kShard, "shard"},
    {CheckedKey::kDelta, "delta"},
    {CheckedKey::kElement, "element"},
    {CheckedKey::kBucket, "bucket"},
    {CheckedKey::kMark, "mark"},
    {CheckedKey::kToken, "token"},
    {CheckedKey::kExpiry, "expiry"},
    {CheckedKey::kClock, "clock"},
    {CheckedKey::kLease, "lease"},
    {CheckedKey::kGeneration, "generation"},
    {CheckedKey::kIndexState, "index state"},
    {CheckedKey::kIndexRecord, "index record"},
    {CheckedKey::kOther, "foreign record"},
};

const char* form_of(const CheckedKey& parsed) {
  return std::ranges::find(kFormsOfKeys, parsed.kind, &std::pair<CheckedKey::Kind, const char*>::first)
      ->second;
}

}  // namespace

std::vector<std::string> forms() {
  std::vector<std::string> names = {kTombstone, kStoreRecord};
  for (const auto& [kind, name] : kFormsOfKeys) names.emplace_back(name);
  return names;
}

Json to_json(std::string_view key, std::string_view bytes) {
  if (bytes.empty()) throw CorruptRecord("the record is empty");
  static_cast<void>(Decoder(key, bytes));  // bounds the nesting, and finds bytes behind the value
  return object_to_json(msgpack::unpack(bytes.data(), bytes.size()).get());
}

std::string text_of(const Json& json) { return json.is_string() ? json.get<std::string>() : json.dump(); }

Json id_value(std::string_view text) {
  Json id = Json::parse(text, nullptr, false);
  return id.is_discarded() ? Json(text) : id;
}

std::string id_from_text(std::string_view text) {
  const Json id = id_value(text);
  std::string key;
  if (!id.is_array()) {
    append_part(key, id);
    return key;
  }
  detail::begin_composite(key);
  for (const Json& part : id) append_part(key, part);
  detail::end_composite(key);
  return key;
}

std::string entity_key_of(std::string_view kind, std::string_view id) {
  std::string key;
  detail::append_text(key, kind);
  return key.append(id);
}

std::uint64_t store_clock_in(std::string_view value) {
  return detail::read_checked_natural(kStoreClockKey, value).value_or(0);
}

std::string tokens_key() { return std::string(kTokens); }

std::string expiries_key(std::string_view kind) { return std::string(kExpiries) + entity_key_of(kind, ""); }

Json describe_record(std::string_view key, std::string_view value) {
  const CheckedKey parsed = detail::parse_checked_key(key);
  Json record;
  record["form"] = key.starts_with(kStoreKeys) ? kStoreRecord : form_of(parsed);
  try {
    if (key.starts_with(kStoreKeys)) {
      record["name"] = text_to_json(key.substr(kStoreKeys.size()));
      record["value"] = to_json(key, value);
    } else if (parsed.kind == CheckedKey::kOther) {
      record["bytes"] = to_hex(value);
    } else {
      describe_known(record, parsed, key, value);
    }
  } catch (const CorruptRecord&) {
    set_problem(record, "the value is not one value of MessagePack", value);
  }
  record["key"] = to_hex(key);
  return record;
}

}  // namespace autoshard::ctl
