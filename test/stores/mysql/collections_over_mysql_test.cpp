// The runtime's own tests of groups, indexes, ranges and queries, over a MySqlStore on one MariaDB.

#include <autoshard/mysql_store.h>

#include <memory>
#include <vector>

#include "mariadb_server.h"
#include "support/test_store.h"

namespace autoshard::test {

std::vector<StoreKind> all_stores() {
  return {{"MariaDb", [](const std::filesystem::path&) -> std::unique_ptr<Store> {
             return std::make_unique<MySqlStore>(options_of_a_new_table({open_server().socket()}));
           }}};
}

}  // namespace autoshard::test
