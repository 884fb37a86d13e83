// `autoshardctl erase`: without the class of the entity.

#include "erase.h"

#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checked_keys.h"
#include "entities/indexes/indexed_film.autoshard.h"
#include "entities/versions/bookmark/bookmark.autoshard.h"
#include "keys.h"
#include "record_json.h"
#include "runtime/controlled_store.h"
#include "scan.h"
#include "verify_fixture.h"

namespace autoshard::test {
namespace {

using cinema::IndexedFilm;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

class EraseWithoutClassTest : public VerifyTest {
 protected:
  EraseWithoutClassTest() {
    for (const char* code : {"a", "\2a"}) {  // the key of the second id ends with that of the first
      IndexedFilm film(code);
      film.year = 1960;
      film.title = "Film";
      mapper_.save(film);
    }
    mapper_.apply<&IndexedFilm::view>("a", 3);
    admin::refresh_indexes<IndexedFilm>(mapper_);
    mapper_.apply<&IndexedFilm::rate>("a", 4);  // makes the entity dirty
  }

  ctl::EntityRecords erase_entity(const std::string& kind, const std::string& id) {
    ctl::Missing missing;
    const ctl::EntityRecords records = ctl::erase_entity(store_, kind, id, missing);
    EXPECT_EQ(missing, "");
    return records;
  }

  std::string refusal(const std::string& kind, const std::string& id) {
    const auto before = all_records();
    try {
      ctl::Missing missing;
      ctl::erase_entity(store_, kind, id, missing);
    } catch (const InvalidUse& error) {
      EXPECT_EQ(all_records(), before);
      return error.what();
    }
    return "erased";
  }

  std::vector<std::pair<std::string, std::string>> all_records() {
    std::vector<std::pair<std::string, std::string>> records;
    ctl::for_each_record(*store_.snapshot(), "", [&](std::string_view key, std::string_view value) {
      records.emplace_back(key, value);
      return true;
    });
    return records;
  }

  /// The records of an entity, and those of indexes and of expiry that may lead to it; no tokens.
  std::vector<std::string> records_of(const std::string& kind, const std::string& id) {
    const std::string entity = ctl::entity_key_of(kind, ctl::id_from_text(id));
    std::vector<std::string> forms;
    for (const auto& [key, value] : all_records()) {
      const detail::CheckedKey parsed = detail::parse_checked_key(key);
      const std::string form = ctl::text_of(ctl::describe_record(key, value)["form"]);
      if (parsed.kind != detail::CheckedKey::kToken && parsed.entity == entity) forms.push_back(form);
    }
    return forms;
  }

  Mapper mapper_{store_, {.combine = false, .compact_every = 0ms, .clock = [] { return kEnd - 1s; }}};
};

TEST_F(EraseWithoutClassTest, LeavesNothingOfAnEntityOfAnyForm) {
  const std::vector<std::pair<std::string, std::string>> all = {{"Permit", "ann"}, {"Topic", "1"},
                                                                {"Flight", "1"},   {"Talk", "1"},
                                                                {"Member", "1"},   {"IndexedFilm", "a"}};
  for (const auto& [kind, id] : all) {
    EXPECT_FALSE(records_of(kind, id).empty());
    const ctl::EntityRecords removed = erase_entity(kind, id);
    EXPECT_THAT(removed.removed, Contains(Pair("main record", 1))) << kind;
    EXPECT_THAT(records_of(kind, id), IsEmpty()) << kind;
    const auto [problems, text] = verified();
    EXPECT_EQ(problems, 0U) << kind << '\n' << text;
  }
  EXPECT_FALSE(mapper_.load<Flight>(1));
  EXPECT_TRUE(mapper_.load<Talk>(2));
}

TEST_F(EraseWithoutClassTest, ProgramsGoOnWithTheIndexes) {
  const ctl::EntityRecords removed = erase_entity("IndexedFilm", "a");
  // year, genre and ByTitle; two ranked indexes with an entry and a place each; one is dirty
  EXPECT_THAT(removed.removed, Contains(Pair("index record", 8)));
  std::vector<std::string> codes;
  for (const IndexedFilm& film : mapper_.query<IndexedFilm>(Fields<IndexedFilm>::year == 1960))
    codes.push_back(film.code());
  EXPECT_THAT(codes, ElementsAre("\2a"));
  admin::refresh_indexes<IndexedFilm>(mapper_);
  EXPECT_EQ(verified().first, 0U);

  erase_entity("Member", "1");
  Member same_email(3);
  same_email.email = "1";
  mapper_.save(same_email);
  EXPECT_EQ(verified().first, 0U);
}

TEST_F(EraseWithoutClassTest, ALaterEntityOfTheIdCountsNothingOfTheEarlierOne) {
  erase_entity("Flight", "1");
  mapper_.save(Flight(1));
  EXPECT_EQ(mapper_.load<Flight>(1).value().likes(), 0);
}

TEST_F(EraseWithoutClassTest, LeavesForeignRecordsAlone) {
  const std::string foreign = ctl::entity_key_of("Flight", ctl::id_from_text("1")) + "\x03";
  put(foreign, "text");
  EXPECT_THAT(erase_entity("Flight", "1").removed, Not(Contains(Pair("foreign record", 1))));
  std::string value;
  EXPECT_TRUE(store_.snapshot()->get(foreign, value));
}

TEST_F(EraseWithoutClassTest, KeepsTokens) {
  EXPECT_EQ(erase_entity("Permit", "ann").tokens, 1U);
  mapper_.save(Permit("ann", kEnd));
  mapper_.apply<&Permit::use>("ann", token("order 7"), 5);
  EXPECT_EQ(mapper_.load<Permit>("ann").value().uses(), 0);  // the update does not count again
}

TEST_F(EraseWithoutClassTest, CompletesAnEraseThatWasCutShort) {
  const auto record = detail::shard_key(detail::entity_key("Flight", 3), "likes", 0);
  put(detail::main_key(detail::entity_key("Flight", 3)), "\xC0");
  put(record, "\x91\x05");
  const ctl::EntityRecords removed = erase_entity("Flight", "3");
  EXPECT_THAT(removed.removed, Contains(Pair("tombstone", 1)));
  EXPECT_THAT(removed.removed, Contains(Pair("shard", 1)));
  EXPECT_THAT(records_of("Flight", "3"), IsEmpty());
}

TEST_F(EraseWithoutClassTest, ErasesAnEntityWhoseMainRecordIsDamaged) {
  put(detail::main_key(detail::entity_key("Member", 1)), "\xFF");
  erase_entity("Member", "1");
  EXPECT_EQ(verified().first, 0U);
}

TEST_F(EraseWithoutClassTest, SaysWhatIsMissing) {
  ctl::Missing missing;
  ctl::erase_entity(store_, "Flight", "99", missing);
  EXPECT_EQ(missing, "there is no Flight 99");
}

TEST_F(EraseWithoutClassTest, RefusesAnEntityWithoutMainRecord) {
  put(detail::shard_key(detail::entity_key("Flight", 3), "likes", 0), "\x91\x05");
  EXPECT_THAT(refusal("Flight", "3"), HasSubstr("has no main record, but other records: 'verify --repair'"));
}

TEST_F(EraseWithoutClassTest, RefusesWhileAnIndexIsBuilt) {
  for (const auto& [key, value] : all_records()) {
    const detail::CheckedKey parsed = detail::parse_checked_key(key);
    if (parsed.kind == detail::CheckedKey::kIndexState) put(key, "\xC2");
  }
  EXPECT_THAT(refusal("Member", "1"),
              HasSubstr("is being built, and the build may give the entity an entry meanwhile"));
  EXPECT_THAT(refusal("Flight", "1"), HasSubstr("erased"));
}

TEST_F(EraseWithoutClassTest, RefusesIfTheRecordsOfAnIndexHaveNoForm) {
  for (const auto& [key, value] : all_records()) {
    const detail::CheckedKey parsed = detail::parse_checked_key(key);
    if (parsed.kind == detail::CheckedKey::kIndexState &&
        parsed.indexes.ends_with(std::string("Member\0\1", 8)))
      put(key + "\x05", "\xC0");
  }
  EXPECT_THAT(refusal("Member", "1"), HasSubstr("do not tell which are of the entity. Let a program call"));
}

TEST_F(EraseWithoutClassTest, LooksAgainAfterAnUpdateBetweenLookingAndCommitting) {
  mapper_.save(IndexedFilm("c"));
  admin::refresh_indexes<IndexedFilm>(mapper_);
  ControlledStore controlled(store_);
  int commits = 0;
  controlled.open([&](Transaction& transaction, const ControlledStore::Keys&) {
    // Makes the entity dirty, which writes a record of an index and not the main record.
    if (++commits == 1) mapper_.apply<&IndexedFilm::view>("c", 1);
    return transaction.commit();
  });
  ctl::Missing missing;
  ctl::erase_entity(controlled, "IndexedFilm", "c", missing);
  EXPECT_EQ(missing, "");
  const auto [problems, text] = verified();
  EXPECT_EQ(problems, 0U) << text;
}

TEST_F(EraseWithoutClassTest, LooksAgainAfterAnIndexHasComeOrGone) {
  const std::string generation = detail::checked_generation_key(ctl::entity_key_of("Member", ""));
  ControlledStore controlled(store_);
  int commits = 0;
  controlled.open([&](Transaction& transaction, const ControlledStore::Keys&) {
    if (++commits == 1) put(generation, "\x07");
    return transaction.commit();
  });
  ctl::Missing missing;
  ctl::erase_entity(controlled, "Member", "1", missing);
  EXPECT_EQ(commits, 3);  // the one that conflicts, the tombstone, and its removal
  EXPECT_EQ(verified().first, 0U);
}

}  // namespace
}  // namespace autoshard::test
