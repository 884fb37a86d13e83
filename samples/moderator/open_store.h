#pragma once

#include <autoshard/store.h>

#include <memory>
#include <string>

namespace moderator {

/// Opens `rocksdb:PATH`, `mysql:[HOST:PORT/]DATABASE`, or a RocksDB database by its path alone. User and
/// password of MariaDB come from AUTOSHARD_MYSQL_USER and AUTOSHARD_MYSQL_PASSWORD. Throws
/// `autoshard::InvalidUse` if the program was built without MariaDB, besides the errors of the store.
std::unique_ptr<autoshard::Store> open_store(const std::string& name);

}  // namespace moderator
