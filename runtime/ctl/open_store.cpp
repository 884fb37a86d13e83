#include "open_store.h"

#include <autoshard/errors.h>
#ifdef AUTOSHARD_HAS_ROCKSDB
#include <autoshard/rocksdb_store.h>
#include <autoshard/rocksdb_view.h>
#endif
#ifdef AUTOSHARD_HAS_MYSQL
#include <autoshard/mysql_store.h>
#endif

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace autoshard::ctl {
namespace {

/// A store's kind, and what follows the colon.
struct StoreName {
  std::string kind, rest;
};

StoreName parse(const std::string& name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos || colon + 1 == name.size() ||
      (name.substr(0, colon) != "rocksdb" && name.substr(0, colon) != "mysql")) {
    throw InvalidUse("the store '" + name +
                     "' is none that autoshardctl can open: write rocksdb:PATH or mysql:DATABASE");
  }
  return {name.substr(0, colon), name.substr(colon + 1)};
}

[[noreturn, maybe_unused]] void throw_without_component(const std::string& component) {
  throw InvalidUse("this autoshardctl was built without the component " + component);
}

std::unique_ptr<Store> open_mysql([[maybe_unused]] const std::string& name,
                                  [[maybe_unused]] bool create_tables) {
#ifdef AUTOSHARD_HAS_MYSQL
  MySqlOptions options = MySqlOptions::from_environment();
  std::string database = name;
  if (const std::size_t slash = name.rfind('/');
      slash != std::string::npos) {  // a socket's path has some, too
    options.endpoints.clear();
    for (std::size_t begin = 0; begin <= slash;) {
      const std::size_t end = std::min(name.find(',', begin), slash);
      options.endpoints.push_back(name.substr(begin, end - begin));
      begin = end + 1;
    }
    database = name.substr(slash + 1);
  }
  if (const std::size_t dot = database.find('.'); dot != std::string::npos) {
    options.table = database.substr(dot + 1);
    database.resize(dot);
  }
  if (database.empty()) throw InvalidUse("mysql:" + name + " names no database: write mysql:HOST/DATABASE");
  options.database = database;
  options.create_tables = create_tables;
  return std::make_unique<MySqlStore>(options);
#else
  throw_without_component("mysql");
#endif
}

std::unique_ptr<Store> open_rocksdb([[maybe_unused]] const std::string& path) {
#ifdef AUTOSHARD_HAS_ROCKSDB
  return std::make_unique<RocksDbStore>(path);
#else
  throw_without_component("rocksdb");
#endif
}

void require_rocksdb(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path / "CURRENT"))
    throw InvalidUse("there is no RocksDB database in " + path.string());
}

}  // namespace

bool is_same_store(const std::string& one, const std::string& other) {
  const StoreName first = parse(one), second = parse(other);
  return one == other ||
         (first.kind == "rocksdb" && second.kind == "rocksdb" &&
          std::filesystem::weakly_canonical(first.rest) == std::filesystem::weakly_canonical(second.rest));
}

std::unique_ptr<Store> open_to_look(const std::string& name) {
  const auto& [kind, rest] = parse(name);
  if (kind == "mysql") return open_mysql(rest, /*create_tables=*/false);
#ifdef AUTOSHARD_HAS_ROCKSDB
  return view_rocksdb(rest);
#else
  throw_without_component("rocksdb");
#endif
}

std::unique_ptr<Store> open_rocksdb_alone(const std::string& name, const std::string& can_be) {
  const auto& [kind, rest] = parse(name);
  if (kind != "rocksdb") throw InvalidUse("only RocksDB stores can be " + can_be);
  require_rocksdb(rest);
  return open_rocksdb(rest);
}

std::unique_ptr<Store> open_to_change(const std::string& name) {
  const auto& [kind, rest] = parse(name);
  if (kind == "mysql") return open_mysql(rest, /*create_tables=*/false);
  require_rocksdb(rest);
  return open_rocksdb(rest);
}

std::unique_ptr<Store> open_to_write(const std::string& name) {
  const auto& [kind, rest] = parse(name);
  return kind == "mysql" ? open_mysql(rest, /*create_tables=*/true) : open_rocksdb(rest);
}

#ifdef AUTOSHARD_HAS_ROCKSDB
std::unique_ptr<RocksDbStore> open_rocksdb_to_back_up(const std::string& name) {
  const std::filesystem::path path = rocksdb_path(name);
  require_rocksdb(path);
  try {
    return std::make_unique<RocksDbStore>(path);
  } catch (const StoreUnavailable& error) {
    throw StoreUnavailable(std::string(error.what()) +
                           ". A program that has the store open makes a backup with autoshard::make_backup");
  }
}
#endif

std::filesystem::path rocksdb_path(const std::string& name) {
  const auto& [kind, rest] = parse(name);
  if (kind != "rocksdb")
    throw InvalidUse(
        "backups are of RocksDB stores: back up MariaDB with its own tools, such as mariadb-backup");
  return rest;
}

}  // namespace autoshard::ctl
