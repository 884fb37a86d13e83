// The contract of a store, kept by a MySqlStore on a server whose administrator has set all sessions to what
// would break it.

#include <autoshard/mysql_store.h>
#include <gtest/gtest.h>

#include <string>

#include "mariadb_server.h"
#include "store_contract.h"

namespace autoshard::test {
namespace {

/// The reverse of what the store needs.
MariaDbServer& hostile_server() {
  static RunningServer server({"--skip-character-set-client-handshake", "--character-set-server=utf8mb4",
                               "--query-cache-size=1M", "--query-cache-type=1"});
  static const bool is_set = [] {
    for (const char* setting :
         {"sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT,EMPTY_STRING_IS_NULL,NO_BACKSLASH_ESCAPES,"
          "SIMULTANEOUS_ASSIGNMENT,HIGH_NOT_PRECEDENCE'",
          "character_set_client = 'utf8mb3'",
          "character_set_connection = 'ucs2'",
          "character_set_results = 'ucs2'",
          "completion_type = 'RELEASE'",
          "tx_isolation = 'READ-UNCOMMITTED'",
          "tx_read_only = ON",
          "foreign_key_checks = OFF",
          "unique_checks = OFF",
          "sql_select_limit = 2",
          "max_join_size = 1",
          "sql_big_selects = OFF",
          "sql_safe_updates = ON",
          "max_sort_length = 64",
          "max_session_mem_used = 1048576",
          "innodb_lock_wait_timeout = 1",
          "lock_wait_timeout = 86400",
          "idle_transaction_timeout = 1",
          "idle_readonly_transaction_timeout = 1",
          "idle_write_transaction_timeout = 0",
          "wait_timeout = 1",
          "interactive_timeout = 1",
          "max_error_count = 0",
          "autocommit = OFF",
          "max_statement_time = 0.000001"}) {
      server->ask(std::string("SET GLOBAL ") + setting);
    }
    return true;
  }();
  static_cast<void>(is_set);
  return *server;
}

std::vector<StoreKind> stores() {
  return {{"Hostile",
           [](const std::filesystem::path&) -> std::unique_ptr<Store> {
             return std::make_unique<MySqlStore>(options_of_a_new_table({hostile_server().socket()}));
           }},
          {"HostileInSteps", [](const std::filesystem::path&) -> std::unique_ptr<Store> {
             MySqlOptions options = options_of_a_new_table({hostile_server().socket()});
             options.compound_commits = false;
             return std::make_unique<MySqlStore>(options);
           }}};
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreContract, ::testing::ValuesIn(stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StoreThreads, ::testing::ValuesIn(stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StorePrefetch, ::testing::ValuesIn(stores()), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, StoreFolds, ::testing::ValuesIn(stores()), store_name);

}  // namespace
}  // namespace autoshard::test
