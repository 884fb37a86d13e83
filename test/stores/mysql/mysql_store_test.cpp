// A MySqlStore on one MariaDB.

#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <stdexcept>

#include "mariadb_server.h"
#include "proxy.h"
#include "store_contract.h"

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
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

CommitOutcome put(Store& store, std::string_view key, std::string_view value) {
  const auto transaction = store.begin();
  transaction->put(key, value);
  return transaction->commit();
}

std::string get(Store& store, std::string_view key) {
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
  EXPECT_EQ(get(direct_, "key"), "value");
  EXPECT_EQ(put(store_, "key", "other"), CommitOutcome::kCommitted) << "over another connection";
}

TEST_F(MySqlFaults, ACommitThatDoesNotArriveIsUnknownTheSame) {
  proxy_.break_before("\3COMMIT");
  EXPECT_EQ(put(store_, "key", "value"), CommitOutcome::kUnknown);
  EXPECT_EQ(proxy_.done(), 1u);
  EXPECT_EQ(get(direct_, "key"), "absent");
}

TEST_F(MySqlFaults, WhatBreaksOffBeforeTheCommitIsDoneOverAnotherConnection) {
  proxy_.break_instead_of_answer("break here");
  EXPECT_EQ(put(store_, "break here", "value"), CommitOutcome::kCommitted);
  EXPECT_EQ(proxy_.done(), 1u);
  EXPECT_EQ(get(direct_, "break here"), "value");
  proxy_.break_before("break here");
  EXPECT_EQ(get(store_, "break here"), "value");
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
  EXPECT_THAT([&] { transaction->commit(); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("max_allowed_packet")));
  EXPECT_EQ(get(store_, "small"), "absent");
}

TEST_F(MySqlFaults, WritesMoreRecordsThanOneStatementHasParameters) {
  const auto transaction = store_.begin();
  for (int i = 0; i < 30'000; ++i) transaction->put(std::to_string(i), "value");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(records(store_).size(), 30'000u);
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
    EXPECT_THROW(MySqlStore{MySqlOptions{.endpoints = {endpoint}}}, std::invalid_argument) << endpoint;
  EXPECT_THROW(MySqlStore{MySqlOptions{.endpoints = {}}}, std::invalid_argument);
  for (const char* table : {"", "a b", "a`", "a.b"})
    EXPECT_THROW(MySqlStore{MySqlOptions{.table = table}}, std::invalid_argument) << table;
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
  EXPECT_THROW(MySqlOptions::from_environment(), std::invalid_argument);
  for (const char* name : {"ENDPOINTS", "PASSWORD", "TLS_VERIFY"})
    unsetenv((std::string("AUTOSHARD_MYSQL_") + name).c_str());
}

}  // namespace
}  // namespace autoshard::test
