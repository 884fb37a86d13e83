// A MySqlStore on one MariaDB.

#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>
#include <gmock/gmock.h>

#include "mariadb_server.h"
#include "store_contract.h"

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

MariaDbServer& server() {
  static TemporaryFolder folder;
  static MariaDbServer server(folder.path() / "server", {"--skip-networking"});
  static const bool started = [] {
    std::filesystem::permissions(folder.path(), std::filesystem::perms::others_exec,
                                 std::filesystem::perm_options::add);
    server.start();
    server.wait_until_ready();
    return true;
  }();
  static_cast<void>(started);
  return server;
}

std::vector<StoreKind> stores() {
  return {{"MariaDb",
           [](const std::filesystem::path&) -> std::unique_ptr<Store> {
             return std::make_unique<MySqlStore>(options_of_a_new_table({server().socket()}));
           }},
          {"MariaDbInSteps", [](const std::filesystem::path&) -> std::unique_ptr<Store> {
             MySqlOptions options = options_of_a_new_table({server().socket()});
             options.compound_commits = false;
             return std::make_unique<MySqlStore>(options);
           }}};
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StoreThreads, ::testing::ValuesIn(stores()), store_name);

}  // namespace
}  // namespace autoshard::test
