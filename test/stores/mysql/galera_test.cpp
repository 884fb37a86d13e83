// A MySqlStore on a Galera cluster of three nodes.

#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>
#include <gmock/gmock.h>
#include <mariadb/mysql.h>
#include <mariadb/mysqld_error.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

#include "mariadb_server.h"
#include "store_contract.h"

namespace autoshard::test {
namespace {

GaleraCluster& cluster() {
  static GaleraCluster cluster(3);
  return cluster;
}

/// Each transaction and snapshot is one of the next node.
class EveryNodeInTurn final : public Store {
 public:
  EveryNodeInTurn() {
    MySqlOptions options = options_of_a_new_table({});
    for (const std::string& socket : cluster().sockets()) {
      options.endpoints = {socket};
      nodes_.push_back(std::make_unique<MySqlStore>(options));
    }
  }

  StoreTraits traits() const override { return nodes_.front()->traits(); }
  std::unique_ptr<Transaction> begin() override { return next().begin(); }
  std::unique_ptr<Snapshot> snapshot() override { return next().snapshot(); }

 private:
  Store& next() { return *nodes_[turn_++ % nodes_.size()]; }

  std::vector<std::unique_ptr<MySqlStore>> nodes_;
  std::atomic<std::size_t> turn_{0};
};

std::vector<StoreKind> stores() {
  return {{"Galera", [](const std::filesystem::path&) -> std::unique_ptr<Store> {
             return std::make_unique<EveryNodeInTurn>();
           }}};
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StoreThreads, ::testing::ValuesIn(stores()), store_name);

/// A session without any of the store's precautions.
class Session {
 public:
  explicit Session(const MariaDbServer& node) : connection_(mysql_init(nullptr), mysql_close) {
    if (!mysql_real_connect(connection_.get(), nullptr, "root", "", "autoshard", 0, node.socket().c_str(), 0))
      throw std::runtime_error(mysql_error(connection_.get()));
  }

  /// The number of the first error, 0 if there is none.
  unsigned run(const std::vector<std::string>& statements) {
    for (const std::string& sql : statements) {
      if (mysql_query(connection_.get(), sql.c_str()) != 0) return mysql_errno(connection_.get());
    }
    return 0;
  }

 private:
  std::unique_ptr<MYSQL, void (*)(MYSQL*)> connection_;
};

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

/// Adds to a counter of its own until it is told to stop, each time with the number of the addition, so that
/// an unknown outcome is resolved by looking.
class Adding {
 public:
  Adding(const MySqlOptions& options, std::string key)
      : store_(options), key_(std::move(key)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  int counted() const { return counted_; }
  /// What there is in the end.
  int stop() {
    thread_.request_stop();
    thread_.join();
    return read();
  }

 private:
  int read() {
    std::string value;
    return store_.begin()->get(key_, value) ? std::stoi(value) : 0;
  }

  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      try {
        const auto transaction = store_.begin();
        std::string value;
        const int there = transaction->get(key_, value) ? std::stoi(value) : 0;
        if (there != counted_ && there != counted_ + 1) ADD_FAILURE() << there << " and not " << counted_;
        counted_ = there;
        transaction->put(key_, std::to_string(there + 1));
        if (transaction->commit() == CommitOutcome::kCommitted) ++counted_;
      } catch (const StoreUnavailable&) {  // again
      }
    }
  }

  MySqlStore store_;
  const std::string key_;
  std::atomic<int> counted_{0};  // acknowledged, or seen
  std::jthread thread_;
};

class GaleraFaults : public ::testing::Test {
 protected:
  void SetUp() override {
    MySqlOptions options = options_of_a_new_table(cluster().sockets());
    options.read_timeout = std::chrono::seconds(3);
    for (const char* key : {"a", "b", "c", "d"}) adding_.push_back(std::make_unique<Adding>(options, key));
    wait_for_additions();
  }
  void TearDown() override {
    for (const auto& adding : adding_) {
      const int counted = adding->counted(), there = adding->stop();
      EXPECT_GE(there, counted);
    }
  }

  /// Returns once each has added some more.
  void wait_for_additions() {
    std::vector<int> before;
    for (const auto& adding : adding_) before.push_back(adding->counted());
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    for (std::size_t i = 0; i < adding_.size(); ++i) {
      while (adding_[i]->counted() < before[i] + 20) {
        ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "writing does not go on";
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
    }
  }

  std::vector<std::unique_ptr<Adding>> adding_;
};

TEST_F(GaleraFaults, WritingGoesOnWhereTheNodeInUseIsKilled) {
  cluster().node(0).kill();
  wait_for_additions();
  cluster().start(0);
  wait_for_additions();
}

TEST_F(GaleraFaults, WritingGoesOnWhereTheNodeInUseStandsStill) {
  cluster().node(0).signal(SIGSTOP);
  wait_for_additions();
  cluster().node(0).signal(SIGCONT);
  wait_for_additions();
}

}  // namespace
}  // namespace autoshard::test
