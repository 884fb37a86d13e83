// What a server takes at once, and what a MySqlStore and a mapper on it make of that.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>
#include <gmock/gmock.h>
#include <mariadb/mysqld_error.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "entities/groups/topic.autoshard.h"
#include "mariadb_server.h"
#include "plain_session.h"
#include "proxy.h"
#include "store_contract.h"

namespace autoshard::test {
namespace {

using forum::Topic;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

constexpr std::size_t kPacket = 1 << 20, kTransaction = 4 << 20;

/// Takes statements of a megabyte, transactions of four, and few prepared statements.
MariaDbServer& small_server() {
  static RunningServer server(
      {"--log-bin", "--sync-binlog=0", "--max-allowed-packet=" + std::to_string(kPacket),
       "--max-binlog-cache-size=" + std::to_string(kTransaction), "--max-prepared-stmt-count=8"});
  return *server;
}

class MySqlLimits : public ::testing::Test {
 protected:
  static MySqlOptions options() {
    MySqlOptions options = options_of_a_new_table({small_server().socket()});
    options.connections = 2;
    return options;
  }
  Mapper mapper(Durability durability = {}) {
    return Mapper(store_, {.durability = durability, .compact_every = {}, .adaptive = {.window = {}}});
  }

  MySqlStore store_{options()};
};

TEST_F(MySqlLimits, ABinaryLogOfStatementsIsRefused) {
  small_server().ask("SET GLOBAL binlog_format = STATEMENT");
  EXPECT_THAT([] { MySqlStore store(options()); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("binlog_format")));
  small_server().ask("SET GLOBAL binlog_format = ROW");
  EXPECT_NO_THROW(MySqlStore store(options()));
}

std::vector<std::unique_ptr<Store>> both_kinds(MySqlOptions options) {
  std::vector<std::unique_ptr<Store>> stores;
  for (const bool compound : {true, false}) {
    options.compound_commits = compound;
    stores.push_back(std::make_unique<MySqlStore>(options));
  }
  return stores;
}

TEST_F(MySqlLimits, ACommitMayBeLargerThanAPacket) {
  for (const auto& store : both_kinds(options())) {
    const std::string value(kPacket / 5, 'x');
    const auto transaction = store->begin();
    for (const char* key : {"a", "b", "c", "d", "e", "f"}) transaction->put(key, value);
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    EXPECT_EQ(get(*store, "f"), value);
    const auto changing = store->begin();
    std::string read;
    for (const char* key : {"a", "b", "c", "d", "e", "f"}) {
      ASSERT_TRUE(changing->get(key, read));
      changing->put(key, read + "y");
    }
    EXPECT_EQ(changing->commit(), CommitOutcome::kCommitted);
    EXPECT_EQ(get(*store, "a"), value + "y");
  }
}

TEST_F(MySqlLimits, ARecordIsNotLargerThanAPacket) {
  for (const auto& store : both_kinds(options())) {
    const auto transaction = store->begin();
    transaction->put("small", "value");
    transaction->put("large", std::string(kPacket, 'x'));
    EXPECT_THAT([&] { transaction->commit(); },
                ThrowsMessage<CommitTooLarge>(HasSubstr("max_allowed_packet")));
    EXPECT_EQ(get(*store, "small"), "absent");
    const std::string just_fits(kPacket - 4'096, 'x');
    EXPECT_EQ(put(*store, "large", just_fits), CommitOutcome::kCommitted);
    EXPECT_EQ(get(*store, "large"), just_fits);
  }
}

TEST_F(MySqlLimits, WhatOnlyTheServerKnowsIsTooLargeToo) {
  for (const auto& store : both_kinds(options())) {
    const auto transaction = store->begin();
    for (int i = 0; i < 10; ++i) transaction->put(std::to_string(i), std::string(kTransaction / 8, 'x'));
    EXPECT_THAT([&] { transaction->commit(); },
                ThrowsMessage<CommitTooLarge>(HasSubstr("max_binlog_cache_size")));
    EXPECT_EQ(get(*store, "0"), "absent");
    EXPECT_EQ(put(*store, "key", "value"), CommitOutcome::kCommitted) << "afterwards";
  }
}

TEST_F(MySqlLimits, AStatementHasMoreParametersThanTheServerTakes) {
  std::vector<std::string> keys;
  std::vector<KeyRange> ranges;
  for (int i = 100'000; i < 170'000; ++i) {
    keys.push_back("key " + std::to_string(i));
    ranges.push_back({keys.back(), keys.back() + '\1'});
  }
  ASSERT_EQ(put(store_, keys.back(), "value"), CommitOutcome::kCommitted);
  for (const bool is_changed : {false, true}) {
    const auto reading = store_.begin();
    reading->prefetch(keys);
    std::string value;
    std::size_t there = 0;
    for (const std::string& key : keys) there += reading->get(key, value);
    EXPECT_EQ(there, 1U);
    if (is_changed) {
      ASSERT_EQ(put(store_, keys.front(), "value"), CommitOutcome::kCommitted);
    }
    EXPECT_EQ(reading->commit(), is_changed ? CommitOutcome::kConflict : CommitOutcome::kCommitted);
  }
  std::size_t found = 0;
  const auto snapshot = store_.snapshot();
  for (const auto cursor = snapshot->scan_all(ranges); cursor->valid(); cursor->next()) ++found;
  EXPECT_EQ(found, 2U);
}

TEST_F(MySqlLimits, LongKeysAreReadInSeveralStatements) {
  const std::string prefix(store_.traits().longest_key - 4, 'k');
  std::vector<std::string> keys;
  std::vector<KeyRange> ranges;
  const auto writing = store_.begin();
  for (int i = 1'000; i < 1'500; ++i) {
    keys.push_back(prefix + std::to_string(i));
    ranges.push_back({keys.back(), keys.back() + '\1'});
    writing->put(keys.back(), "value");
  }
  ASSERT_EQ(writing->commit(), CommitOutcome::kCommitted);
  const auto reading = store_.begin();
  reading->prefetch(keys);
  std::string value;
  for (const std::string& key : keys) ASSERT_TRUE(reading->get(key, value));
  EXPECT_EQ(reading->commit(), CommitOutcome::kCommitted);
  std::size_t found = 0;
  const auto snapshot = store_.snapshot();
  for (const auto cursor = snapshot->scan_all(ranges); cursor->valid(); cursor->next()) ++found;
  EXPECT_EQ(found, keys.size());
}

TEST_F(MySqlLimits, UpdatesThatEachFitAreCommittedThoughTogetherTheyDoNot) {
  Mapper mapper = this->mapper();
  mapper.save(Topic(1));
  std::vector<Completion> posts;
  for (int i = 0; i < 40; ++i)
    posts.push_back(mapper.apply_async<&Topic::add_post>(1, std::string(kPacket / 2, 'x')));
  for (Completion& post : posts) EXPECT_NO_THROW(post.get());
  EXPECT_THAT(mapper.load<Topic>(1).value().posts(), SizeIs(40));
}

TEST_F(MySqlLimits, NothingThatWasAcknowledgedIsLost) {
  Mapper mapper = this->mapper(durability::buffered{std::chrono::hours(1)});
  mapper.save(Topic(1));
  for (int i = 0; i < 2'000; ++i) mapper.apply<&Topic::add_post>(1, std::string(2'048, 'x'));
  EXPECT_NO_THROW(mapper.flush());
  EXPECT_THAT(mapper.load<Topic>(1).value().posts(), SizeIs(2'000));
}

TEST_F(MySqlLimits, AnUpdateThatIsTooLargeNamesItsEntity) {
  for (const Durability durability :
       {Durability(), Durability(durability::buffered{std::chrono::hours(1)})}) {
    Mapper mapper = this->mapper(durability);
    if (!mapper.load<Topic>(1)) mapper.save(Topic(1));
    EXPECT_THAT([&] { mapper.apply<&Topic::add_post>(1, std::string(kPacket, 'x')); },
                ThrowsMessage<CommitTooLarge>(
                    AllOf(HasSubstr("updating Topic 1: "), HasSubstr("max_allowed_packet"))));
    EXPECT_NO_THROW(mapper.flush());
  }
}

// Each statement of another shape is a prepared one, and the server has room for eight in all.
TEST_F(MySqlLimits, PreparedStatementsAreGivenUpForOthers) {
  for (int keys = 1; keys <= 12; ++keys) {
    const auto transaction = store_.begin();
    for (int i = 0; i < keys; ++i) transaction->put("key " + std::to_string(i), "value");
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    EXPECT_EQ(get(store_, "key 0"), "value");
  }
}

// A server also has those of connections that were closed, until it notices that.
TEST_F(MySqlLimits, PreparedStatementsOfOthersAreWaitedFor) {
  const TemporaryFolder folder;
  Proxy proxy((folder.path() / "proxy").string(), small_server().socket());
  const auto expect_waits = [&](const std::string& statement, const std::function<void()>& call) {
    constexpr char kPrepare = 22;
    proxy.refuse(kPrepare + statement, ER_MAX_PREPARED_STMT_COUNT_REACHED);
    call();
    EXPECT_EQ(proxy.done(), 1U) << statement;
  };
  MySqlOptions options = this->options();
  options.endpoints = {(folder.path() / "proxy").string()};
  std::optional<MySqlStore> store;
  expect_waits("SELECT 1", [&] { store.emplace(options); });
  std::string value;
  expect_waits("SELECT version", [&] { EXPECT_FALSE(store->begin()->get("key", value)); });
  expect_waits("BEGIN NOT ATOMIC",
               [&] { EXPECT_EQ(put(*store, "key", "value"), CommitOutcome::kCommitted); });
  options.compound_commits = false;
  store.emplace(options);
  expect_waits("REPLACE", [&] { EXPECT_EQ(put(*store, "key", "value"), CommitOutcome::kCommitted); });
}

TEST_F(MySqlLimits, PreparedStatementsOfOthersAreWaitedForNoLongerThanTheOptionsSay) {
  const TemporaryFolder folder;
  Proxy proxy((folder.path() / "proxy").string(), small_server().socket());
  MySqlOptions options = this->options();
  options.endpoints = {(folder.path() / "proxy").string()};
  options.read_timeout = std::chrono::seconds(1);
  MySqlStore store(options);
  constexpr char kPrepare = 22;
  const auto begin = std::chrono::steady_clock::now();
  proxy.refuse(kPrepare + std::string("BEGIN NOT ATOMIC"), ER_MAX_PREPARED_STMT_COUNT_REACHED, true);
  EXPECT_THAT([&] { put(store, "key", "value"); }, ThrowsMessage<StoreUnavailable>(HasSubstr("(1461)")));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, options.read_timeout);
  EXPECT_GT(proxy.done(), 1U);
  proxy.hand_on_everything();
  EXPECT_EQ(get(store, "key"), "absent");
  EXPECT_EQ(put(store, "key", "value"), CommitOutcome::kCommitted) << "afterwards";
}

TEST(MySqlPackets, OfAServerAreNotTooSmall) {
  RunningServer server({"--max-allowed-packet=16384"});
  EXPECT_THAT([&] { MySqlStore{options_of_a_new_table({server->socket()})}; },
              ThrowsMessage<StoreUnavailable>(
                  HasSubstr("max_allowed_packet of the server is below 65536: raise it")));
}

}  // namespace
}  // namespace autoshard::test
