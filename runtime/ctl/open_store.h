#pragma once

#include <autoshard/store.h>
#ifdef AUTOSHARD_HAS_ROCKSDB
#include <autoshard/rocksdb_store.h>
#endif

#include <filesystem>
#include <memory>
#include <string>

/// Stores by name: `rocksdb:PATH`, or `mysql:[HOST:PORT/]DATABASE[.TABLE]`. For MariaDB,
/// `MySqlOptions::from_environment` has what the name does not say. All functions throw `InvalidUse` for
/// another name, and what the store throws.
namespace autoshard::ctl {

/// Whether both names are of one store. Two names of one MariaDB table may differ; then this is false.
bool is_same_store(const std::string& one, const std::string& other);

/// Opens a store to read it, also while a program has it open. Throws `InvalidUse` if there is none.
std::unique_ptr<Store> open_to_look(const std::string& name);

/// Opens a RocksDB store that no other program has open, and sees its last commits. Throws `InvalidUse` if
/// there is none. `can_be` is what only these stores can: "repaired".
std::unique_ptr<Store> open_rocksdb_alone(const std::string& name, const std::string& can_be);

/// As `open_rocksdb_alone`, and as `open_to_look` for MariaDB, where other programs may go on.
std::unique_ptr<Store> open_to_change(const std::string& name);

/// Opens a store, and makes it if there is none.
std::unique_ptr<Store> open_to_write(const std::string& name);

#ifdef AUTOSHARD_HAS_ROCKSDB
/// As `open_rocksdb_alone`. The message says what to do if a program has the store open.
std::unique_ptr<RocksDbStore> open_rocksdb_to_back_up(const std::string& name);
#endif

/// Returns the path in the name of a RocksDB store, for a command that is for these stores alone.
std::filesystem::path rocksdb_path(const std::string& name);

}  // namespace autoshard::ctl
