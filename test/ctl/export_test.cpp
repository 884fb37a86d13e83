// Exports of autoshardctl, and imports of them.

#include <autoshard/autoshard.h>
#include <autoshard/rocksdb_store.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>
#include <string>

#include "ctl_fixture.h"
#include "hex.h"

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

TEST_F(CtlTest, ExportsAllRecordsAndImportsThem) {
  const Ran all = run({"export"});
  EXPECT_EQ(all.code, 0);
  const std::string lines = file("all.jsonl", all.out);
  const Ran imported = run_words({"autoshardctl", other("copy"), "import", lines});
  EXPECT_EQ(imported.code, 0) << imported.errors;
  EXPECT_EQ(imported.out, "32 records, 32 written\n");
  EXPECT_EQ(run_words({"autoshardctl", other("copy"), "export"}).out, all.out);
  EXPECT_EQ(run_words({"autoshardctl", other("copy"), "import", lines, "--json"}).out,
            "{\"records\":32,\"written\":0}\n");

  {
    RocksDbStore store(folder_.path() / "copy", {.minimum_free_bytes = 0});
    Mapper mapper(store, {.combine = false, .compact_every = 0ms});
    EXPECT_EQ(mapper.load<Flight>(7).value().likes(), 3);
    Member member = mapper.load<Member>(5).value();
    member.name = "Eve";
    mapper.save(member);
  }
  const Ran refused = run_words({"autoshardctl", other("copy"), "import", lines});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(
      refused.errors,
      MatchesRegex("autoshardctl: line [0-9]+: the store has another value of this record. Of the lines "
                   "before, 0 records were written\n"));
  RocksDbStore store(folder_.path() / "copy", {.minimum_free_bytes = 0});
  EXPECT_EQ(Mapper(store).load<Member>(5).value().name, "Eve");
}

TEST_F(CtlTest, ImportsNoStateOfAnIndexWhoseEntriesAreMissing) {
  std::string entity, indexes;
  std::istringstream lines(run({"export", "Member"}).out);
  for (std::string line; std::getline(lines, line);)
    (line.find("index") == std::string::npos && line.find("generation") == std::string::npos ? entity
                                                                                             : indexes) +=
        line + "\r\n\r\n";
  EXPECT_EQ(run_words({"autoshardctl", other("x"), "import", file("entity", entity)}).out,
            "1 records, 1 written\n");
  const Ran refused = run_words({"autoshardctl", other("x"), "import", file("indexes", indexes)});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("the store has entities of this kind, and not this index"));
}

TEST_F(CtlTest, ExportsOneKind) {
  const Ran members = run({"export", "Member"});
  EXPECT_EQ(members.code, 0);
  EXPECT_THAT(members.out, Not(HasSubstr("Flight")));
  EXPECT_EQ(run_words({"autoshardctl", other("members"), "import", file("members.jsonl", members.out)}).code,
            0);
  EXPECT_EQ(run_words({"autoshardctl", other("members"), "get", "Member", "5"}).out,
            run({"get", "Member", "5"}).out);
  EXPECT_EQ(run_words({"autoshardctl", other("members"), "get", "Flight", "7"}).code, 1);
  EXPECT_EQ(run_words({"autoshardctl", other("members"), "verify"}).out, "9 records, 0 problems\n");
  EXPECT_EQ(run({"export", "Fligth"}).code, 1);
  EXPECT_THAT(run({"export", "Fligth"}).errors, HasSubstr("the kinds are Flight, Member"));
}

TEST_F(CtlTest, ImportsNoPartsOfAnEarlierState) {
  const std::string lines = file("flights.jsonl", run({"export", "Flight"}).out);
  const std::string air = (folder_.path() / "other").string();
  ASSERT_EQ(run({"copy", "rocksdb:" + air, "--live"}).code, 0);
  {
    RocksDbStore store(air, {.minimum_free_bytes = 0});
    Mapper mapper(store, {.combine = false, .compact_every = 0ms});
    admin::compact<Flight>(mapper, 7);
  }
  const Ran ran = run_words({"autoshardctl", "rocksdb:" + air, "import", lines});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, HasSubstr("an entity ends of which the store has another record"));
  RocksDbStore store(air, {.minimum_free_bytes = 0});
  EXPECT_EQ(Mapper(store).load<Flight>(7).value().likes(), 3);
}

TEST_F(CtlTest, TellsAnExportOfAProgramFromItsOwn) {
  const std::string lines = file("entities.jsonl", "{\"@id\": 5, \"name\": \"Ann\"}\n");
  const Ran ran = run_words({"autoshardctl", other("x"), "import", lines});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, HasSubstr("line 1: this is an entity of export_json: import it with import_json"));
}

TEST_F(CtlTest, ImportsManyRecords) {
  std::string lines;
  for (int number = 10'000; number < 12'500; ++number)
    lines += "{\"key\":\"" + detail::to_hex("k" + std::to_string(number)) + "\",\"value\":\"6162\"}\n";
  EXPECT_EQ(run_words({"autoshardctl", other("many"), "import", file("many.jsonl", lines)}).out,
            "2500 records, 2500 written\n");
  // A key that comes again has to have the same value.
  const std::string again = "{\"key\":\"" + detail::to_hex("k10000") + "\",\"value\":\"6162\"}\n";
  const std::string other_value = "{\"key\":\"" + detail::to_hex("k10000") + "\",\"value\":\"6163\"}\n";
  const std::string first = "{\"key\":\"" + detail::to_hex("new") + "\",\"value\":\"00\"}\n";
  const std::string twice = file("twice.jsonl", first + again + again);
  EXPECT_EQ(run_words({"autoshardctl", other("many"), "import", twice}).out, "3 records, 1 written\n");
  const std::string differing = file("differing.jsonl", first + again + other_value);
  EXPECT_THAT(run_words({"autoshardctl", other("many"), "import", differing}).errors,
              HasSubstr("line 3: line 2 has another value of this record"));
}

TEST_F(CtlTest, RefusesLinesThatAreNoRecords) {
  const std::string good = R"({"key":"61","value":""})",
                    reserved = R"({"key":"00006175746f7368617264","value":"01"})";
  for (const std::string bad : {"nonsense", "[]", "7", R"({"key":"61"})", R"({"key":"6","value":""})",
                                R"({"key":"6G","value":""})", R"({"key":61,"value":""})"}) {
    const Ran ran =
        run_words({"autoshardctl", other("bad"), "import", file("bad.jsonl", good + "\n\n" + bad + "\n")});
    EXPECT_EQ(ran.code, 2) << bad;
    EXPECT_THAT(ran.errors, HasSubstr("line 3: a record is {\"key\"")) << bad;
  }
  EXPECT_THAT(run_words({"autoshardctl", other("bad"), "import", file("bad.jsonl", reserved)}).errors,
              HasSubstr("line 1: this key is reserved for the store"));
  EXPECT_THAT(run_words({"autoshardctl", other("none"), "import", "/no/such/file"}).errors,
              HasSubstr("the file /no/such/file cannot be read, or is empty"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "none"));
  EXPECT_EQ(run({"import", file("good.jsonl", good)}).code, 2);  // the test has the store open
}

}  // namespace
}  // namespace autoshard::test
