// autoshardctl is killed again and again while it copies a store to MariaDB, and while it copies that back.
// AUTOSHARD_COPY_ENTITIES: how many entities.

#include <autoshard/autoshard.h>
#include <autoshard/rocksdb_store.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "mariadb_server.h"
#include "open_store.h"
#include "scan.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using activity::Member;
using airline::Flight;
using forum::Topic;
using namespace std::chrono_literals;

constexpr int kKills = 5;
constexpr std::size_t kRecordsOfALine = 1000;  // of what autoshardctl tells

RocksDbOptions options() { return {.sync = false, .minimum_free_bytes = 0}; }

/// Entities with indexes, with deltas and bounded shards, and with groups.
void fill(Mapper& mapper, int entities) {
  std::vector<Member> members;
  for (int id = 0; id < entities; ++id) {
    if (id % 10 == 0) {
      mapper.save(Flight(id));
      mapper.apply<&Flight::like>(id);
    } else if (id % 10 == 1) {
      mapper.save(Topic(id));
      for (const char* text : {"first", "second"}) mapper.apply<&Topic::add_post>(id, text);
    } else {
      Member member(id);
      member.name = "member " + std::to_string(id);
      member.email = std::to_string(id) + "@example.org";
      members.push_back(member);
    }
    if (members.size() < 1000 && id + 1 < entities) continue;
    mapper.save(members);
    members.clear();
  }
}

/// The next record of a cursor that is not reserved for the store.
bool find_record(Cursor& cursor) {
  while (cursor.valid() && ctl::is_reserved(cursor.key())) cursor.next();
  return cursor.valid();
}

std::size_t count_records(Store& store) {
  std::size_t records = 0;
  for (const auto cursor = store.scan("", "\xFF"); find_record(*cursor); cursor->next()) ++records;
  return records;
}

void expect_equal(Store& one, Store& other) {
  const auto left = one.scan("", "\xFF"), right = other.scan("", "\xFF");
  for (;; left->next(), right->next()) {
    const bool is_left = find_record(*left), is_right = find_record(*right);
    ASSERT_EQ(is_left, is_right);
    if (!is_left) return;
    ASSERT_EQ(left->key(), right->key());
    ASSERT_EQ(left->value(), right->value());
  }
}

struct Ended {
  int status;
  std::string errors;
  double seconds;
  double mebibytes;  // of memory, at most
};

/// Copies with autoshardctl, and kills it once it has told so many times how much is written.
Ended run_copy(const std::string& from, const std::string& to, std::optional<std::size_t> lines_until_kill) {
  const auto begin = std::chrono::steady_clock::now();
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t process = fork();
  if (process == 0) {
    dup2(ends[1], STDERR_FILENO);
    execl(AUTOSHARDCTL, "autoshardctl", from.c_str(), "copy", to.c_str(), "--progress", nullptr);
    _exit(127);
  }
  close(ends[1]);
  Ended ended{};
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> errors(fdopen(ends[0], "r"), std::fclose);
  std::array<char, 512> line{};
  if (lines_until_kill == 0) kill(process, SIGKILL);
  for (std::size_t lines = 0; std::fgets(line.data(), static_cast<int>(line.size()), errors.get());) {
    const std::string_view text = line.data();
    if (text.starts_with("writing: ")) {
      if (++lines == lines_until_kill) kill(process, SIGKILL);
    } else if (!text.starts_with("checking: ") && !text.starts_with("comparing: ")) {
      ended.errors += text;
    }
  }
  rusage usage{};
  EXPECT_EQ(wait4(process, &ended.status, 0, &usage), process);
  ended.mebibytes = static_cast<double>(usage.ru_maxrss) / 1024;
  ended.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return ended;
}

/// Copies `records` records. It is killed later each time, mostly.
void copy_under_kills(const std::string& from, const std::string& to, std::size_t records,
                      std::mt19937_64& generator) {
  for (int kills = 0; kills < kKills;) {
    const std::size_t most = records * static_cast<std::size_t>(kills + 1) / (kKills + 1) / kRecordsOfALine;
    // After two lines, a thousand records are written.
    const std::size_t lines = kills == 0 ? 2 : below(generator, most + 1);
    const Ended killed = run_copy(from, to, lines);
    ASSERT_EQ(killed.errors, "");
    const bool has_ended_before = WIFEXITED(killed.status) && WEXITSTATUS(killed.status) == 0;
    ASSERT_TRUE(has_ended_before || (WIFSIGNALED(killed.status) && WTERMSIG(killed.status) == SIGKILL));
    if (!has_ended_before) ++kills;
    if (kills == 1) {
      EXPECT_GT(count_records(*ctl::open_to_change(to)), 0U);
    }
  }
  const Ended ended = run_copy(from, to, std::nullopt);
  ASSERT_TRUE(WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0) << ended.errors;
  std::printf("the last copy of %zu records: %.1f s, %.0f MiB\n", records, ended.seconds, ended.mebibytes);
}

TEST(CopyKillTest, ToMariaDbAndBack) {
  const char* given = std::getenv("AUTOSHARD_COPY_ENTITIES");
  const int entities = given ? std::stoi(given) : 2000;
  std::mt19937_64 generator = seeded_generator();
  const TemporaryFolder folder;
  const std::string first = folder.path() / "first", second = folder.path() / "second";
  std::size_t records = 0;
  {
    RocksDbStore store(first, options());
    Mapper mapper(store, {.compact_every = 0ms});
    fill(mapper, entities);
    records = count_records(store);
  }
  setenv("AUTOSHARD_MYSQL_USER", "root", 1);
  const std::string mariadb =
      "mysql:" + open_server().socket() + "/autoshard." + options_of_a_new_table({}).table;
  copy_under_kills("rocksdb:" + first, mariadb, records, generator);
  copy_under_kills(mariadb, "rocksdb:" + second, records, generator);
  const Ended whole =
      run_copy("rocksdb:" + first, "rocksdb:" + (folder.path() / "third").string(), std::nullopt);
  ASSERT_EQ(whole.status, 0) << whole.errors;
  std::printf("a copy from RocksDB to RocksDB: %.1f s, %.0f MiB\n", whole.seconds, whole.mebibytes);

  RocksDbStore one(first, options()), other(second, options());
  expect_equal(one, other);
  Mapper mapper(other);
  EXPECT_EQ(mapper.load<Flight>(10).value().likes(), 1);
  EXPECT_EQ(mapper.load<Topic>(11).value().texts().size(), 2U);
}

}  // namespace
}  // namespace autoshard::test
