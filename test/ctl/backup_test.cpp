// Backups of RocksDB stores: by a program, and by autoshardctl.

#include <autoshard/errors.h>
#include <autoshard/rocksdb_backup.h>
#include <gmock/gmock.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "ctl_fixture.h"

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class BackupTest : public CtlTest {
 protected:
  Ran verify(const std::string& name) const { return run_words({"autoshardctl", name, "verify"}); }
  std::string exported(const std::string& name) const {
    return run_words({"autoshardctl", name, "export"}).out;
  }
  std::string folder(const std::string& name) const { return (folder_.path() / name).string(); }
};

TEST_F(BackupTest, ACommandBacksUpAndRestores) {
  const std::string copy = copy_to("copy"), backups = folder("backups");
  EXPECT_THAT(run_words({"autoshardctl", copy, "backup", backups}).out,
              MatchesRegex("backup 1 in .*/backups: [0-9,]+ bytes\n"));
  const std::string first = exported(copy);
  ASSERT_EQ(run_words({"autoshardctl", copy, "erase", "Flight", "8", "--yes"}).code, 0);
  const std::string second = exported(copy);
  ASSERT_NE(first, second);
  const Ran again = run_words({"autoshardctl", copy, "backup", backups, "--progress"});
  EXPECT_EQ(again.code, 0) << again.errors;
  EXPECT_THAT(again.errors, MatchesRegex("(copied: [0-9]+ bytes\n)+"));

  EXPECT_THAT(run_words({"autoshardctl", "backups", backups}).out,
              MatchesRegex("backup +time +bytes\n +1  20.*Z +[0-9,]+\n +2  20.*Z +[0-9,]+\n"));
  EXPECT_THAT(run_words({"autoshardctl", "backups", backups, "--json"}).out,
              MatchesRegex("[{]\"backup\":1,\"time\":[0-9]+,\"bytes\":[0-9]+[}]\n[{]\"backup\":2,.*[}]\n"));

  const Ran last = run_words({"autoshardctl", other("last"), "restore", backups, "--progress"});
  EXPECT_EQ(last.code, 0) << last.errors;
  EXPECT_THAT(last.out, MatchesRegex("rocksdb:.*/last is made of backup 2 of 20.*Z\n"));
  EXPECT_THAT(last.errors, MatchesRegex("(copied: [0-9]+ bytes\n)+"));
  EXPECT_EQ(exported(other("last")), second);
  const Ran chosen =
      run_words({"autoshardctl", other("chosen"), "restore", backups, "--backup", "1", "--json"});
  EXPECT_THAT(chosen.out, HasSubstr("{\"backup\":1,"));
  EXPECT_EQ(exported(other("chosen")), first);
  for (const char* const name : {"last", "chosen"}) EXPECT_EQ(verify(other(name)).code, 0);
  RocksDbStore store(folder("chosen"), {.minimum_free_bytes = 0});
  EXPECT_EQ(Mapper(store).load<Flight>(7).value().likes(), 3);
}

TEST_F(BackupTest, AProgramBacksUpItsStoreWhileItGoesOn) {
  std::atomic<bool> goes_on{true};
  std::atomic<int> acknowledged{0};
  std::thread updates([&] {
    while (goes_on) {
      mapper_.apply<&Flight::like>(8);
      ++acknowledged;
    }
  });
  while (acknowledged < 100) std::this_thread::yield();
  const int before = acknowledged;
  const RocksDbBackup backup = make_backup(store_, folder("backups"));
  goes_on = false;
  updates.join();
  EXPECT_EQ(backup.id, 1U);
  EXPECT_GT(backup.bytes, 0U);
  restore_backup(folder("backups"), std::nullopt, folder("restored"));
  EXPECT_EQ(verify(other("restored")).code, 0);
  RocksDbStore store(folder("restored"), {.minimum_free_bytes = 0});
  Mapper mapper(store);
  const std::int64_t likes = mapper.load<Flight>(8).value().likes();
  EXPECT_GE(likes, before);
  EXPECT_LE(likes, acknowledged);
  mapper.apply<&Flight::like>(8);
  EXPECT_EQ(mapper.load<Flight>(8).value().likes(), likes + 1);
}

TEST_F(BackupTest, RefusesAStoreThatAProgramHasOpen) {
  const Ran ran = run({"backup", folder("backups")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors,
              HasSubstr("A program that has the store open makes a backup with autoshard::make_backup"));
  EXPECT_FALSE(std::filesystem::exists(folder("backups")));
}

TEST_F(BackupTest, RefusesWhatIsNoBackup) {
  EXPECT_EQ(run_words({"autoshardctl", other("none"), "backup", folder("backups")}).code, 2);
  EXPECT_THAT(run_words({"autoshardctl", "mysql:shop", "backup", "x"}).errors,
              HasSubstr("with its own tools"));
  EXPECT_THAT(run_words({"autoshardctl", "backups", folder("backups")}).errors,
              HasSubstr("there are no backups in"));
  EXPECT_THAT(run({"backups", folder("backups")}).errors, HasSubstr("backups takes no store"));
  EXPECT_THAT(run_words({"autoshardctl", "backups"}).errors, HasSubstr("DIR is required"));
  make_backup(store_, folder("backups"));
  EXPECT_THAT(run({"restore", folder("backups")}).errors,
              HasSubstr("a backup is restored to a path that does not"));
  EXPECT_THAT(run_words({"autoshardctl", other("x"), "restore", folder("backups"), "--backup", "2"}).errors,
              HasSubstr("there is no backup 2 in"));
  EXPECT_FALSE(std::filesystem::exists(folder("x")));
}

TEST_F(BackupTest, ReplacesWhatARestoreHasLeftThatWasCutShort) {
  make_backup(store_, folder("backups"));
  std::filesystem::create_directory(folder("x.restoring"));
  for (const char* const name : {"CURRENT", "000007.sst", "000008.log"})
    file(std::string("x.restoring/") + name, "half");
  const Ran ran = run_words({"autoshardctl", other("x"), "restore", folder("backups")});
  EXPECT_EQ(ran.code, 0) << ran.errors;
  EXPECT_FALSE(std::filesystem::exists(folder("x.restoring")));
  EXPECT_EQ(verify(other("x")).code, 0);
  EXPECT_EQ(exported(other("x")), run({"export"}).out);
  RocksDbStore store(folder("x"), {.minimum_free_bytes = 0});
  EXPECT_EQ(Mapper(store).load<Flight>(7).value().likes(), 3);
}

TEST_F(BackupTest, NoticesADamagedBackup) {
  make_backup(store_, folder("backups"));
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder("backups"))) {
    if (file.path().extension() != ".sst") continue;
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(40);
    bytes.put('\x55');
  }
  const Ran ran = run_words({"autoshardctl", other("x"), "restore", folder("backups")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.errors, HasSubstr("backup 1 in"));
  EXPECT_THAT(ran.errors, HasSubstr("is damaged"));
  EXPECT_FALSE(std::filesystem::exists(folder("x")));
}

}  // namespace
}  // namespace autoshard::test
