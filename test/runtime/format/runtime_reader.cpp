#include "runtime_reader.h"

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "entities/types/course.autoshard.h"
#include "entity_index.h"
#include "expiring_record.h"
#include "index_state_records.h"
#include "keys.h"
#include "layout.h"
#include "main_record.h"
#include "ranked_index.h"
#include "shard_record.h"
#include "store_clock.h"

namespace autoshard::test::format {
namespace {

const detail::EntityType& kCourse = detail::kEntityType<school::Course>;

/// Takes lines off the front of a key.
struct KeyLines {
  std::string_view rest;
  Lines lines{};

  void take(std::size_t size, std::string meaning) {
    if (size == 0 || size > rest.size()) throw std::invalid_argument("no " + meaning);
    lines.push_back({std::string(rest.substr(0, size)), std::move(meaning)});
    rest.remove_prefix(size);
  }
  void take_number(std::size_t size, const std::string& name, bool is_hex = false) {
    std::uint64_t number = 0;
    for (const char byte : rest.substr(0, size)) number = number << 8 | static_cast<unsigned char>(byte);
    std::string digits = is_hex ? detail::to_hex(rest.substr(0, size)) : std::to_string(number);
    for (char& digit : digits) digit = static_cast<char>(std::toupper(static_cast<unsigned char>(digit)));
    take(size, name + ' ' + digits);
  }
  /// An escaped text; those of kinds and properties have a tag in front.
  void take_text(const std::string& name, bool has_tag) {
    const std::string tagged = has_tag ? std::string(rest) : '\2' + std::string(rest);
    std::string_view behind = tagged;
    const std::string text = detail::take_text(behind);
    take(rest.size() - behind.size(), name + " \"" + text + '"');
  }
  /// A part, or an id, in the words of messages.
  void take_part(const std::string& name, std::size_t size) {
    const std::string words = detail::describe(detail::kind_key("K").append(rest.substr(0, size)));
    take(size, name + words.substr(1));
  }
  void take_entity() {
    const detail::EntityKeyView entity = detail::entity_of(rest);
    take_text("kind", true);
    take_part("id", detail::id_in(entity).size());
  }
};

void take_index_record(KeyLines& key, std::string_view index_key) {
  const auto& indexes = detail::indexes_of(kCourse).all;
  const auto found =
      std::ranges::find_if(indexes, [&](const auto& index) { return index->key() == index_key; });
  if (found == indexes.end()) throw std::invalid_argument("no index of the class has this definition");
  const detail::EntityIndex& index = **found;
  if (const auto* ranked = dynamic_cast<const detail::RankedIndex*>(&index)) {
    const std::string& dirty = ranked->dirty_prefix();
    const bool is_entry = (std::string(index_key) + key.rest.front()) == index.entry_prefixes().front();
    const bool is_dirty = (std::string(index_key) + key.rest.front()) == dirty;
    key.take(1, is_entry ? "entry" : is_dirty ? "dirty" : "place");
    if (!is_entry) return key.take_part("id", key.rest.size());
  }
  if (index.declared().shards > 1) key.take_number(2, "shard");
  for (std::size_t left = index.size_of_values(key.rest); left > 0; left -= key.lines.back().bytes.size()) {
    std::string_view behind = key.rest;
    detail::skip_part(behind);
    key.take_part("member", key.rest.size() - behind.size());
  }
  if (index.has_ids_in_keys()) key.take_part("id", key.rest.size());
}

void take_key_of_index(KeyLines& key) {
  const std::string_view whole = key.rest;
  key.take(2, "indexes");
  key.take_text("kind", false);
  const std::size_t kind = whole.size() - key.rest.size();
  if (key.rest.empty()) return;
  const std::string_view index = detail::index_of(whole, kind);
  key.take_text("index", false);
  key.take_number(4, "definition", true);
  EXPECT_EQ(index.size(), whole.size() - key.rest.size());
  if (!key.rest.empty()) take_index_record(key, index);
}

void take_key_of_mappers(KeyLines& key) {
  const std::string whole(key.rest), expiring = detail::begin_of_expiring();
  if (whole == detail::store_clock_key()) return key.take(whole.size(), "clock");
  if (!whole.starts_with(expiring)) {
    std::string_view name = key.rest;
    const std::string tagged = '\2' + std::string(name.substr(2));
    std::string_view rest = tagged;
    const std::string text = detail::take_text(rest);
    EXPECT_EQ(detail::lease_key(text), whole);
    return key.take(whole.size(), "lease \"" + text + '"');
  }
  key.take(expiring.size(), "expiring");
  if (detail::is_token_key(whole)) {
    key.take(1, "token");
    key.take_entity();
    return key.take_text("token", false);
  }
  if (whole < detail::end_of_expiring()) {
    key.take(1, "mark");
    return key.take_number(8, "writer", true);
  }
  key.take(1, "end");
  key.take_text("kind", true);
  const std::optional<detail::ExpiryKey> end = detail::read_expiry_key(kCourse.kind, whole);
  if (!end) throw std::invalid_argument("not the end of an entity");
  key.take(8, "time " + std::to_string(end->time));
  EXPECT_EQ(detail::id_in(end->entity), key.rest);
  key.take_part("id", key.rest.size());
}

void take_key_of_entity(KeyLines& key) {
  const std::string_view whole = key.rest;
  const detail::EntityKeyView entity = detail::entity_of(whole);
  key.take_entity();
  if (whole == detail::main_key(entity)) return key.take(1, "main record");
  const std::optional<detail::ShardKey> shard = detail::read_shard_key(entity, whole);
  if (!shard) throw std::invalid_argument("no record of an entity");
  key.take_text("property", true);
  const detail::ShardedPropertyType& property =
      kCourse.sharded[detail::find_sharded(kCourse, shard->property).value()];
  if (property.is_timed()) {
    key.take(2, "shard " + std::to_string(shard->shard.value()));
    return key.take(8, "begin " + std::to_string(detail::read_bucket(*shard).value()));
  }
  if (!shard->shard) {
    key.take(2, "delta");
  } else {
    key.take(2, (shard->is_of_element() ? "partition " : "shard ") + std::to_string(*shard->shard));
  }
  if (shard->element.empty()) return;
  if (!shard->is_of_element() || property.is_sequence) {
    key.take(8, "time " + std::to_string(detail::read_new_id(shard->element).first));
    return key.take_number(8, "random", true);
  }
  key.take(key.rest.size(), "element " + json(shard->element));
}

/// Lines of a value that is an array: its head, and its elements, which mean these.
Lines array_lines(std::string_view value, const std::vector<std::string>& meanings) {
  EXPECT_EQ(Decoder({}, value).array(), meanings.size());
  Lines lines{{std::string(value.substr(0, 1)), "array of " + std::to_string(meanings.size())}};
  std::string_view rest = value.substr(1);
  for (const std::string& meaning : meanings) lines.push_back({take_value(rest), meaning});
  return lines;
}

Lines read_main(const Record& record) {
  if (detail::is_tombstone(record.value)) return {{record.value, "nil"}};
  const detail::EntityKeyView entity = detail::entity_of(record.key);
  Decoder in(record.key, record.value);
  const std::size_t entries = in.map();
  Lines lines{{record.value.substr(0, 1), "map of " + std::to_string(entries)}};
  std::string_view rest = std::string_view(record.value).substr(1);
  detail::MainHead head;
  detail::read_head(kCourse, entity, record.value, head);
  for (std::size_t entry = 0; entry < entries; ++entry) {
    const std::string name = take_value(rest), value = take_value(rest);
    std::string meaning = json(value);
    if (json(name) == "\"@version\"") meaning = std::to_string(detail::read_version(entity, record.value));
    if (json(name) == "\"@expires\"")
      meaning = std::to_string(detail::read_expiry(entity, record.value).value_or(-1));
    if (json(name) == "\"@sharding\"") {
      const detail::Layout& votes = head.layouts[detail::find_sharded(kCourse, "votes").value()];
      meaning = "{\"votes\":[" + std::to_string(votes.shards) + ',' + std::to_string(votes.epoch) + "]}";
    }
    lines.push_back({name + value, json(name) + ": " + meaning});
  }
  return lines;
}

Lines read_shard(const Record& record) {
  const bool is_element = record.kind() == CheckedKey::kElement;
  const detail::ShardTail tail = detail::read_tail(record.key, record.value);
  const std::string container = detail::read_container(record.key, record.value);
  const std::size_t elements = Decoder(record.key, record.value).array();
  std::vector<std::string> meanings{(is_element ? "container " : "part ") + json(container)};
  if (elements > 1) meanings.push_back("epoch " + std::to_string(tail.epoch));
  if (is_element && elements > 2) {
    const detail::ElementMark mark = detail::read_mark(record.key, record.value);
    EXPECT_NE(mark, detail::ElementMark::kNone);
    meanings.push_back("mark " + std::to_string(static_cast<int>(mark)));
  }
  if (record.kind() == CheckedKey::kBucket && elements > 2)
    meanings.push_back("end " + std::to_string(detail::read_bucket_end(record.key, record.value).value()));
  if (tail.share) {
    meanings.push_back("least " + std::to_string(tail.share->least));
    meanings.push_back("most " + std::to_string(tail.share->most));
  }
  return array_lines(record.value, meanings);
}

Lines read_expiring(const Record& record) {
  const detail::Expiring read = detail::read_expiring(record.key, record.value);
  std::vector<std::string> meanings{"until " + std::to_string(read.until)};
  if (read.number)
    meanings.push_back((detail::is_token_key(record.key) ? "end " : "number ") +
                       std::to_string(*read.number));
  return array_lines(record.value, meanings);
}

Lines read_clock(const Record& record) {
  MemoryStore store;
  const std::unique_ptr<Transaction> transaction = store.begin();
  transaction->put(record.key, record.value);
  return {{record.value, "time " + std::to_string(detail::StoreClock::read(*transaction).value())}};
}

/// An entry of a unique index holds an id; a place, the part in the key of an entry.
Lines read_index_record(const Record& record) {
  Decoder in(record.key, record.value);
  if (in.nil()) return {{record.value, "nil"}};
  const std::string_view text = in.text();
  const bool is_place = record.key_lines.end()[-2].meaning == "place";
  KeyLines key{text};
  key.take_part(is_place ? "member" : "id", text.size());
  return {{record.value, key.lines.front().meaning}};
}

}  // namespace

Lines read_key(std::string_view bytes) {
  KeyLines key{bytes};
  if (bytes.starts_with(std::string_view("\0\0", 2))) {
    key.take(2, "store");
    key.take(key.rest.size(), '"' + std::string(key.rest) + '"');
  } else if (bytes.starts_with(std::string_view("\0\1", 2))) {
    take_key_of_mappers(key);
  } else if (bytes.starts_with(std::string_view("\0\2", 2))) {
    take_key_of_index(key);
  } else {
    take_key_of_entity(key);
  }
  EXPECT_EQ(key.rest, "") << "is left of the key";
  return key.lines;
}

Lines read_value(const Record& record) {
  Decoder in(record.key, record.value);
  switch (record.kind()) {
    case CheckedKey::kMain:
      return read_main(record);
    case CheckedKey::kShard:
    case CheckedKey::kDelta:
    case CheckedKey::kElement:
    case CheckedKey::kBucket:
      return read_shard(record);
    case CheckedKey::kMark:
    case CheckedKey::kToken:
      return read_expiring(record);
    case CheckedKey::kExpiry:
      return {{record.value, in.nil() ? "nil" : "something else"}};
    case CheckedKey::kClock:
      return read_clock(record);
    case CheckedKey::kLease: {
      in.array();
      const std::uint64_t holder = in.natural(), count = in.natural();
      return array_lines(record.value,
                         {"holder " + std::to_string(holder), "count " + std::to_string(count)});
    }
    case CheckedKey::kGeneration:
      return {{record.value, "generation " + std::to_string(in.natural())}};
    case CheckedKey::kIndexState:
      return {{record.value, detail::reads_complete(record.key, record.value) ? "complete" : "being built"}};
    case CheckedKey::kIndexRecord:
      return read_index_record(record);
    case CheckedKey::kOther:
      break;
  }
  return {{record.value, in.nil() ? "nil" : "format " + std::to_string(in.natural())}};
}

}  // namespace autoshard::test::format
