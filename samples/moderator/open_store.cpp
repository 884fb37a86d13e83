#include "open_store.h"

#include <autoshard/autoshard.h>

#include <string_view>

namespace moderator {
namespace {

constexpr std::string_view kRocksDb = "rocksdb:", kMySql = "mysql:";

std::unique_ptr<autoshard::Store> open_mysql([[maybe_unused]] std::string_view name) {
#ifdef AUTOSHARD_HAS_MYSQL
  autoshard::MySqlOptions options = autoshard::MySqlOptions::from_environment();
  if (const std::size_t slash = name.rfind('/'); slash != std::string_view::npos) {
    options.endpoints = {std::string(name.substr(0, slash))};
    name.remove_prefix(slash + 1);
  }
  options.database = name;
  return std::make_unique<autoshard::MySqlStore>(options);
#else
  throw autoshard::InvalidUse(
      "this program was built without the component mysql: install libmariadb-dev, and build it with "
      "-DAUTOSHARD_MYSQL=ON");
#endif
}

}  // namespace

std::unique_ptr<autoshard::Store> open_store(const std::string& name) {
  if (name.starts_with(kMySql)) return open_mysql(std::string_view(name).substr(kMySql.size()));
  return std::make_unique<autoshard::RocksDbStore>(name.starts_with(kRocksDb) ? name.substr(kRocksDb.size())
                                                                              : name);
}

}  // namespace moderator
