// Any bytes, and valid records with a few bytes changed.

#include "record_fuzz.h"

#include <autoshard/codec.h>
#include <gtest/gtest.h>

#include "support/test_store.h"

namespace autoshard::test {
namespace {

/// `test/nightly.sh` tries millions.
constexpr int kRecords = 10'000;

std::string random_bytes(std::mt19937_64& generator, std::size_t size) {
  std::string bytes(size, ' ');
  for (char& byte : bytes) byte = static_cast<char>(generator());
  return bytes;
}

/// MessagePack of a shape that the classes may know.
void append_value(Encoder& out, std::mt19937_64& generator, int depth) {
  constexpr std::string_view kNames[] = {
      "@version", "question", "author", "responses", "votes",  "text",     "price", "pieces", "buyers",
      "boolean",  "small",    "large",  "single",    "real",   "optional", "bits",  "three",  "map",
      "table",    "set",      "time",   "node",      "number", "children", "other"};
  const std::size_t size = below(generator, 5);
  switch (below(generator, depth > 0 ? 9 : 6)) {
    case 0:
      return out.nil();
    case 1:
      return out.boolean(below(generator, 2) == 0);
    case 2:
      return out.natural(generator() >> below(generator, 64));
    case 3:
      return out.integer(-static_cast<std::int64_t>(generator() >> (1 + below(generator, 63))));
    case 4:
      return out.real(static_cast<double>(generator()) / 7);
    case 5:
      return out.text(random_bytes(generator, size));
    case 6:
      out.array(size);
      for (std::size_t i = 0; i < size; ++i) append_value(out, generator, depth - 1);
      return;
    default:
      out.map(size);
      for (std::size_t i = 0; i < size; ++i) {
        out.text(kNames[below(generator, std::size(kNames))]);
        append_value(out, generator, depth - 1);
      }
  }
}

TEST(RecordFuzz, SurvivesAnyBytes) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < kRecords; ++i) try_bytes(random_bytes(generator, below(generator, 40)));
  for (int i = 0; i < 20; ++i) try_bytes(random_bytes(generator, 100'000));
}

/// Of the bytes that keys consist of.
std::string random_key(std::mt19937_64& generator) {
  constexpr std::string_view kPieces[] = {{"\0\1", 2},
                                          {"\0", 1},
                                          {"\0\xFF", 2},
                                          "\1",
                                          "\2",
                                          "\3",
                                          "\x13\x9B",
                                          "\x14",
                                          "\x15\x2A",
                                          "\x1C",
                                          "\x0C",
                                          "votes",
                                          "pieces",
                                          "bread",
                                          "\xFF\xFF",
                                          {"\0\0\0\0\0\0\0\7", 8},
                                          {"\2votes\0\1", 8},
                                          "\xC0"};
  std::string key;
  for (std::size_t pieces = below(generator, 8); pieces > 0; --pieces)
    key += kPieces[below(generator, std::size(kPieces))];
  if (below(generator, 4) == 0) key += random_bytes(generator, below(generator, 4));
  return key;
}

TEST(RecordFuzz, SurvivesDamagedKeys) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < kRecords; ++i) {
    const std::string key = random_key(generator);
    try_key(key);
    try_key(std::string_view(key).substr(0, below(generator, key.size() + 1)));
  }
}

TEST(RecordFuzz, SurvivesDamagedRecords) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < kRecords; ++i) {
    std::string record;
    Encoder out(record);
    append_value(out, generator, 5);
    try_record(record);
    for (std::size_t changes = below(generator, 4); changes > 0; --changes) {
      record[below(generator, record.size())] = static_cast<char>(generator());
    }
    try_record(record);
    try_record(std::string_view(record).substr(0, below(generator, record.size())));
  }
}

TEST(RecordFuzz, SurvivesDepthAndAnnouncedSizes) {
  try_bytes(std::string(1'000'000, '\x91'));
  try_bytes(std::string(1'000'000, '\x81'));
  try_bytes(std::string(1'000'000, '\3'));
  try_bytes(std::string(1'000'000, '\3') + std::string(1'000'000, '\1'));
  for (const char* tag : {"\xC6", "\xC9", "\xDB", "\xDD", "\xDF"}) {
    try_bytes(std::string(tag) + "\xFF\xFF\xFF\xFF");
    try_bytes(std::string(tag) + "\xFF\xFF\xFF\xFF" + std::string(1000, '\x01'));
  }
}

}  // namespace
}  // namespace autoshard::test
