#include "second_reader.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "checked_values.h"

namespace autoshard::test::format {
namespace {

std::vector<std::string> read_main_again(const Record& record) {
  const std::optional<detail::CheckedMain> main = detail::read_checked_main(record.key, record.value);
  if (!main) return {"nothing"};
  if (main->is_tombstone) return {"nil"};
  const std::size_t others = 1 + (main->layouts.empty() ? 0 : 1) + (main->expires ? 1 : 0);
  std::vector<std::string> meanings{"map of " + std::to_string(main->entries.size() + others),
                                    "\"@version\": " + std::to_string(main->version)};
  nlohmann::json layouts;
  for (const auto& [name, layout] : main->layouts) layouts[name] = {layout.first, layout.second};
  if (!layouts.empty()) meanings.push_back("\"@sharding\": " + layouts.dump());
  if (main->expires) meanings.push_back("\"@expires\": " + std::to_string(*main->expires));
  for (const auto& [name, value] : main->entries) meanings.push_back('"' + name + "\": " + json(value));
  return meanings;
}

std::vector<std::string> read_shard_again(const Record& record) {
  const std::optional<detail::CheckedShard> shard = detail::read_checked_shard(record.key, record.value);
  if (!shard) return {"nothing"};
  const CheckedKey key = detail::parse_checked_key(record.key);
  const bool is_element = key.kind == CheckedKey::kElement;
  std::vector<std::string> meanings{"array of " + std::to_string(shard->elements),
                                    (is_element ? "container " : "part ") + json(shard->value)};
  if (shard->elements > 1) meanings.push_back("epoch " + std::to_string(shard->epoch));
  if (shard->third) meanings.push_back((is_element ? "mark " : "end ") + std::to_string(*shard->third));
  if (shard->share) {
    meanings.push_back("least " + std::to_string(shard->share->first));
    meanings.push_back("most " + std::to_string(shard->share->second));
    EXPECT_EQ("part " + std::to_string(shard->part.value()), meanings[1]);
  }
  return meanings;
}

std::vector<std::string> read_numbers_again(const Record& record, const std::string& first,
                                            const std::string& second) {
  const auto numbers = detail::read_checked_numbers(record.key, record.value, 2);
  if (!numbers) return {"nothing"};
  const auto as_natural = [](std::int64_t number) {
    return std::to_string(static_cast<std::uint64_t>(number));  // drawn at random, it may have all 64 bits
  };
  return {"array of 2", first + as_natural((*numbers)[0]), second + as_natural((*numbers)[1])};
}

std::string read_natural_again(const Record& record, const std::string& name) {
  const auto number = detail::read_checked_natural(record.key, record.value);
  return number ? name + std::to_string(*number) : "nothing";
}

}  // namespace

Lines read_key_again(std::string_view bytes) {
  const CheckedKey key = detail::parse_checked_key(bytes);
  const std::string id(detail::checked_id(key.entity)),
      kind = key.entity.substr(0, key.entity.size() - id.size());
  Lines lines;
  std::size_t used = 0;
  const auto take = [&](std::size_t size, std::string meaning = "") {
    lines.push_back({std::string(bytes.substr(used, size)), std::move(meaning)});
    used += size;
  };
  const auto take_rest = [&] {
    if (used < bytes.size()) take(bytes.size() - used);
  };
  switch (key.kind) {
    case CheckedKey::kMain:
      EXPECT_EQ(detail::checked_main_key(key.entity), bytes);
      break;
    case CheckedKey::kShard:
    case CheckedKey::kDelta:
    case CheckedKey::kElement:
    case CheckedKey::kBucket:
      take(kind.size());
      take(id.size());
      take(bytes.size() - key.entity.size() - 2 - key.rest.size(), "property \"" + key.property + '"');
      take(2, key.kind == CheckedKey::kDelta
                  ? "delta"
                  : (key.is_of_shard() ? "shard " : "partition ") + std::to_string(key.number));
      if (key.kind == CheckedKey::kBucket) take(8);
      break;
    case CheckedKey::kExpiry:
      EXPECT_EQ(detail::checked_expiry_key(key.entity, static_cast<std::int64_t>(key.time)), bytes);
      take(bytes.size() - 8 - id.size());
      take(8, "time " + std::to_string(key.time));
      break;
    case CheckedKey::kIndexState:
    case CheckedKey::kIndexRecord:
      EXPECT_EQ(key.index.size() + key.rest.size(), bytes.size());
      take(key.indexes.size());
      take(key.index.size() - key.indexes.size());
      break;
    case CheckedKey::kToken:
      EXPECT_NE(bytes.find(key.entity), std::string_view::npos);
      take(bytes.find(key.entity));
      take(kind.size());
      take(id.size());
      break;
    default:
      break;
  }
  take_rest();
  return lines;
}

std::vector<std::string> read_value_again(const Record& record) {
  const bool is_nil = detail::is_checked_nil(record.value);
  switch (record.kind()) {
    case CheckedKey::kMain:
      return read_main_again(record);
    case CheckedKey::kShard:
    case CheckedKey::kDelta:
    case CheckedKey::kElement:
    case CheckedKey::kBucket:
      return read_shard_again(record);
    case CheckedKey::kMark:
      return read_numbers_again(record, "until ", "number ");
    case CheckedKey::kToken:
      return read_numbers_again(record, "until ", "end ");
    case CheckedKey::kLease:
      return read_numbers_again(record, "holder ", "count ");
    case CheckedKey::kExpiry:
      return {is_nil ? "nil" : "nothing"};
    case CheckedKey::kClock:
      return {read_natural_again(record, "time ")};
    case CheckedKey::kGeneration:
      return {read_natural_again(record, "generation ")};
    case CheckedKey::kIndexState:
      if (!detail::is_checked_boolean(record.value)) return {"nothing"};
      return {record.value == "\xC3" ? "complete" : "being built"};
    case CheckedKey::kIndexRecord: {
      if (is_nil) return {"nil"};
      const std::optional<std::string> text = detail::read_checked_text(record.key, record.value);
      if (!text) return {"nothing"};
      const std::string& its = record.value_lines.front().bytes;
      EXPECT_TRUE(its.ends_with(*text) && its.size() == 1 + text->size());
      return {record.value_lines.front().meaning};  // of the bytes of the str, it does not tell the meaning
    }
    case CheckedKey::kOther:
      break;
  }
  return {is_nil ? "nil" : read_natural_again(record, "format ")};
}

}  // namespace autoshard::test::format
