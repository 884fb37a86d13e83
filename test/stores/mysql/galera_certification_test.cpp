// What a MySqlStore rests on: the rules by which a Galera cluster validates transactions of different nodes.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>
#include <gmock/gmock.h>
#include <mariadb/mysqld_error.h>

#include <chrono>
#include <string>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "galera_cluster.h"
#include "plain_session.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;

GaleraCluster& cluster() {
  static TemporaryFolder folder;
  static GaleraCluster cluster(folder.path(), 2);
  return cluster;
}

/// What a node answers to a transaction that reads record M and writes S, when another node has just
/// committed a new M, which this one applies after so many other rows.
unsigned commit_beside_a_replacement(bool with_reference, int rows) {
  const MySqlOptions options = options_of_a_new_table({cluster().node(0).socket()});
  MySqlStore store(options);
  const auto transaction = store.begin();
  transaction->put("M", "old");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  Session here(cluster().node(0)), there(cluster().node(1));
  EXPECT_EQ(here.run({"CREATE TABLE IF NOT EXISTS slow (i INT PRIMARY KEY, text VARCHAR(200))"}), 0u);
  const std::string& table = options.table;
  std::vector<std::string> statements = {"START TRANSACTION"};
  if (with_reference) {
    statements.push_back("INSERT INTO " + table + "_reads VALUES (1, 'M')");
    statements.push_back("DELETE FROM " + table + "_reads WHERE id = 1");
  }
  statements.push_back("INSERT INTO " + table + " VALUES ('S', 1, '')");
  statements.push_back("COMMIT");
  EXPECT_EQ(there.run({"SET SESSION wsrep_sync_wait = 7", "START TRANSACTION", "DELETE FROM slow",
                       "INSERT INTO slow SELECT seq, REPEAT('x', 200) FROM seq_1_to_" + std::to_string(rows),
                       "DELETE FROM " + table + " WHERE k = 'M'",
                       "INSERT INTO " + table + " VALUES ('M', 1, 'new')", "COMMIT"}),
            0u);
  return here.run(statements);
}

// What MySqlStore rests on: without the reference, a write passes a read of the same record.
TEST(GaleraCertification, LetsNoReferencePassBesideAReplacementOfItsRecord) {
  int rows = 20'000;
  while (commit_beside_a_replacement(true, rows) != ER_LOCK_DEADLOCK) {
    rows *= 2;  // the node was too quick
    ASSERT_LT(rows, 1'000'000);
  }
  EXPECT_EQ(commit_beside_a_replacement(false, rows), 0u);
}

// Its applier and its commits wait, and it lets itself be read and connected.
TEST(GaleraStandstill, OfOneNodeHasTheNextOneUsed) {
  MySqlOptions options = options_of_a_new_table(cluster().sockets());
  options.read_timeout = std::chrono::seconds(2);
  MySqlStore store(options);
  Session session(cluster().node(0));
  ASSERT_EQ(session.run({"FLUSH TABLES WITH READ LOCK"}), 0U);
  for (const char* key : {"one", "other"}) {
    const auto transaction = store.begin();
    transaction->put(key, "value");
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  ASSERT_EQ(session.run({"UNLOCK TABLES"}), 0U);
  std::string value;
  EXPECT_TRUE(store.begin()->get("other", value));
}

TEST(GaleraSessions, ReadNothingFromANodeWithoutAMajority) {
  const TemporaryFolder folder;
  GaleraCluster cluster(folder.path(), 2);
  MySqlOptions options = options_of_a_new_table({cluster.node(1).socket()});
  options.read_timeout = std::chrono::seconds(1);
  cluster.node(1).ask("SET GLOBAL wsrep_dirty_reads = ON");
  cluster.node(1).ask("SET GLOBAL wsrep_sync_wait = 0");
  MySqlStore store(options);
  const auto transaction = store.begin();
  transaction->put("key", "value");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  cluster.node(0).kill();
  cluster.wait_until_powerless(1);
  std::string value;
  EXPECT_THROW(store.begin()->get("key", value), StoreUnavailable);
  EXPECT_THROW(MySqlStore{options}, StoreUnavailable);
}

/// To begin with it is asked whether it folds numbers itself, which a cluster does not.
TEST(GaleraFolds, AreMadeByTheMapperOnceItHasComeToTheCluster) {
  RunningServer single;
  MySqlOptions options = options_of_a_new_table({cluster().node(0).socket()});
  { MySqlStore makes_the_table(options); }
  options.endpoints.insert(options.endpoints.begin(), single->socket());
  MySqlStore store(options);
  ASSERT_TRUE(store.traits().folds_sum);
  Mapper mapper(store, {.compact_every = {}});
  single->kill();
  const auto transaction = store.begin();
  transaction->fold("key", {.number = 1, .least = 0, .most = 10});
  EXPECT_EQ(transaction->commit(), CommitOutcome::kNotFolded);
  std::string value;
  EXPECT_FALSE(store.begin()->get("key", value));
  mapper.save(Flight(1));
  for (int i = 0; i < 3; ++i) mapper.apply<&Flight::rate>(1, 4);
  EXPECT_EQ(mapper.load<Flight>(1).value().score(), 12);
}

// A cluster finds out at the COMMIT what is too large for it.
TEST(GaleraLimits, OfACommitAreThoseOfAnyNode) {
  for (const char* limit : {"wsrep_max_ws_size = 100000", "wsrep_max_ws_rows = 3"}) {
    MySqlOptions options = options_of_a_new_table({cluster().node(1).socket()});
    options.read_timeout = std::chrono::seconds(1);
    MySqlStore store(options);
    const std::string variable = std::string(limit).substr(0, std::string(limit).find(' '));
    const std::string before = cluster().node(1).ask("SELECT @@GLOBAL." + variable);
    cluster().node(1).ask(std::string("SET GLOBAL ") + limit);
    const auto commit = [&](int keys) {
      const auto transaction = store.begin();
      for (int i = 0; i < keys; ++i) transaction->put("key " + std::to_string(i), std::string(40'000, 'x'));
      return transaction->commit();
    };
    EXPECT_THROW(commit(8), CommitTooLarge) << limit;
    EXPECT_EQ(commit(1), CommitOutcome::kCommitted) << limit;
    cluster().node(1).ask("SET GLOBAL " + variable + " = " + before);
  }
}

// Or what is written there would stay there.
TEST(GaleraSessions, RefuseANodeThatReplicatesNothing) {
  const MySqlOptions options = options_of_a_new_table({cluster().node(1).socket()});
  cluster().node(1).ask("SET GLOBAL wsrep_on = OFF");
  EXPECT_THAT([&] { MySqlStore{options}; },
              ::testing::ThrowsMessage<StoreUnavailable>(::testing::HasSubstr("wsrep_on")));
  cluster().node(1).ask("SET GLOBAL wsrep_on = ON");
  EXPECT_NO_THROW(MySqlStore{options});
}

}  // namespace
}  // namespace autoshard::test
