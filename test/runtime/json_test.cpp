#include <autoshard/autoshard.h>
#include <autoshard/json.h>
#include <gmock/gmock.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "entities/by_hand/log_entry.h"
#include "entities/indexes/film.autoshard.h"
#include "entities/types/specimen.autoshard.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using cinema::Film;
using museum::Crate;
using museum::Label;
using museum::Specimen;
using ::testing::HasSubstr;

template <class Call>
std::string complaint_of(Call call) {
  try {
    call();
  } catch (const InvalidJson& error) {
    return error.what();
  }
  return "no complaint";
}

std::string complaint_of_film(const std::string& properties) {
  return complaint_of([&] { from_json<Film>("{\"@id\": \"a\", " + properties + "}"); });
}

TEST(JsonTest, PropertiesComeInTheOrderOfTheClass) {
  Film film("m\"1");
  film.year = 1931;
  film.length = 117;
  film.title = "M – Eine Stadt sucht einen Mörder\n";
  film.genre = cinema::Genre::kThriller;
  film.tags = {"noir", "crime"};
  film.cast = {{"Lorre", 1}};
  film.view(3);
  EXPECT_EQ(to_json(film),
            "{\"@id\": \"m\\\"1\", \"year\": 1931, \"length\": 117.0, "
            "\"title\": \"M – Eine Stadt sucht einen Mörder\\n\", \"genre\": 2, \"subtitled\": false, "
            "\"studio\": null, \"tags\": [\"crime\", \"noir\"], \"cast\": {\"Lorre\": 1}, \"released\": 0, "
            "\"viewers\": 3, \"best\": 0}");
}

TEST(JsonTest, WhatJsonHasNoFormForHasOne) {
  Specimen specimen("\xFF", 7);
  specimen.text = std::string("\xC0\x80\0", 3);
  specimen.real = -std::numeric_limits<double>::infinity();
  specimen.numbered = {{1, "a"}};
  specimen.notes = {{"@hex", "b"}};
  const std::string json = to_json(specimen);
  EXPECT_THAT(json, HasSubstr("{\"@id\": [{\"@hex\": \"ff\"}, 7], "));
  EXPECT_THAT(json, HasSubstr("\"text\": {\"@hex\": \"c08000\"}"));
  EXPECT_THAT(json, HasSubstr("\"real\": {\"@real\": \"-inf\"}"));
  EXPECT_THAT(json, HasSubstr("\"numbered\": {\"@map\": [[1, \"a\"]]}"));
  EXPECT_THAT(json, HasSubstr("\"notes\": {\"@map\": [[\"@hex\", \"b\"]]}"));
  EXPECT_EQ(to_json(from_json<Specimen>(json)), json);
  const Crate crate({std::byte{1}, std::byte{0xFF}, std::byte{0}, std::byte{'a'}});
  EXPECT_EQ(to_json(crate), "{\"@id\": {\"@hex\": \"01ff0061\"}, \"content\": \"\"}");
  EXPECT_EQ(to_json(from_json<Crate>(to_json(crate))), to_json(crate));
}

TEST(JsonTest, AnIdMayHavePointsInTime) {
  activity::LogEntry entry("ann", "acme", activity::Time(std::chrono::milliseconds(-1500)));
  entry.text = "signs in";
  const std::string json = to_json(entry);
  EXPECT_THAT(json, HasSubstr("-1500"));
  const auto again = from_json<activity::LogEntry>(json);
  EXPECT_EQ(again.time(), entry.time());
  EXPECT_EQ(to_json(again), json);
}

TEST(JsonTest, MissingPropertiesHaveTheirDefaultsAndFormerNamesAreKnown) {
  const Specimen specimen =
      from_json<Specimen>(R"({"remarks": {"by": "ann"}, "@id": ["oak", 3], "guests": ["bob"]})");
  EXPECT_EQ(specimen.notes.at("by"), "ann");
  EXPECT_EQ(specimen.visitors(), std::set<std::string>{"bob"});
  EXPECT_EQ(specimen.visits(), 0);
  EXPECT_FALSE(specimen.maybe);
}

TEST(JsonTest, SaysWhatIsWrong) {
  EXPECT_EQ(complaint_of([] { from_json<Film>("[1]"); }),
            "the text is not a JSON object: write each entity as an object");
  EXPECT_EQ(complaint_of([] { from_json<Film>("{}"); }), "the entity has no \"@id\": add its id");
  EXPECT_THAT(complaint_of([] { from_json<Film>("{\"@id\": \"a\""); }),
              HasSubstr("the text is not JSON: column 12: "));
  EXPECT_THAT(complaint_of([] { from_json<Film>("{\"@id\": \"\xFF\"}"); }), HasSubstr("ill-formed UTF-8"));
  EXPECT_THAT(complaint_of([] { from_json<Film>(""); }), HasSubstr("the text is not JSON: "));
  EXPECT_THAT(complaint_of([] { from_json<Film>("{\"@id\": \"a\"} x"); }),
              HasSubstr("the text is not JSON: "));
  EXPECT_EQ(complaint_of([] { from_json<Film>("{\"@id\": 1}"); }), "\"@id\": a value that is not a text");
  EXPECT_EQ(complaint_of([] { from_json<Crate>("{\"@id\": \"a\"}"); }),
            "\"@id\": an id with another number of bytes");
  EXPECT_EQ(complaint_of([] { from_json<Specimen>("{\"@id\": [\"a\"]}"); }),
            "\"@id\": an id with another number of parts");
  EXPECT_EQ(complaint_of_film("\"yaer\": 1"), "\"yaer\": Film has no property of this name");
  EXPECT_EQ(complaint_of_film("\"year\": \"x\""), "\"year\": a value that is not an integer");
  EXPECT_EQ(complaint_of_film("\"year\": 1.5"), "\"year\": a value that is not an integer");
  EXPECT_EQ(complaint_of_film("\"year\": 3000000000"), "\"year\": a number too large for its property");
  EXPECT_EQ(complaint_of_film("\"viewers\": [1]"), "\"viewers\": a value that is not an integer");
  EXPECT_EQ(complaint_of_film("\"year\": 1, \"year\": 2"), "an object has the key \"year\" twice");
  EXPECT_EQ(complaint_of_film("\"cast\": {\"a\": 1, \"a\": 2}"), "an object has the key \"a\" twice");
  EXPECT_EQ(complaint_of_film("\"title\": {\"@hex\": \"f\"}"),
            "\"title\": @hex is not a text with an even number of digits from 0 to f");
  EXPECT_EQ(complaint_of_film("\"title\": {\"@hex\": 1}"),
            "\"title\": @hex is not a text with an even number of digits from 0 to f");
  EXPECT_EQ(complaint_of_film("\"title\": {\"@hex\": \"fX\"}"),
            "\"title\": @hex is not a text with an even number of digits from 0 to f");
  EXPECT_EQ(complaint_of_film("\"length\": {\"@real\": \"big\"}"),
            "\"length\": @real is neither \"nan\" nor \"inf\" nor \"-inf\"");
  EXPECT_EQ(complaint_of_film("\"cast\": {\"@map\": 1}"),
            "\"cast\": @map is not an array of keys with their values");
  EXPECT_EQ(complaint_of_film("\"cast\": {\"@map\": [[1]]}"),
            "\"cast\": an entry of @map is not an array of a key and its value");
  EXPECT_EQ(complaint_of_film("\"cast\": {\"@set\": []}"),
            "\"cast\": \"@set\" is none of @hex, @real and @map");
  EXPECT_THAT(complaint_of_film("\"length\": 1e999"), HasSubstr("the text is not JSON: number overflow"));
}

TEST(JsonTest, DeepNestingIsRefusedAndNotFollowed) {
  const auto nested = [](std::size_t levels) {
    return "\"title\": " + std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_THAT(complaint_of_film(nested(400)), HasSubstr("\"title\": "));
  EXPECT_EQ(complaint_of_film(nested(1'000'000)), "containers are nested deeper than 768 levels");
}

// Random entities.

std::string random_text(std::mt19937_64& generator) {
  static const std::vector<std::string> kParts = {
      "a",    "\"", "\\", "\n",   std::string(1, '\0'), "é", "\U0001F600", "\xFF",
      "@hex", "@",  " ",  "\x7F", "\xED\xA0\x80"};
  std::string text;
  for (std::size_t parts = below(generator, 5); parts > 0; --parts)
    text += kParts[below(generator, kParts.size())];
  return text;
}

std::uint64_t random_bits(std::mt19937_64& generator) {
  const std::uint64_t bits = generator() >> below(generator, 64);
  return below(generator, 2) == 0 ? bits : ~bits;
}

/// Of all bit patterns, which has many NaN among them; those are all the same to JSON.
template <class Real, class Bits>
Real random_real(std::mt19937_64& generator) {
  switch (below(generator, 4)) {
    case 0:
      return static_cast<Real>(static_cast<std::int64_t>(random_bits(generator)));
    case 1:
      return std::numeric_limits<Real>::infinity();
    default: {
      const Real real = std::bit_cast<Real>(static_cast<Bits>(generator()));
      return std::isnan(real) ? std::numeric_limits<Real>::quiet_NaN() : real;
    }
  }
}

Label random_label(std::mt19937_64& generator, std::size_t levels) {
  Label label{random_text(generator), std::nullopt, {}};
  if (below(generator, 2) == 0) label.size = static_cast<int>(generator());
  if (levels > 0) {
    for (std::size_t parts = below(generator, 3); parts > 0; --parts)
      label.parts.push_back(random_label(generator, levels - 1));
  }
  return label;
}

Specimen random_specimen(std::mt19937_64& generator, std::uint32_t drawer) {
  Specimen specimen(random_text(generator), drawer);
  specimen.natural = random_bits(generator);
  specimen.integer = static_cast<std::int64_t>(random_bits(generator));
  specimen.real = random_real<double, std::uint64_t>(generator);
  specimen.single = random_real<float, std::uint32_t>(generator);
  specimen.shown = below(generator, 2) == 0;
  specimen.text = random_text(generator);
  specimen.found = std::chrono::sys_seconds(std::chrono::seconds(static_cast<std::int64_t>(generator())));
  if (below(generator, 2) == 0) specimen.maybe.emplace();
  if (below(generator, 2) == 0) specimen.maybe = static_cast<int>(generator());
  for (std::size_t i = below(generator, 4); i > 0; --i) {
    specimen.weights.push_back(random_real<double, std::uint64_t>(generator));
    specimen.notes[random_text(generator)] = random_text(generator);
    specimen.numbered[static_cast<int>(generator())] = random_text(generator);
    specimen.table[random_text(generator)].push_back(static_cast<int>(generator()));
    specimen.see(random_text(generator));
  }
  specimen.place = {static_cast<std::int8_t>(generator()), 0, -128};
  if (below(generator, 2) == 0) specimen.kind = random_text(generator);
  if (below(generator, 2) == 0) specimen.kind = static_cast<int>(generator());
  specimen.pair = {static_cast<int>(generator()), random_text(generator)};
  specimen.label = random_label(generator, 3);
  specimen.visit(static_cast<std::int64_t>(generator()));
  return specimen;
}

/// What is stored of it but the version.
std::string bytes_of(Specimen& specimen) {
  const detail::EntityType& type = detail::kEntityType<Specimen>;
  std::string bytes = detail::entity_ref(specimen).key.bytes();
  Encoder out(bytes);
  type.encode_properties(out, &specimen);
  for (const detail::ShardedPropertyType& property : type.sharded)
    property.encode(out, property.in_entity(&specimen));
  return bytes;
}

TEST(JsonTest, EveryEntityComesBackAsItWas) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 3000; ++i) {
    Specimen specimen = random_specimen(generator, static_cast<std::uint32_t>(generator()));
    const std::string json = to_json(specimen);
    ASSERT_EQ(json.find('\n'), json.npos) << json;
    Specimen read = from_json<Specimen>(json);
    ASSERT_EQ(bytes_of(read), bytes_of(specimen)) << json;
    ASSERT_EQ(to_json(read), json);
  }
}

/// Whatever bytes: an entity or a complaint.
TEST(JsonTest, ATextThatWasTamperedWithIsReadOrRefused) {
  std::mt19937_64 generator = seeded_generator();
  int refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string json = to_json(random_specimen(generator, 1));
    for (std::size_t changes = 1 + below(generator, 3); changes > 0; --changes)
      json[below(generator, json.size())] = "{}[]\",:@0e-."[below(generator, 12)];
    try {
      to_json(from_json<Specimen>(json));
    } catch (const InvalidJson&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

class JsonStoreTest : public StoreTest {
 protected:
  Mapper mapper_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
};

TEST_P(JsonStoreTest, WhatIsExportedIsImportedAsItWas) {
  std::mt19937_64 generator = seeded_generator();
  std::vector<Specimen> specimens;
  for (std::uint32_t drawer = 0; drawer < 300; ++drawer)
    specimens.push_back(random_specimen(generator, drawer));
  mapper_.save(specimens);
  std::stringstream text;
  std::vector<std::uint64_t> told;
  EXPECT_EQ(export_json<Specimen>(mapper_, text,
                                  [&](const JsonProgress& progress) {
                                    EXPECT_FALSE(progress.total_bytes);
                                    told.push_back(progress.entities);
                                  }),
            300U);
  EXPECT_EQ(told, std::vector<std::uint64_t>{300});
  MemoryStore another;
  Mapper importer(another);
  JsonProgress last;
  EXPECT_EQ(import_json<Specimen>(importer, text,
                                  [&](const JsonProgress& progress) {
                                    EXPECT_GE(progress.entities, last.entities);
                                    last = progress;
                                  }),
            300U);
  EXPECT_EQ(last.entities, 300U);
  EXPECT_EQ(last.bytes, text.str().size());
  EXPECT_EQ(last.total_bytes, text.str().size());
  std::stringstream again;
  export_json<Specimen>(importer, again);
  EXPECT_EQ(again.str(), text.str());
}

TEST_P(JsonStoreTest, AnExportIsOfOneInstant) {
  for (const char* code : {"a", "b", "c"}) mapper_.save(Film(code));
  std::stringstream text;
  // The stream of a slow reader: somebody votes after the first line.
  for (const Film& film : mapper_.query<Film>()) {
    text << to_json(film) << '\n';
    mapper_.apply<&Film::view>("c", 1);
  }
  EXPECT_THAT(text.str(), HasSubstr("\"viewers\": 0, \"best\": 0}\n"));
  EXPECT_EQ(text.str().find("\"viewers\": 1"), std::string::npos);
}

TEST_P(JsonStoreTest, AnImportEndsAtTheFirstLineThatIsNoEntity) {
  std::stringstream text;
  for (int i = 0; i < 200; ++i) text << to_json(Film("film " + std::to_string(i))) << "\n\n";
  text << "{\"@id\": \"bad\", \"year\": \"x\"}\n" << to_json(Film("later")) << '\n';
  try {
    import_json<Film>(mapper_, text);
    FAIL();
  } catch (const ImportFailed& failed) {
    EXPECT_EQ(failed.line(), 401U);
    EXPECT_EQ(failed.imported(), 200U);
    EXPECT_STREQ(
        failed.what(),
        "line 401: \"year\": a value that is not an integer; 200 entities are imported, including those "
        "of all lines before this one");
  }
  EXPECT_EQ(mapper_.query<Film>().count(), 200U);
}

TEST_P(JsonStoreTest, AnImportSaysWhichLineCouldNotBeSaved) {
  mapper_.save(Film("film 3"));
  std::stringstream text;
  for (int i = 0; i < 10; ++i) text << to_json(Film("film " + std::to_string(i))) << '\n';
  try {
    import_json<Film>(mapper_, text);
    FAIL();
  } catch (const ImportFailed& failed) {
    EXPECT_EQ(failed.line(), 4U);
    EXPECT_EQ(failed.imported(), 9U);
    EXPECT_THAT(failed.what(), HasSubstr("Film \"film 3\" exists already"));
  }
  EXPECT_EQ(mapper_.query<Film>().count(), 10U);
}

TEST_P(JsonStoreTest, AStreamThatFailsIsAnError) {
  mapper_.save(Film("a"));
  std::ostringstream full;
  full.setstate(std::ios::badbit);
  EXPECT_THROW(export_json<Film>(mapper_, full), Error);
  std::istringstream nothing;
  EXPECT_EQ(import_json<Film>(mapper_, nothing), 0U);
  std::ifstream absent("/there/is/no/such/file");
  EXPECT_THROW(import_json<Film>(mapper_, absent), ImportFailed);
  std::istringstream broken("{\"@id\": \"b\"}");
  broken.setstate(std::ios::badbit);
  EXPECT_THROW(import_json<Film>(mapper_, broken), ImportFailed);
}

INSTANTIATE_TEST_SUITE_P(Stores, JsonStoreTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
