// A MySqlStore on a Galera cluster of three nodes.

#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>
#include <gmock/gmock.h>

#include <atomic>

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

}  // namespace
}  // namespace autoshard::test
