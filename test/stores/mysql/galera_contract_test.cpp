// The contract of a store, kept by a MySqlStore on a Galera cluster of three nodes.

#include <autoshard/mysql_store.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "galera_cluster.h"
#include "store_contract.h"

namespace autoshard::test {
namespace {

GaleraCluster& cluster() {
  static TemporaryFolder folder;
  static GaleraCluster cluster(folder.path(), 3);
  return cluster;
}

/// Each transaction and snapshot is one of the next node.
class EveryNodeInTurn final : public Store {
 public:
  EveryNodeInTurn() {
    MySqlOptions options = options_of_a_new_table({});
    options.endpoints = cluster().sockets();
    for (std::size_t i = 0; i < cluster().size(); ++i) {
      nodes_.push_back(std::make_unique<MySqlStore>(options));
      std::rotate(options.endpoints.begin(), options.endpoints.begin() + 1, options.endpoints.end());
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
INSTANTIATE_TEST_SUITE_P(Stores, StorePrefetch, ::testing::ValuesIn(stores()), store_name);

}  // namespace
}  // namespace autoshard::test
