// The scripts of `autoshardctl completion`, run by the shells themselves.

#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "ctl_fixture.h"
#include "support/shell.h"

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CompletionTest : public CtlTest {
 protected:
  /// The completions that bash offers for a line, a line each.
  std::string completed(const std::string& line) const {
    const std::string script = file("completion.bash", run_words({"autoshardctl", "completion", "bash"}).out);
    const std::string program =
        file("complete.sh", "PATH=" AUTOSHARDCTL_FOLDER ":$PATH\ncd " + folder_.path().string() +
                                "\nsource " + script +
                                "\nset -u\ncompopt() { :; }\nCOMP_WORDBREAKS=$' \\t\\n\"=:'\n"
                                "COMP_LINE='" +
                                line +
                                "'\nCOMP_POINT=${#COMP_LINE}\n"
                                "_autoshardctl\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    return run_in_shell("bash " + program + " 2>&1").output;
  }
};

TEST_F(CompletionTest, CompletesCommands) {
  const std::string all = completed("autoshardctl rocksdb:air ");
  for (const char* const command : {"info", "kinds", "erase", "backup", "verify", "tokens"})
    EXPECT_THAT(all, HasSubstr(std::string(command) + '\n'));
  EXPECT_THAT(all, Not(HasSubstr("completion\n")));
  EXPECT_EQ(completed("autoshardctl rocksdb:air ver"), "verify\n");
  EXPECT_EQ(completed("autoshardctl --json rocksdb:air ver"), "verify\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:air nonsense"), "\n");
}

TEST_F(CompletionTest, CompletesStores) {
  EXPECT_EQ(completed("autoshardctl "), "rocksdb:\nmysql:\nbackups\ncompletion\n");
  EXPECT_EQ(completed("autoshardctl ro"), "rocksdb:\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:a"), "air\n");  // behind the colon, where bash begins a word
  EXPECT_EQ(completed("autoshardctl rocksdb:air copy my"), "mysql:\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:air copy rocksdb:a"), "air\n");
}

TEST_F(CompletionTest, CompletesOptions) {
  EXPECT_EQ(completed("autoshardctl rocksdb:air copy --"), "--json\n--help\n--live\n--replace\n--progress\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:air scan Member --l"), "--limit\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:air records --form main"), "main\\ record\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:air scan Member --limit "), "\n");
}

TEST_F(CompletionTest, CompletesKindsOfTheStore) {
  for (const char* const command : {"get", "scan", "shards", "erase", "tokens", "compact", "export"})
    EXPECT_EQ(completed(std::string("autoshardctl rocksdb:air ") + command + ' '), "Flight\nMember\n")
        << command;
  EXPECT_EQ(completed("autoshardctl rocksdb:air scan --limit 3 M"), "Member\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:air get Flight "), "\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:nowhere get "), "\n");
}

TEST_F(CompletionTest, CompletesFiles) {
  file("members.jsonl", "");
  EXPECT_EQ(completed("autoshardctl rocksdb:air import mem"), "members.jsonl\n");
  EXPECT_EQ(completed("autoshardctl rocksdb:air verify --repair mem"), "members.jsonl\n");
  EXPECT_EQ(completed("autoshardctl backups a"), "air\n");
  EXPECT_EQ(completed("autoshardctl completion z"), "zsh\n");
}

TEST_F(CompletionTest, ZshAcceptsItsScript) {
  const std::string script = file("completion.zsh", run_words({"autoshardctl", "completion", "zsh"}).out);
  const std::string program =
      file("complete.zsh", "path=(" AUTOSHARDCTL_FOLDER " $path)\ncd " + folder_.path().string() +
                               "\ncompdef() { print -r -- \"$@\" }\nsource " + script +
                               "\n_autoshardctl_candidates M rocksdb:air get\n"
                               "_autoshardctl_candidates m rocksdb:air import || print files\n");
  EXPECT_EQ(run_in_shell("zsh -f " + program + " 2>&1").output,
            "_autoshardctl autoshardctl\nFlight\nMember\nfiles\n");
  EXPECT_EQ(run_words({"autoshardctl", "completion", "fish"}).code, 2);
}

}  // namespace
}  // namespace autoshard::test
