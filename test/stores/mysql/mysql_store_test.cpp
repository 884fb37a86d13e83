// A MySqlStore on one MariaDB.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>
#include <gmock/gmock.h>
#include <mariadb/mysqld_error.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "entities/strategies/stock.autoshard.h"
#include "keys.h"
#include "mariadb_server.h"
#include "plain_session.h"
#include "proxy.h"
#include "store_contract.h"

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

std::vector<StoreKind> stores() {
  return {{"MariaDb",
           [](const std::filesystem::path&) -> std::unique_ptr<Store> {
             return std::make_unique<MySqlStore>(options_of_a_new_table({open_server().socket()}));
           }},
          {"MariaDbInSteps", [](const std::filesystem::path&) -> std::unique_ptr<Store> {
             MySqlOptions options = options_of_a_new_table({open_server().socket()});
             options.compound_commits = false;
             return std::make_unique<MySqlStore>(options);
           }}};
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StoreThreads, ::testing::ValuesIn(stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StorePrefetch, ::testing::ValuesIn(stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StoreFolds, ::testing::ValuesIn(stores()), store_name);

/// As a transaction reads it, which tries again over other connections.
std::string read(Store& store, std::string_view key) {
  std::string value;
  return store.begin()->get(key, value) ? value : "absent";
}

/// A store behind a proxy, and one on the same table that is not.
class MySqlFaults : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  Proxy proxy_{(folder_.path() / "proxy").string(), open_server().socket()};
  MySqlOptions options_ = options_of_a_new_table({(folder_.path() / "proxy").string()});
  MySqlStore store_{options_};
  MySqlStore direct_{[this] {
    MySqlOptions options = options_;
    options.endpoints = {open_server().socket()};
    return options;
  }()};
};

TEST_F(MySqlFaults, ACommitWhoseAnswerIsLostIsUnknown) {
  proxy_.break_instead_of_answer("\3COMMIT");
  EXPECT_EQ(put(store_, "key", "value"), CommitOutcome::kUnknown);
  EXPECT_EQ(proxy_.done(), 1u);
  EXPECT_EQ(read(direct_, "key"), "value");
  EXPECT_EQ(put(store_, "key", "other"), CommitOutcome::kCommitted) << "over another connection";
}

// An exception would mean that nothing was written.
TEST_F(MySqlFaults, ACommitWhoseAnswerIsLostIsUnknownThoughTheLogThrows) {
  MySqlOptions options = options_;
  options.log = [](std::string_view) { throw std::runtime_error("the log is full"); };
  MySqlStore store(options);
  proxy_.break_instead_of_answer("\3COMMIT");
  EXPECT_EQ(put(store, "key", "value"), CommitOutcome::kUnknown);
  EXPECT_EQ(read(direct_, "key"), "value");
}

TEST_F(MySqlFaults, ACommitThatDoesNotArriveIsUnknownTheSame) {
  proxy_.break_before("\3COMMIT");
  EXPECT_EQ(put(store_, "key", "value"), CommitOutcome::kUnknown);
  EXPECT_EQ(proxy_.done(), 1u);
  EXPECT_EQ(read(direct_, "key"), "absent");
}

TEST_F(MySqlFaults, WhatBreaksOffBeforeTheCommitIsDoneOverAnotherConnection) {
  proxy_.break_instead_of_answer("break here");
  EXPECT_EQ(put(store_, "break here", "value"), CommitOutcome::kCommitted);
  EXPECT_EQ(proxy_.done(), 1u);
  EXPECT_EQ(read(direct_, "break here"), "value");
  proxy_.break_before("break here");
  EXPECT_EQ(read(store_, "break here"), "value");
  EXPECT_EQ(proxy_.done(), 1u);
}

TEST_F(MySqlFaults, ASnapshotThatBreaksOffSaysSo) {
  put(direct_, "break here", "value");
  {
    const auto snapshot = store_.snapshot();
    proxy_.break_before("break here");
    std::string value;
    EXPECT_THROW(snapshot->get("break here", value), StoreUnavailable);
  }
  std::string value;
  EXPECT_TRUE(store_.snapshot()->get("break here", value));
}

/// Of two records, one at a time is there. The keys are so long that the first and the last have statements
/// of their own.
TEST_F(MySqlFaults, AValidationInSeveralStatementsSeesOneState) {
  std::vector<std::string> keys;
  for (int i = 10; i < 21; ++i)
    keys.push_back(std::to_string(i) + std::string(store_.traits().longest_key - 2, 'k'));
  const auto move_record = [&](const std::string& from, const std::string& to) {
    const auto transaction = direct_.begin();
    transaction->erase(from);
    transaction->put(to, "value");
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  };
  move_record(keys.front(), keys.back());
  const auto reading = store_.begin();
  std::string value;
  for (const std::string& key : keys) {
    if (key == keys.back()) move_record(keys.back(), keys.front());
    EXPECT_FALSE(reading->get(key, value));
  }
  move_record(keys.front(), keys.back());
  proxy_.call_before_answer(keys.front().substr(0, 8), [&] { move_record(keys.back(), keys.front()); });
  EXPECT_EQ(reading->commit(), CommitOutcome::kConflict);
  EXPECT_EQ(proxy_.done(), 1U) << "between two statements of the validation";
}

TEST_F(MySqlFaults, GoesToTheNextEndpointWhereOneIsAway) {
  std::vector<std::string> log;
  MySqlOptions options = options_;
  options.endpoints = {(folder_.path() / "nobody").string(), open_server().socket()};
  options.log = [&](std::string_view line) { log.emplace_back(line); };
  MySqlStore store(options);
  EXPECT_EQ(put(store, "key", "value"), CommitOutcome::kCommitted);
  ASSERT_EQ(log.size(), 1u);
  EXPECT_THAT(log.front(), HasSubstr("nobody cannot be used: "));
}

TEST_F(MySqlFaults, SaysThatNoServerIsThereWithoutTellingSecrets) {
  MySqlOptions options = options_;
  options.endpoints = {(folder_.path() / "nobody").string()};
  options.user = "Ursula";
  options.password = "Geheim";
  try {
    MySqlStore store(options);
    FAIL() << "nobody is there";
  } catch (const StoreUnavailable& error) {
    const std::string message = error.what();
    EXPECT_THAT(message, HasSubstr("nobody"));
    EXPECT_EQ(message.find("Ursula"), std::string::npos);
    EXPECT_EQ(message.find("Geheim"), std::string::npos);
  }
}

TEST_F(MySqlFaults, RefusesACommitThatIsTooLargeForTheServer) {
  const auto transaction = store_.begin();
  transaction->put("small", "value");
  transaction->put("large", std::string(20 << 20, 'x'));
  EXPECT_THAT([&] { transaction->commit(); }, ThrowsMessage<CommitTooLarge>(HasSubstr("max_allowed_packet")));
  EXPECT_EQ(read(store_, "small"), "absent");
}

TEST_F(MySqlFaults, WritesMoreRecordsThanOneStatementHasParameters) {
  const auto transaction = store_.begin();
  for (int i = 0; i < 30'000; ++i) transaction->put(std::to_string(i), "value");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(records(store_).size(), 30'000u);
}

// A server that starts removes the temporary tables in its folder for such, those of other servers too.
TEST(MariaDbServerTest, TwoDoNotShareTemporaryTables) {
  RunningServer other;
  const std::string folder = other->ask("SELECT @@tmpdir");
  EXPECT_EQ(folder, other->temporary());
  EXPECT_NE(folder, open_server().ask("SELECT @@tmpdir"));
}

// A mapper knows before the store does: what belongs together is in one commit.
TEST(MySqlKeys, OfTokensHaveTheLongestLengthAndNoMore) {
  using shop::Stock;
  MySqlStore store(options_of_a_new_table({open_server().socket()}));
  Mapper mapper(store, {.compact_every = {}});
  const std::string longest(token::kLongest - 1, 't'), too_long(token::kLongest, 't');
  const detail::RecordKey key = detail::token_key(detail::entity_key("Stock", std::string()), longest);
  const std::string id(store.traits().longest_key - key.size(), 'x');
  mapper.save(Stock(id));
  for (int i = 0; i < 2; ++i) {
    mapper.apply<&Stock::refill>(id, token(longest), 5);
    mapper.apply_async<&Stock::refill>(id, token(longest), 5).get();
    const auto is_refused = ThrowsMessage<KeyTooLong>(HasSubstr("choose a shorter id or token"));
    EXPECT_THAT([&] { mapper.apply<&Stock::refill>(id, token(too_long), 7); }, is_refused);
    EXPECT_THAT([&] { mapper.apply_async<&Stock::refill>(id, token(too_long), 7).get(); }, is_refused);
  }
  EXPECT_EQ(mapper.load<Stock>(id).value().pieces(), 5);
}

TEST(MySqlTable, IsAutoShardsOwnAndOfAFormatThatIsKnown) {
  MySqlOptions options = options_of_a_new_table({open_server().socket()});
  open_server().ask("CREATE TABLE autoshard." + options.table + " (a INT)");
  EXPECT_THROW(MySqlStore{options}, StoreUnavailable);

  options = options_of_a_new_table({open_server().socket()});
  { MySqlStore store(options); }
  { MySqlStore again(options); }
  open_server().ask("UPDATE autoshard." + options.table + " SET v = x'7F'");
  EXPECT_THROW(MySqlStore{options}, SchemaMismatch);
  open_server().ask("UPDATE autoshard." + options.table + " SET k = 'other'");
  EXPECT_THROW(MySqlStore{options}, StoreUnavailable);
}

TEST(MySqlOptionsTest, AreChecked) {
  for (const char* endpoint : {"", ":3306", "host:", "host:port", "host:0", "host:65536", "[::1]:x"})
    EXPECT_THROW(MySqlStore{MySqlOptions{.endpoints = {endpoint}}}, InvalidUse) << endpoint;
  EXPECT_THROW(MySqlStore{MySqlOptions{.endpoints = {}}}, InvalidUse);
  const std::string longest(50, 't');
  for (const std::string& table :
       {std::string(), std::string("a b"), std::string("a`"), std::string("a.b"), std::string("a/b"),
        std::string("a:b"), std::string("a@b"), std::string("a["), std::string("a{"), std::string("\xC3\xA4"),
        longest + 't'}) {
    EXPECT_THAT([&] { MySqlStore{MySqlOptions{.table = table}}; },
                ThrowsMessage<InvalidUse>(HasSubstr("MySqlOptions::table is \"" + table + '"')));
  }
}

TEST(MySqlTable, HasANameOfAtMost50LettersDigitsAndUnderscores) {
  MySqlOptions options = options_of_a_new_table({open_server().socket()});
  for (const std::string& table : {std::string("AZaz_09"), std::string(50, 't')}) {
    options.table = table;
    MySqlStore store(options);
    EXPECT_EQ(put(store, "key", "value"), CommitOutcome::kCommitted);
    EXPECT_EQ(open_server().ask("SELECT COUNT(*) FROM autoshard." + table + "_reads"), "0");
  }
}

TEST(MySqlOptionsTest, ComeFromTheEnvironment) {
  setenv("AUTOSHARD_MYSQL_ENDPOINTS", "one,two:3307,/three", 1);
  setenv("AUTOSHARD_MYSQL_PASSWORD", "Geheim", 1);
  setenv("AUTOSHARD_MYSQL_TLS_VERIFY", "0", 1);
  const MySqlOptions options = MySqlOptions::from_environment();
  EXPECT_EQ(options.endpoints, (std::vector<std::string>{"one", "two:3307", "/three"}));
  EXPECT_EQ(options.password, "Geheim");
  EXPECT_FALSE(options.tls.verify);
  EXPECT_EQ(options.table, "autoshard");
  setenv("AUTOSHARD_MYSQL_TLS_VERIFY", "maybe", 1);
  EXPECT_THROW(MySqlOptions::from_environment(), InvalidUse);
  for (const char* name : {"ENDPOINTS", "PASSWORD", "TLS_VERIFY"})
    unsetenv((std::string("AUTOSHARD_MYSQL_") + name).c_str());
}

// It is as if the machine of the one were gone, and nobody had closed its connection.
TEST_F(MySqlFaults, AProcessThatStandsStillInACommitKeepsNobodyFromTheRecord) {
  ASSERT_EQ(put(direct_, "key", "old"), CommitOutcome::kCommitted);
  proxy_.hold("\3COMMIT");
  const pid_t process = fork();
  ASSERT_GE(process, 0);
  if (process == 0) {
    MySqlOptions options = options_;
    options.read_timeout = std::chrono::seconds(1);
    MySqlStore store(options);
    put(store, "key", "of the process");
    _exit(0);
  }
  while (proxy_.done() == 0) std::this_thread::yield();
  kill(process, SIGSTOP);
  EXPECT_EQ(put(direct_, "key", "new"), CommitOutcome::kCommitted);
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  EXPECT_EQ(read(direct_, "key"), "new");
}

// As a node of a cluster can come to a standstill: it lets itself be connected, and its commits never end.
TEST_F(MySqlFaults, CallsEndAndTheNextServerIsUsedWhereOneStandsStill) {
  MySqlOptions options = options_;
  options.endpoints.push_back(open_server().socket());
  options.read_timeout = std::chrono::seconds(1);
  MySqlStore store(options);
  Mapper mapper(store, {.compact_every = {}});
  mapper.save(shop::Stock("nails"));
  proxy_.hold("\3COMMIT", true);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int update = 0; update < 10; ++update)
        EXPECT_NO_THROW(mapper.apply<&shop::Stock::refill>("nails", 1));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(proxy_.done(), 0U);
  EXPECT_EQ(mapper.load<shop::Stock>("nails").value().pieces(), 40);
}

/// It tries again for as long as a read may take, and waits for the lock for half of that each time.
TEST_F(MySqlFaults, ACommitThatAnotherKeepsWaitingEndsAsAConflict) {
  MySqlOptions options = options_;
  options.read_timeout = std::chrono::seconds(4);
  MySqlStore store(options);
  ASSERT_EQ(put(store, "key", "old"), CommitOutcome::kCommitted);
  Session session(open_server());
  ASSERT_EQ(session.run(
                {"START TRANSACTION", "UPDATE " + options.table + " SET version = version WHERE k = 'key'"}),
            0U);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(put(store, "key", "new"), CommitOutcome::kConflict);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20)) << "not thirty times";
  ASSERT_EQ(session.run({"ROLLBACK"}), 0U);
  EXPECT_EQ(read(store, "key"), "old");
  EXPECT_EQ(put(store, "key", "new"), CommitOutcome::kCommitted) << "afterwards";
}

// MySQL knows no compound statements outside of stored programs.
TEST(MySqlServers, ThatAreNoMariaDbGetNoCompoundStatements) {
  RunningServer server({"--version=8.0.36"});
  const TemporaryFolder folder;
  Proxy proxy((folder.path() / "proxy").string(), server->socket());
  MySqlStore store(options_of_a_new_table({(folder.path() / "proxy").string()}));
  proxy.refuse("BEGIN NOT ATOMIC", ER_PARSE_ERROR, true);
  ASSERT_EQ(put(store, "key", "value"), CommitOutcome::kCommitted);
  const auto transaction = store.begin();
  std::string value;
  ASSERT_TRUE(transaction->get("key", value));
  transaction->put("key", value + "s");
  transaction->put("another", "value");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(read(store, "key"), "values");
  EXPECT_EQ(proxy.done(), 0U);
}

TEST(MySqlConnections, AreAsManyAsTheOptionsSay) {
  MySqlOptions options = options_of_a_new_table({open_server().socket()});
  options.connections = 2;
  MySqlStore store(options);
  std::vector<std::thread> threads;
  for (int i = 0; i < 12; ++i) {
    threads.emplace_back([&, key = "key " + std::to_string(i)] {
      for (int commit = 0; commit < 20; ++commit) {
        EXPECT_EQ(put(store, key, std::to_string(commit)), CommitOutcome::kCommitted);
        EXPECT_EQ(read(store, key), std::to_string(commit));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  options.connections = 0;
  EXPECT_THROW(MySqlStore{options}, InvalidUse);
}

// A record that somebody has locked is waited for by those who write it, and by nobody else.
TEST(MySqlConnections, ReadsGoOnWhileCommitsWait) {
  MySqlOptions options = options_of_a_new_table({open_server().socket()});
  options.connections = 1;
  MySqlStore store(options);
  ASSERT_EQ(put(store, "locked", "old"), CommitOutcome::kCommitted);
  ASSERT_EQ(put(store, "other", "value"), CommitOutcome::kCommitted);
  Session session(open_server());
  ASSERT_EQ(session.run({"START TRANSACTION", "DELETE FROM " + options.table + " WHERE k = 'locked'"}), 0U);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { EXPECT_EQ(put(store, "locked", "new"), CommitOutcome::kCommitted); });
  // Not `innodb_trx`: the server does not look anew for one who asks more often than every 100 ms.
  const std::string waits =
      "SELECT variable_value FROM information_schema.global_status "
      "WHERE variable_name = 'INNODB_ROW_LOCK_CURRENT_WAITS'";
  open_server().wait_until(waits, "1");
  EXPECT_NO_THROW(EXPECT_EQ(read(store, "other"), "value"));
  EXPECT_EQ(open_server().ask(waits), "1") << "it waited for the commit";
  EXPECT_EQ(session.run({"ROLLBACK"}), 0U);
  threads.clear();
  EXPECT_EQ(read(store, "locked"), "new");
}

// The server has room for ten, and the stores want twelve.
TEST(MySqlConnections, WaitForOneThatTheServerHasRoomFor) {
  RunningServer server({"--max-connections=10"});
  MySqlOptions options = options_of_a_new_table({server->socket()});
  options.connections = 6;
  MySqlStore one(options), other(options);
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([&, key = "key " + std::to_string(i)] {
      for (int commit = 0; commit < 20; ++commit)
        EXPECT_EQ(put(commit % 2 == 0 ? one : other, key, "value"), CommitOutcome::kCommitted);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(MySqlConnections, AreKept) {
  MySqlStore store(options_of_a_new_table({open_server().socket()}));
  EXPECT_EQ(put(store, "key", "value"), CommitOutcome::kCommitted);
  const auto connections = [] {
    return std::stoull(open_server().ask("SHOW GLOBAL STATUS LIKE 'Connections'"));
  };
  const unsigned long long before = connections();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(read(store, "key"), "value");
  EXPECT_LT(connections() - before, 10U) << "the question takes one, too";
}

TEST(MySqlConnections, ThatAreIdleAreGivenUpWithTheServer) {
  RunningServer server;
  MySqlOptions options = options_of_a_new_table({server->socket()});
  options.read_timeout = options.connect_timeout = std::chrono::seconds(3);
  MySqlStore store(options);
  EXPECT_EQ(put(store, "key", "value"), CommitOutcome::kCommitted);
  {
    const auto snapshot = store.snapshot();
    EXPECT_EQ(read(store, "key"), "value");
  }  // two are idle
  server->signal(SIGSTOP);
  EXPECT_THROW(read(store, "key"), StoreUnavailable);
  server->signal(SIGCONT);
  server->wait_until_ready();
  EXPECT_EQ(read(store, "key"), "value");
  EXPECT_EQ(read(store, "key"), "value");
}

/// A cursor holds a page in memory.
TEST(MySqlScans, APageOfLargeRecordsHoldsFewer) {
  constexpr int kRecords = 150;
  MySqlStore store(options_of_a_new_table({open_server().socket()}));
  const std::string value(256 << 10, 'x');
  for (int i = 0; i < kRecords; ++i)
    EXPECT_EQ(put(store, "key " + std::to_string(i), value), CommitOutcome::kCommitted);
  const auto selects = [] { return std::stoull(open_server().ask("SHOW GLOBAL STATUS LIKE 'Com_select'")); };
  const unsigned long long before = selects();
  EXPECT_EQ(records(store).size(), static_cast<std::size_t>(kRecords));
  EXPECT_GE(selects() - before, 6U) << "of 64 records, and then of 16";
}

TEST(MySqlConnections, ToAHostAreNotThroughASocket) {
  MySqlOptions options = options_of_a_new_table({"localhost:" + std::to_string(free_port())});
  EXPECT_THAT([&] { MySqlStore{options}; }, ThrowsMessage<StoreUnavailable>(Not(HasSubstr("socket"))));
}

}  // namespace
}  // namespace autoshard::test
