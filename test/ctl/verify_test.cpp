// Which damage `autoshardctl verify` finds, and that no bytes make it or the other commands fail.

#include <autoshard/errors.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <utility>

#include "entities/indexes/indexed_film.autoshard.h"
#include "erase.h"
#include "keys.h"
#include "looks.h"
#include "record_json.h"
#include "support/temporary_folder.h"
#include "support/test_store.h"
#include "verify_fixture.h"

namespace autoshard::test {
namespace {

using cinema::IndexedFilm;

TEST_F(VerifyTest, FindsNothingInAHealthyStore) {
  const auto [problems, text] = verified();
  EXPECT_EQ(problems, 0U) << text;
  EXPECT_THAT(text, HasSubstr("records, 0 problems"));
}

TEST_F(VerifyTest, FindsEachValueThatTheFormatDoesNotAllow) {
  for (const auto& [key, value] : records(store_)) {
    put(key, "\xC1");  // no value of MessagePack
    const auto [problems, text] = verified();
    EXPECT_GE(problems, 1U) << detail::describe(key);
    EXPECT_THAT(verified(true).second, HasSubstr("\"bytes\":\"c1\"")) << detail::describe(key);
    put(key, value);
  }
  EXPECT_EQ(verified().first, 0U);
}

TEST_F(VerifyTest, FindsAnIndexRecordWithAnotherKindOfValue) {
  const auto all = records(store_);
  for (const auto& [key, value] : all) {
    const std::string indexes = detail::indexes_key("Member");
    if (!key.starts_with(indexes) || detail::index_of(key, indexes.size()).empty() || value != "\xC0")
      continue;
    put(key, "\xC2");
    expect_problem("the value of an index record is nil, a text or an integer");
    return;
  }
  FAIL() << "there is no entry";
}

TEST_F(VerifyTest, ReadsLargeMapsInTime) {
  std::string record;
  Encoder out(record);
  out.array(1);
  out.map(200'000);
  for (int i = 0; i < 200'000; ++i) {
    out.text(std::to_string(i));
    out.integer(i);
  }
  put(detail::shard_key(detail::entity_key("Flight", 1), "seats", 3), record);
  EXPECT_EQ(verified().first, 0U);
}

TEST_F(VerifyTest, FindsRecordsOfAnEntityThatIsMissing) {
  erase(detail::main_key(detail::entity_key("Flight", 1)));
  expect_problem("Flight 1, delta of likes: the entity has no main record");
}

TEST_F(VerifyTest, FindsAPartBeyondItsShare) {
  put(detail::shard_key(detail::entity_key("Flight", 1), "seats", 2),
      std::string_view("\x94\x20\x00\x00\x10", 5));
  expect_problem("Flight 1, shard of seats: the part is beyond the share of its shard");
}

TEST_F(VerifyTest, FindsExpiriesThatDoNotAgree) {
  const detail::EntityKey ann = detail::entity_key("Permit", std::string("ann"));
  const detail::RecordKey key = detail::expiry_key("Permit", kEnd.time_since_epoch() / 1ms, ann);
  erase(key);
  expect_problem("Permit \"ann\", main record: the entity expires, and the record is missing");
  put(key, "\xC0");
  put(detail::expiry_key("Permit", 5, ann), "\xC0");
  expect_problem("Permit \"ann\", expiry: no entity expires at this time");
}

TEST_F(VerifyTest, FindsIndexRecordsOfNoEntity) {
  Mapper mapper(store_, {.compact_every = 0ms});
  for (const char* code : {"alien", "brazil"}) {
    IndexedFilm film(code);
    film.title = "A film";
    film.view(7);
    mapper.save(film);
  }
  mapper.apply<&IndexedFilm::view>("alien", 5);
  const auto healthy = records(store_);
  mapper.erase<IndexedFilm>("brazil");
  EXPECT_EQ(verified().first, 0U) << verified().second;
  // The records that the erased entity has had: the entries of five indexes.
  std::size_t found = 0;
  for (const auto& [key, value] : healthy) {
    std::string now;
    if (!key.starts_with(detail::indexes_key("IndexedFilm")) || value != "\xC0" ||
        store_.snapshot()->get(key, now))
      continue;
    put(key, value);
    expect_problem("index record: the index is complete, and this record is of no entity");
    erase(key);
    ++found;
  }
  EXPECT_GE(found, 5U);
}

TEST_F(VerifyTest, MindsNoRecordsOfAnIndexThatIsNotComplete) {
  const std::string indexes = detail::indexes_key("Member");
  for (const auto& [key, value] : records(store_)) {
    if (!key.starts_with(indexes) || value != "\xC0") continue;
    const std::string_view index = detail::index_of(key, indexes.size());
    std::string of_nobody = key;
    of_nobody.back() = '\x09';
    put(of_nobody, value);
    expect_problem("this record is of no entity");
    put(index, "\xC2");
    EXPECT_EQ(verified().first, 0U);
    return;
  }
  FAIL() << "there is no entry";
}

TEST_F(VerifyTest, FindsAnIndexWithoutAGeneration) {
  erase(detail::indexes_key("Member"));
  EXPECT_GE(verified().first, 1U);
  EXPECT_THAT(verified().second, HasSubstr("the kind has records of an index and no generation"));
}

TEST_F(VerifyTest, MindsNoForeignRecords) {
  for (const char* key : {"foreign", "\2x", "\3"}) put(key, "anything");
  EXPECT_EQ(verified().first, 0U);
}

/// Whatever bytes a store holds, each command ends, and shows each record.
TEST_F(VerifyTest, RandomBytesMakeNoCommandFail) {
  std::mt19937_64 random = seeded_generator();
  const TemporaryFolder file;
  const auto own = records(store_);
  const auto mutate = [&](std::string bytes) {
    for (std::uint64_t changes = random() % 4; changes > 0; --changes) {
      const std::size_t at = random() % (bytes.size() + 1);
      const char byte = static_cast<char>(random());
      switch (random() % 3) {
        case 0:
          bytes.insert(at, 1, byte);
          break;
        case 1:
          if (at < bytes.size()) bytes[at] = byte;
          break;
        default:
          bytes.resize(at);
          break;
      }
    }
    return bytes;
  };
  for (int round = 0; round < 40; ++round) {
    for (int i = 0; i < 20; ++i) {
      const auto& [key, value] = own[random() % own.size()];
      const auto& [other, other_value] = own[random() % own.size()];
      const std::string changed = mutate(key);
      if (!changed.empty()) put(changed, mutate(random() % 2 == 0 ? value : other_value));
    }
    std::ostringstream out;
    if (round % 10 == 9) {
      ctl::Repair repair(store_, file.path() / "removed.jsonl");
      const std::uint64_t left = ctl::verify(store_, {out}, &repair);
      EXPECT_EQ(ctl::verify(store_, {out}), left);
    }
    for (const bool is_json : {false, true}) {
      ctl::verify(store_, {out, is_json});
      ctl::show_info(store_, {out, is_json});
      ctl::show_kinds(store_, {out, is_json});
      ctl::show_indexes(store_, {out, is_json});
      ctl::show_entity(store_, "Flight", "1", {out, is_json});
      ctl::show_shards(store_, "Flight", "1", "seats", {out, is_json});
    }
    ctl::show_entities(store_, "Flight", nullptr, UINT64_MAX, {out, true});
    for (const char* const kind : {"Flight", "Member", "Permit"}) {
      try {
        ctl::Missing missing;
        ctl::count_records(store_, kind, std::string(kind) == "Permit" ? "ann" : "1", missing);
      } catch (const InvalidUse&) {  // the records do not tell enough
      }
    }
    ctl::show_tokens(store_, "", "", UINT64_MAX, {out, true});
    std::ostringstream lines;
    ctl::show_records(store_, "", UINT64_MAX, {lines, true});
    std::size_t shown = 0, all = 0;
    for (const char byte : lines.str()) shown += byte == '\n' ? 1 : 0;
    const auto snapshot = store_.snapshot();
    for (const auto cursor = snapshot->scan("", std::string(300, '\xFF')); cursor->valid(); cursor->next())
      ++all;
    EXPECT_EQ(shown, all);
  }
}

}  // namespace
}  // namespace autoshard::test
