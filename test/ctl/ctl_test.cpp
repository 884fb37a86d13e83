// The sessions in the guide to autoshardctl, and its errors.

#include <autoshard/autoshard.h>
#include <autoshard/rocksdb_store.h>
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/versions/page.h"
#include "keys.h"
#include "support/temporary_folder.h"

namespace autoshard::test {
namespace {

using activity::Member;
using airline::Flight;
using pages::Page;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;
using namespace std::chrono_literals;

struct Ran {
  int code;
  std::string out, errors;
};

/// A command and what it prints, as in the guide.
struct Session {
  std::string command, output;
};

/// Without versions, which are drawn at random, and times.
std::string without_random_numbers(const std::string& text) {
  static const std::regex kRandom("(version |time )[0-9]+");
  return std::regex_replace(text, kRandom, "$1…");
}

std::vector<Session> sessions() {
  std::ifstream page(AUTOSHARD_CTL_PAGE);
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  static const std::regex kBlock("```text\n\\$ autoshardctl rocksdb:air ([^\n]*)\n([^`]*)```");
  std::vector<Session> found;
  for (std::sregex_iterator at(text.begin(), text.end(), kBlock), end; at != end; ++at)
    found.push_back({(*at)[1], (*at)[2]});
  return found;
}

/// The words of a command, of which one may be in single quotes.
std::vector<std::string> words_of(const std::string& command) {
  static const std::regex kWord("'([^']*)'|([^ ]+)");
  std::vector<std::string> words;
  for (std::sregex_iterator at(command.begin(), command.end(), kWord), end; at != end; ++at)
    words.push_back((*at)[1].matched ? (*at)[1] : (*at)[2]);
  return words;
}

class CtlTest : public ::testing::Test {
 protected:
  CtlTest() {
    mapper_.save(Flight(7));
    for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::like>(7);
    mapper_.save(Flight(8));
    Member member(5);
    member.name = "Ann";
    member.email = "ann@example.org";
    mapper_.save(member);
  }

  Ran run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"autoshardctl", "rocksdb:" + (folder_.path() / "air").string()});
    return run_words(words);
  }
  static Ran run_words(const std::vector<std::string>& words) {
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    std::ostringstream out, errors;
    const int code = ctl::run(static_cast<int>(arguments.size()), arguments.data(), out, errors);
    return {code, out.str(), errors.str()};
  }

  TemporaryFolder folder_;
  RocksDbStore store_{folder_.path() / "air", {.minimum_free_bytes = 0}};
  Mapper mapper_{store_, {.combine = false, .compact_every = 0ms}};
};

TEST_F(CtlTest, TheSessionsOfTheGuideAreTrue) {
  const std::vector<Session> all = sessions();
  EXPECT_GE(all.size(), 7U);
  for (const auto& [command, output] : all) {
    const Ran ran = run(words_of(command));
    EXPECT_EQ(without_random_numbers(ran.out), output) << command;
    EXPECT_EQ(ran.errors, "") << command;
    EXPECT_EQ(ran.code, 0) << command;
  }
}

TEST_F(CtlTest, SaysWhatIsNotThere) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> all = {
      {{"get", "Flight", "9"}, "there is no Flight 9"},
      {{"get", "Fligth", "7"}, "there is no entity of kind Fligth; the kinds are Flight, Member\n"},
      {{"shards", "Flight", "9", "likes"}, "there is no Flight 9"},
      {{"shards", "Flight", "7", "nothing"},
       "nothing is stored of a property 'nothing' of Flight 7; sharded properties with records: likes, "
       "seats\n"},
      {{"shards", "Member", "5", "email"},
       "'email' of Member 5 is in the main record alone, and no sharded property has records\n"},
      {{"scan", "Fligth"}, "there is no entity of kind Fligth; the kinds are Flight, Member\n"},
  };

  for (const auto& [words, missing] : all) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 1);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.errors, StartsWith("autoshardctl: in rocksdb:"));
    EXPECT_THAT(ran.errors, HasSubstr(", " + missing));
  }
}

TEST_F(CtlTest, TellsKindsWithoutMainRecordsFromKindsThatAreNotThere) {
  const std::unique_ptr<Transaction> transaction = store_.begin();
  transaction->put(detail::shard_key(detail::entity_key("Hall", 1), "seats", 0), "\x01");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_THAT(run({"scan", "Hall"}).errors,
              HasSubstr("no entity of kind Hall has a main record; there are other records of this kind\n"));
}

TEST_F(CtlTest, ShowsTheBeginningsOfBuckets) {
  mapper_.save(Page(1));
  mapper_.apply<&Page::click>(1, 1, 1);
  const Ran ran = run({"shards", "Page", "1", "clicks"});
  EXPECT_THAT(ran.out, MatchesRegex("form +number +begin +epoch +part\n"
                                    "bucket +[0-9]+ +[0-9-]{10}T[0-9:]{8}[.]000Z +0 +1\n"));
  EXPECT_THAT(run({"get", "Page", "1"}).out, ContainsRegex("begin [0-9-]{10}T[0-9:]{8}[.]000Z"));
}

TEST_F(CtlTest, SaysWhatIsWrongWithACommand) {
  EXPECT_EQ(run({"get", "Flight", "{}"}).code, 2);
  EXPECT_THAT(run({"get", "Flight", "{}"}).errors,
              HasSubstr("an id is a number, a text, or an array of them"));
  EXPECT_EQ(run({"nonsense"}).code, 2);
  EXPECT_THAT(run({"nonsense"}).errors,
              StartsWith("autoshardctl: there is no command 'nonsense'; there are info, kinds, "));
  EXPECT_THAT(run_words({"autoshardctl", "kinds", "rocksdb:x"}).errors,
              HasSubstr("the store comes before the command: autoshardctl rocksdb:x kinds"));
  EXPECT_EQ(run({"scan", "Flight", "--limit", "0"}).code, 2);
  EXPECT_THAT(run({"scan", "Flight", "--limit", "0"}).errors, HasSubstr("write a number of at least 1"));
  const std::string store = "rocksdb:" + (folder_.path() / "air").string();
  EXPECT_THAT(run({"copy", store + "/../air"}).errors, HasSubstr("both names are of the same store"));
  EXPECT_THAT(run({"get", "Flight"}).errors, StartsWith("ID is required"));
  EXPECT_EQ(run({"records", "--form", "tokens"}).code, 2);
  EXPECT_THAT(run({"records", "--form", "tokens"}).errors, HasSubstr("tokens not in {"));
  EXPECT_EQ(run({}).code, 2);
  EXPECT_THAT(run_words({"autoshardctl", "redis:x", "info"}).errors, HasSubstr("write rocksdb:PATH"));
  EXPECT_THAT(run_words({"autoshardctl", "rocksdb:/no/such/folder", "info"}).errors,
              HasSubstr("there is no RocksDB database in /no/such/folder"));
}

TEST_F(CtlTest, TakesIdsAsJson) {
  EXPECT_EQ(run({"get", "Flight", "7"}).code, 0);
  EXPECT_EQ(run({"get", "Flight", "\"7\""}).code, 1);
  EXPECT_EQ(run({"get", "Flight", "-7"}).code, 1);
  EXPECT_EQ(run({"get", "Flight", "[7]"}).code, 1);
}

TEST_F(CtlTest, PrintsJson) {
  for (const char* command : {"info", "kinds", "indexes", "verify", "records"}) {
    const Ran ran = run({command, "--json"});
    EXPECT_EQ(ran.code, 0) << command;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) EXPECT_THAT(line, StartsWith("{")) << command;
  }
}

TEST_F(CtlTest, CopiesAStore) {
  const std::string target = "rocksdb:" + (folder_.path() / "copy").string();
  EXPECT_EQ(run({"copy", target}).code, 2);  // the test has the store open
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "copy"));
  const Ran live = run({"copy", target, "--live"});
  EXPECT_EQ(live.code, 0) << live.errors;
  EXPECT_THAT(live.out, HasSubstr("30 written, 0 removed; copy again when no program writes"));
  EXPECT_EQ(run_words({"autoshardctl", target, "kinds"}).out, run({"kinds"}).out);
  mapper_.apply<&Flight::like>(7);
  const Ran again = run({"copy", target, "--live", "--replace", "--json"});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.out, HasSubstr("\"written\":1"));
}

TEST_F(CtlTest, RepairsAStoreThatNoProgramHasOpen) {
  const std::filesystem::path removed = folder_.path() / "removed.jsonl";
  const std::vector<std::string> words = {"verify", "--repair", removed.string()};
  EXPECT_EQ(run(words).code, 2);  // the test has the store open
  EXPECT_EQ(run_words({"autoshardctl", "mysql:shop", "verify", "--repair", "x"}).errors,
            "autoshardctl: only RocksDB stores can be repaired\n");
  EXPECT_EQ(run({"verify", "--repair", ""}).code, 2);
  const std::string name = "rocksdb:" + (folder_.path() / "other").string();
  {
    RocksDbStore other(folder_.path() / "other", {.minimum_free_bytes = 0});
    Mapper(other, {.combine = false, .compact_every = 0ms}).save(Flight(1));
    const auto transaction = other.begin();
    transaction->erase(detail::main_key(detail::entity_key("Flight", 1)));
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  EXPECT_EQ(run_words({"autoshardctl", name, "verify"}).code, 1);
  const Ran repaired = run_words({"autoshardctl", name, "verify", "--repair", removed.string()});
  EXPECT_EQ(repaired.code, 0) << repaired.errors;
  EXPECT_THAT(repaired.out, HasSubstr("8 problems, 8 repaired"));
  EXPECT_EQ(run_words({"autoshardctl", name, "verify"}).code, 0);
}

TEST_F(CtlTest, ReadsNamesOfStoresOnMariaDb) {
  const auto errors_of = [&](const std::string& target) { return run({"copy", target, "--live"}).errors; };
  EXPECT_THAT(errors_of("mysql:127.0.0.1:1/"), HasSubstr("names no database"));
  EXPECT_THAT(errors_of("mysql:127.0.0.1:1,127.0.0.1:2/shop.t"), HasSubstr("127.0.0.1:2"));
}

TEST_F(CtlTest, CopiesNothingFromNowhere) {
  const std::string nowhere = "rocksdb:" + (folder_.path() / "nowhere").string();
  const Ran ran = run_words({"autoshardctl", nowhere, "copy", nowhere + "2"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, HasSubstr("there is no RocksDB database in "));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "nowhere"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "nowhere2"));
}

TEST_F(CtlTest, SaysThatItsOutputIsLost) {
  const std::string store = "rocksdb:" + (folder_.path() / "air").string();
  const char* const arguments[] = {"autoshardctl", store.c_str(), "kinds"};
  std::ostringstream out, errors;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(ctl::run(3, arguments, out, errors), 2);
  EXPECT_THAT(errors.str(), HasSubstr("the output could not be written"));
}

TEST_F(CtlTest, ItsHelpFitsATerminal) {
  const std::vector<std::vector<std::string>> all = {
      {"--help"}, {"get", "--help"}, {"records", "--help"}, {"copy", "--help"}, {"verify", "--help"}};
  for (const std::vector<std::string>& words : all) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0);
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

}  // namespace
}  // namespace autoshard::test
