#include "open_store.h"

#include <autoshard/errors.h>
#ifdef AUTOSHARD_HAS_MYSQL
#include <autoshard/mysql_store.h>
#endif
#ifdef AUTOSHARD_HAS_ROCKSDB
#include <autoshard/rocksdb_view.h>
#endif

namespace autoshard::ctl {
namespace {

constexpr std::string_view kRocksDb = "rocksdb:", kMySql = "mysql:";

#ifdef AUTOSHARD_HAS_MYSQL
std::unique_ptr<Store> open_mysql(const std::string& table) {
  MySqlOptions options = MySqlOptions::from_environment();
  if (!table.empty()) options.table = table;
  return std::make_unique<MySqlStore>(options);
}
#endif

}  // namespace

std::unique_ptr<Store> open_to_look(const std::string& name) {
#ifdef AUTOSHARD_HAS_ROCKSDB
  if (name.starts_with(kRocksDb)) return view_rocksdb(name.substr(kRocksDb.size()));
#endif
#ifdef AUTOSHARD_HAS_MYSQL
  if (name.starts_with(kMySql)) return open_mysql(name.substr(kMySql.size()));
#endif
  if (name.starts_with(kRocksDb) || name.starts_with(kMySql))
    throw InvalidUse("this autoshardctl was built without the component of " + name);
  throw InvalidUse("the store '" + name + "' is none that I know: write rocksdb:PATH or mysql:TABLE");
}

}  // namespace autoshard::ctl
