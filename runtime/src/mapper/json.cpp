#include <autoshard/json.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <exception>
#include <limits>
#include <msgpack.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "hex.h"
#include "layout.h"

namespace autoshard::detail {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kId = "@id", kHex = "@hex", kReal = "@real", kMap = "@map";

/// The limit of nesting in JSON; a map of MessagePack may take three levels.
constexpr int kDeepestJson = 3 * kDeepestNesting;

/// The number of entities between two reports of progress.
constexpr std::uint64_t kEvery = 1024;

// From MessagePack to JSON.

/// Empty if the text is not UTF-8.
std::optional<std::string> quoted(std::string_view text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    return std::nullopt;
  }
}

/// Returns the shortest text that reads as this number and not as an integer.
template <class Real>
std::string shortest(Real number) {
  std::array<char, 64> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  std::string text(digits.data(), end);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

std::string real(double number) {
  if (std::isnan(number)) return "{\"@real\": \"nan\"}";
  if (std::isinf(number)) return number > 0 ? "{\"@real\": \"inf\"}" : "{\"@real\": \"-inf\"}";
  return shortest(number);
}

/// Returns a text that reads as this float; readers convert it to a double first.
std::string real(float number) {
  if (!std::isfinite(number)) return real(static_cast<double>(number));
  const std::string text = shortest(number);
  double read = 0;
  std::from_chars(text.data(), text.data() + text.size(), read);
  return static_cast<float>(read) == number ? text : shortest(static_cast<double>(number));
}

std::string_view text_of(const msgpack::object& value) { return {value.via.str.ptr, value.via.str.size}; }

bool is_plain(const msgpack::object_map& map) {
  const auto is_text = [](const msgpack::object_kv& entry) {
    return entry.key.type == msgpack::type::STR && quoted(text_of(entry.key));
  };
  if (!std::all_of(map.ptr, map.ptr + map.size, is_text)) return false;
  return map.size != 1 || !text_of(map.ptr->key).starts_with('@');
}

void append(std::string& out, const msgpack::object& value);

void append_map(std::string& out, const msgpack::object_map& map) {
  const bool plain = is_plain(map);
  out += plain ? "{" : "{\"@map\": [";
  for (std::uint32_t i = 0; i < map.size; ++i) {
    if (i > 0) out += ", ";
    if (!plain) out += '[';
    append(out, map.ptr[i].key);
    out += plain ? ": " : ", ";
    append(out, map.ptr[i].val);
    if (!plain) out += ']';
  }
  out += plain ? "}" : "]}";
}

void append(std::string& out, const msgpack::object& value) {
  switch (value.type) {
    case msgpack::type::NIL:
      out += "null";
      break;
    case msgpack::type::BOOLEAN:
      out += value.via.boolean ? "true" : "false";
      break;
    case msgpack::type::POSITIVE_INTEGER:
      out += std::to_string(value.via.u64);
      break;
    case msgpack::type::NEGATIVE_INTEGER:
      out += std::to_string(value.via.i64);
      break;
    case msgpack::type::FLOAT32:
      out += real(static_cast<float>(value.via.f64));
      break;
    case msgpack::type::FLOAT64:
      out += real(value.via.f64);
      break;
    case msgpack::type::STR:
      out += quoted(text_of(value)).value_or("{\"@hex\": \"" + to_hex(text_of(value)) + "\"}");
      break;
    case msgpack::type::ARRAY:
      out += '[';
      for (std::uint32_t i = 0; i < value.via.array.size; ++i) {
        if (i > 0) out += ", ";
        append(out, value.via.array.ptr[i]);
      }
      out += ']';
      break;
    case msgpack::type::MAP:
      append_map(out, value.via.map);
      break;
    default:
      throw InvalidJson(
          "a codec has written binary data or an extension of MessagePack, which JSON cannot hold: have the "
          "codec write a text");
  }
}

void append_value(std::string& out, std::string_view messagepack) {
  const msgpack::object_handle value = msgpack::unpack(messagepack.data(), messagepack.size());
  append(out, value.get());
}

// From JSON to MessagePack.

std::string text_from_hexadecimal(const Json& digits) {
  const std::string* text = digits.get_ptr<const std::string*>();
  std::optional<std::string> bytes;
  if (text) bytes = from_hex(*text);
  if (!bytes) throw InvalidJson("@hex is not a text with an even number of digits from 0 to f");
  return *bytes;
}

double real_of_name(const Json& name) {
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  throw InvalidJson("@real is neither \"nan\" nor \"inf\" nor \"-inf\"");
}

void encode_json(Encoder& out, const Json& value);

void encode_pairs(Encoder& out, const Json& pairs) {
  if (!pairs.is_array()) throw InvalidJson("@map is not an array of keys with their values");
  const Encoder::Level level(out);
  out.map(pairs.size());
  for (const Json& pair : pairs) {
    if (!pair.is_array() || pair.size() != 2)
      throw InvalidJson("an entry of @map is not an array of a key and its value");
    encode_json(out, pair[0]);
    encode_json(out, pair[1]);
  }
}

void encode_object(Encoder& out, const Json& object) {
  if (object.size() == 1 && object.begin().key().starts_with('@')) {
    const std::string& key = object.begin().key();
    const Json& value = object.begin().value();
    if (key == kHex) return out.text(text_from_hexadecimal(value));
    if (key == kReal) return out.real(real_of_name(value));
    if (key == kMap) return encode_pairs(out, value);
    throw InvalidJson('"' + key + "\" is none of @hex, @real and @map");
  }
  const Encoder::Level level(out);
  out.map(object.size());
  for (const auto& [key, value] : object.items()) {
    out.text(key);
    encode_json(out, value);
  }
}

void encode_json(Encoder& out, const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return out.nil();
    case Json::value_t::boolean:
      return out.boolean(value.get<bool>());
    case Json::value_t::number_unsigned:
      return out.natural(value.get<std::uint64_t>());
    case Json::value_t::number_integer:
      return out.integer(value.get<std::int64_t>());
    case Json::value_t::number_float:
      return out.real(value.get<double>());
    case Json::value_t::string:
      return out.text(value.get_ref<const std::string&>());
    case Json::value_t::object:
      return encode_object(out, value);
    default: {
      const Encoder::Level level(out);
      out.array(value.size());
      for (const Json& element : value) encode_json(out, element);
    }
  }
}

std::string without(std::string text, std::string_view part) {
  if (const std::size_t at = text.find(part); at != text.npos) text.erase(at, part.size());
  return text;
}

Json parse(std::string_view text) {
  std::vector<std::set<std::string>> keys;  // of the open objects
  const auto check = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kDeepestJson)
      throw InvalidJson("containers are nested deeper than " + std::to_string(kDeepestJson) + " levels");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      throw InvalidJson("an object has the key " + parsed.dump() + " twice");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), check);
  } catch (const Json::exception& error) {
    std::string what = error.what();
    what.erase(0, what.find("] ") + 2);  // removes the number of the error
    throw InvalidJson("the text is not JSON: " + without(what, "parse error at line 1, "));
  }
}

/// Returns the message of a decoder's error without the part about records.
std::string complaint(const CorruptRecord& error) {
  const std::string_view what = error.what();
  constexpr std::string_view kBegin = "the record holds ", kEnd = "; another program wrote";
  const std::size_t begin = what.find(kBegin), end = what.find(kEnd);
  if (begin == what.npos || end == what.npos) return std::string(what);
  return std::string(what.substr(begin + kBegin.size(), end - begin - kBegin.size()));
}

}  // namespace

std::string write_json(const EntityType& type, std::string_view id, void* entity) {
  std::string out = "{\"@id\": ";
  append_value(out, id);
  std::string bytes;
  Encoder properties(bytes);
  properties.map(type.properties);
  type.encode_properties(properties, entity);
  const msgpack::object_handle map = msgpack::unpack(bytes.data(), bytes.size());
  for (std::uint32_t i = 0; i < map->via.map.size; ++i) {
    out += ", ";
    append(out, map->via.map.ptr[i].key);
    out += ": ";
    append(out, map->via.map.ptr[i].val);
  }
  for (const ShardedPropertyType& property : type.sharded) {
    bytes.clear();
    Encoder value(bytes);
    property.encode(value, property.in_entity(entity));
    out.append(", \"").append(property.name).append("\": ");
    append_value(out, bytes);
  }
  return out + '}';
}

JsonEntity::JsonEntity(std::string_view text) {
  const Json json = parse(text);
  if (!json.is_object()) throw InvalidJson("the text is not a JSON object: write each entity as an object");
  for (const auto& [name, value] : json.items()) {
    std::string bytes;
    reading(name, [&, &its_value = value] {
      Encoder out(bytes);
      encode_json(out, its_value);
    });
    if (name == kId) {
      id_ = std::move(bytes);
    } else {
      properties_.emplace_back(name, std::move(bytes));
    }
  }
  if (id_.empty()) throw InvalidJson("the entity has no \"@id\": add its id");
}

void JsonEntity::reading(std::string_view name, const std::function<void()>& read) {
  const auto fail = [&](const std::string& what) {
    throw InvalidJson('"' + std::string(name) + "\": " + what);
  };
  try {
    read();
  } catch (const CorruptRecord& error) {
    fail(complaint(error));
  } catch (const InvalidJson& error) {
    fail(error.what());
  } catch (const InvalidUse& error) {
    fail(error.what());
  }
}

void JsonEntity::fill(const EntityType& type, void* entity) const {
  for (const auto& [name, bytes] : properties_) {
    reading(name, [&, &its_name = name, &its_bytes = bytes] {
      const std::string_view today = name_today(type, its_name);
      Decoder in(its_name, its_bytes);
      if (type.decode_property(in, today, entity)) return;
      const std::optional<std::size_t> place = find_sharded(type, today);
      if (!place) throw InvalidJson(std::string(type.kind) + " has no property of this name");
      const ShardedPropertyType& property = type.sharded[*place];
      property.make_neutral(property.in_entity(entity));
      property.fold(property.in_entity(entity), in);
    });
  }
}

void JsonOutput::write(std::string line) {
  line += '\n';
  out_ << line;
  if (!out_) {
    throw Error("the export ends after " + std::to_string(done_.entities) +
                " entities, because the output stream has failed");
  }
  done_.bytes += line.size();
  if (++done_.entities % kEvery == 0 && progress_) progress_(done_);
}

std::uint64_t JsonOutput::finish() {
  out_.flush();
  if (!out_) throw Error("the export is not complete, because the output stream has failed");
  if (progress_) progress_(done_);
  return done_.entities;
}

JsonInput::JsonInput(std::istream& in, const OnJsonProgress& progress) : in_(in), progress_(progress) {
  if (!in_) fail(1, "the input stream cannot be read");
  const std::istream::pos_type begin = in_.tellg();
  if (begin != std::istream::pos_type(-1) && in_.seekg(0, std::ios::end))
    done_.total_bytes = static_cast<std::uint64_t>(in_.tellg() - begin);
  in_.clear();
  if (done_.total_bytes) in_.seekg(begin);
}

const std::string* JsonInput::next() {
  while (std::getline(in_, line_)) {
    ++number_;
    done_.bytes += line_.size() + (in_.eof() ? 0 : 1);
    if (line_.find_first_not_of(" \t\r") != line_.npos) return &line_;
  }
  if (in_.bad()) fail(number_ + 1, "the input stream cannot be read");
  if (progress_) progress_(done_);
  return nullptr;
}

void JsonInput::note_saved(std::size_t entities) {
  done_.entities += entities;
  if (progress_) progress_(done_);
}

void JsonInput::fail(std::uint64_t line, const std::string& what) const {
  throw ImportFailed("line " + std::to_string(line) + ": " + what + "; " + std::to_string(done_.entities) +
                         " entities are imported, including those of all lines before this one",
                     line, done_.entities);
}

}  // namespace autoshard::detail
