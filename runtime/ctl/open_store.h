#pragma once

#include <autoshard/store.h>

#include <memory>
#include <string>

namespace autoshard::ctl {

/// Opens a store to read it: `rocksdb:PATH`, also while a program has it open. Throws `InvalidUse` for
/// another name, and what `view_rocksdb` throws.
std::unique_ptr<Store> open_to_look(const std::string& name);

/// Opens a store that exists, `rocksdb:PATH` or `mysql:[ENDPOINTS/]DATABASE[.TABLE]`, so that its last
/// commits are seen. A RocksDB database must not be open elsewhere. For MariaDB,
/// `MySqlOptions::from_environment` has what the name does not say. Throws `InvalidUse` for another name or a
/// folder without a database, and what the store throws.
std::unique_ptr<Store> open_alone(const std::string& name);

/// As `open_alone`, and makes the store if there is none.
std::unique_ptr<Store> open_to_write(const std::string& name);

}  // namespace autoshard::ctl
