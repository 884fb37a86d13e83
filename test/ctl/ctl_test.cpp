// The sessions in the guide to autoshardctl, and its errors.

#include <autoshard/autoshard.h>
#include <autoshard/rocksdb_store.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "ctl_fixture.h"
#include "entities/versions/page.h"
#include "keys.h"

#ifdef AUTOSHARD_TEST_COPIES_TO_MARIADB
#include "mariadb_server.h"
#endif

namespace autoshard::test {
namespace {

using pages::Page;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

/// A command and what it prints, as in the guide.
struct Session {
  std::string command, output;
};

/// Without versions, which are drawn at random, times, and sizes of backups.
std::string without_random_numbers(const std::string& text) {
  static const std::regex kRandom(
      "(version |time |\"time\":|\"bytes\":)[0-9]+|(backups: )[0-9,]+|(of )20[0-9T:.-]+Z");
  return std::regex_replace(text, kRandom, "$1$2$3…");
}

std::vector<Session> sessions() {
  std::ifstream page(AUTOSHARD_CTL_PAGE);
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  static const std::regex kBlock("```text\n\\$ autoshardctl ([^\n]*)\n([^`]*)```");
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

/// The folder of the process, for names without a path.
class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
  ~InFolder() { std::filesystem::current_path(before_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_F(CtlTest, TheSessionsOfTheGuideAreTrue) {
  copy_to("spare");
  const InFolder folder(folder_.path());
  const std::vector<Session> all = sessions();
  EXPECT_GE(all.size(), 16U);
  for (const auto& [command, output] : all) {
    std::vector<std::string> words = words_of(command);
    words.insert(words.begin(), "autoshardctl");
    const Ran ran = run_words(words);
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
  for (const char* command : {"info", "kinds", "indexes", "verify", "records", "tokens", "export"}) {
    const Ran ran = run({command, "--json"});
    EXPECT_EQ(ran.code, 0) << command;
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) EXPECT_THAT(line, StartsWith("{")) << command;
  }
}

TEST_F(CtlTest, CopiesAStore) {
  const std::string target = "rocksdb:" + (folder_.path() / "copy").string();
  EXPECT_THAT(run({"copy", target}).errors, HasSubstr("'copy --live' reads a store that a program has open"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "copy"));
  const Ran live = run({"copy", target, "--live"});
  EXPECT_EQ(live.code, 0) << live.errors;
  EXPECT_THAT(live.out, HasSubstr("32 written, 0 removed; copy again when no program writes"));
  EXPECT_EQ(run_words({"autoshardctl", target, "kinds"}).out, run({"kinds"}).out);
  mapper_.apply<&Flight::like>(7);
  const Ran again = run({"copy", target, "--live", "--replace", "--json"});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.out, HasSubstr("\"written\":1"));
}

#ifdef AUTOSHARD_TEST_COPIES_TO_MARIADB
TEST_F(CtlTest, LooksIntoMariaDb) {
  setenv("AUTOSHARD_MYSQL_USER", "root", 1);
  const std::string database = "mysql:" + open_server().socket() + "/autoshard.";
  const std::string name = database + options_of_a_new_table({}).table;
  const Ran missing = run_words({"autoshardctl", name, "kinds"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.errors, HasSubstr("in the database: is its name right?"));
  EXPECT_EQ(run_words({"autoshardctl", name, "kinds"}).errors, missing.errors);  // it made none

  ASSERT_EQ(run({"copy", name, "--live"}).code, 0);
  const std::vector<std::vector<std::string>> all = {{"kinds"},
                                                     {"get", "Flight", "7"},
                                                     {"shards", "Flight", "7", "seats"},
                                                     {"scan", "Member"},
                                                     {"indexes"},
                                                     {"records", "--form", "shard"},
                                                     {"scan", "Member", "--where", "name = \"Ann\""},
                                                     {"tokens"},
                                                     {"build-indexes"},
                                                     {"export"}};
  for (std::vector<std::string> words : all) {
    const Ran expected = run(words);
    words.insert(words.begin(), {"autoshardctl", name});
    const Ran ran = run_words(words);
    EXPECT_EQ(ran.out, expected.out) << ran.errors;
    EXPECT_EQ(ran.code, 0);
  }
  EXPECT_EQ(run_words({"autoshardctl", name, "verify"}).code, 0);
  const std::string lines = file("all.jsonl", run({"export"}).out);
  const std::string second = database + options_of_a_new_table({}).table;
  EXPECT_EQ(run_words({"autoshardctl", second, "import", lines}).out, "32 records, 32 written\n");
  EXPECT_EQ(run_words({"autoshardctl", second, "export"}).out, run({"export"}).out);

  // The same changes leave the same records as on RocksDB, apart from generations and marks.
  const std::string copy = copy_to("copy");
  const std::vector<std::vector<std::string>> changes = {{"shards", "Flight", "7", "likes", "--set", "16"},
                                                         {"erase", "Member", "5", "--yes"},
                                                         {"erase", "Flight", "8", "--yes"},
                                                         {"compact"}};
  for (std::vector<std::string> words : changes) {
    words.insert(words.begin(), {"autoshardctl", copy});
    const Ran expected = run_words(words);
    words[1] = name;
    const Ran ran = run_words(words);
    EXPECT_EQ(ran.out, expected.out) << ran.errors;
    EXPECT_EQ(ran.code, 0);
    EXPECT_EQ(run_words({"autoshardctl", name, "verify"}).code, 0);
    EXPECT_EQ(run_words({"autoshardctl", name, "kinds"}).out, run_words({"autoshardctl", copy, "kinds"}).out);
  }
  EXPECT_EQ(run_words({"autoshardctl", name, "records", "--form", "mark"}).out, "");
  EXPECT_EQ(run_words({"autoshardctl", name, "get", "Flight", "7"}).out,
            run_words({"autoshardctl", copy, "get", "Flight", "7"}).out);
}
#endif

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
  // Removed records can be put back.
  EXPECT_EQ(run_words({"autoshardctl", name, "import", removed.string()}).out, "8 records, 8 written\n");
  EXPECT_EQ(run_words({"autoshardctl", name, "verify"}).code, 1);
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

TEST_F(CtlTest, ExplainsACommandWithoutAStore) {
  const Ran ran = run_words({"autoshardctl", "import", "--help"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, run({"import", "--help"}).out);
  EXPECT_THAT(ran.out, HasSubstr("Write the records of an export that STORE lacks"));
}

TEST_F(CtlTest, TellsItsVersion) {
  const Ran ran = run_words({"autoshardctl", "--version"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, MatchesRegex("autoshardctl [0-9]+[.][0-9]+[.][0-9]+\n"));
}

TEST_F(CtlTest, ItsHelpFitsATerminal) {
  std::vector<std::vector<std::string>> all = {{"--help"}};
  for (const char* const command :
       {"info", "kinds", "get", "scan", "tokens", "records", "indexes", "export", "shards", "erase",
        "compact", "build-indexes", "verify", "import", "copy", "backup", "backups", "restore", "completion"})
    all.push_back({command, "--help"});
  for (const std::vector<std::string>& words : all) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.code, 0) << words.front();
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  }
}

/// Gives the process an empty standard input, which is no terminal.
class WithoutTerminal {
 public:
  WithoutTerminal() : before_(dup(STDIN_FILENO)) {
    const int empty = open("/dev/null", O_RDONLY);
    dup2(empty, STDIN_FILENO);
    close(empty);
  }
  ~WithoutTerminal() {
    dup2(before_, STDIN_FILENO);
    close(before_);
  }
  WithoutTerminal(const WithoutTerminal&) = delete;
  WithoutTerminal& operator=(const WithoutTerminal&) = delete;

 private:
  const int before_;
};

TEST_F(CtlTest, AsksBeforeItErases) {
  const std::string copy = copy_to("copy");
  const WithoutTerminal no_terminal;
  const Ran refused = run_words({"autoshardctl", copy, "erase", "Flight", "8"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("nothing was erased: standard input is no terminal, so add --yes"));
  EXPECT_EQ(run_words({"autoshardctl", copy, "get", "Flight", "8"}).code, 0);
  EXPECT_EQ(run_words({"autoshardctl", copy, "erase", "Flight", "8", "--yes", "--json"}).out,
            "{\"kind\":\"Flight\",\"id\":8,\"removed\":{\"main record\":1,\"shard\":8},\"tokens\":0}\n");
  EXPECT_EQ(run_words({"autoshardctl", copy, "erase", "Flight", "8", "--yes"}).code, 1);
  EXPECT_THAT(run_words({"autoshardctl", copy, "erase", "Flight", "7", "--yes"}).out,
              HasSubstr("kept until they end, so that no update counts twice: 1 token\n"));
  EXPECT_EQ(run({"erase", "Flight", "8", "--yes"}).code, 2);  // the test has the store open
}

TEST_F(CtlTest, AsksAUserAtATerminal) {
  const std::string copy = copy_to("copy");
  const auto answered = [&](const std::string& answer) {
    const std::string command = "echo " + answer + " | script -qec '" AUTOSHARDCTL_FOLDER "/autoshardctl " +
                                copy + " erase Flight 8' /dev/null > " + (folder_.path() / "answer").string();
    EXPECT_NE(std::system(command.c_str()), -1);
    std::ifstream file(folder_.path() / "answer");
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const std::string no = answered("n");
  EXPECT_THAT(no, HasSubstr("Erase Flight 8: 1 main record, 8 shards? [y/N] "));
  EXPECT_THAT(no, HasSubstr("autoshardctl: nothing was erased"));
  EXPECT_EQ(run_words({"autoshardctl", copy, "get", "Flight", "8"}).code, 0);
  EXPECT_THAT(answered("y"), HasSubstr("Flight 8 is erased; removed: 1 main record, 8 shards"));
  EXPECT_EQ(run_words({"autoshardctl", copy, "get", "Flight", "8"}).code, 1);
}

TEST_F(CtlTest, ShowsForHowLongTokensCount) {
  const auto put_token = [&](const std::string& token, std::string_view value) {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    transaction->put(detail::token_key(detail::entity_key("Flight", 8), token), value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  };
  put_token("early", std::string("\x91\xCF\x00\x00\x01\xA2\x0D\x6D\x5A\x00", 10));
  put_token("ended", std::string("\x92\xCF\x00\x00\x01\xA2\x0D\x6D\x5A\x00\x00", 11));
  put_token("wrong", "\xC0");
  put_token("\xFF\xFF", std::string("\x91\x00", 2));
  const Ran all = run({"tokens", "Flight", "8"});
  EXPECT_EQ(all.code, 0);
  EXPECT_THAT(all.out, ContainsRegex("early +until 2026-11-24T12:00:00.000Z by the clocks of machines\n"));
  EXPECT_THAT(all.out, ContainsRegex("ended +ended: maintenance may remove it\n"));
  EXPECT_THAT(all.out, HasSubstr("  UNREADABLE: "));
  EXPECT_THAT(all.out, HasSubstr("{\"$bytes\":\"ffff\"}"));
  EXPECT_THAT(
      run({"tokens", "Flight", "--json", "--limit", "1"}).out,
      MatchesRegex("[{]\"form\":\"token\",\"kind\":\"Flight\",\"id\":7,\"token\":\"order-7\",.*[}]\n"));
  EXPECT_EQ(run({"tokens", "Member"}).code, 1);
  EXPECT_THAT(run({"tokens", "Flight", "9"}).errors, HasSubstr("there is no token of Flight 9"));
}

TEST_F(CtlTest, SaysWhichCallsBuildIndexes) {
  const std::unique_ptr<Transaction> transaction = store_.begin();
  std::string index;
  const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
  for (const auto cursor = snapshot->scan(std::string("\0\2Member\0\1", 10), "\1"); cursor->valid();
       cursor->next()) {
    if (cursor->value() == "\xC3") index = cursor->key();
  }
  transaction->put(index, "\xC2");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  const Ran ran = run({"build-indexes"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "index name of Member is being built: call admin::build_indexes<Member>(mapper)\n");
  EXPECT_THAT(
      run({"build-indexes", "--json"}).out,
      HasSubstr("\"state\":\"being built\",\"records\":1,\"call\":\"admin::build_indexes<Member>(mapper)\""));
}

}  // namespace
}  // namespace autoshard::test
