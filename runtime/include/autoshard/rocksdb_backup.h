#pragma once

#include <autoshard/rocksdb_store.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

/// Backups of RocksDB databases, made with RocksDB's backup engine. Need the component rocksdb. A folder of
/// backups may hold several; they share the files that they have in common. One process at a time may use a
/// folder of backups to make one.
///
/// All functions throw `StoreUnavailable` if a file cannot be read or written, and `CorruptRecord` if a
/// backup is damaged.
namespace autoshard {

struct RocksDbBackup {
  std::uint32_t id = 0;     ///< counts from 1; a later backup has a greater number
  std::int64_t time = 0;    ///< when it was made, in seconds since 1970, by the clock of the machine
  std::uint64_t bytes = 0;  ///< of its files, including those that other backups have in common with it
};

#ifdef AUTOSHARD_HAS_ROCKSDB

/// Makes a backup of a store in `folder`, which is made if there is none. Other threads may use the store
/// meanwhile. The backup has all commits that were acknowledged before the call, and none in part. A backup
/// that is cut short counts for nothing, and the next one removes its files. Calls `progress` with the bytes
/// that were copied, after every few megabytes; it must not throw.
RocksDbBackup make_backup(RocksDbStore& store, const std::filesystem::path& folder,
                          const std::function<void(std::uint64_t bytes)>& progress = {});

/// Returns the backups in a folder, by their ids. Throws `StoreUnavailable` if there is no such folder.
std::vector<RocksDbBackup> list_backups(const std::filesystem::path& folder);

/// Makes a database of a backup, after it has compared the checksums of all files: the backup with this id,
/// or the last one. Returns that backup. `database` appears as a whole or not at all. Calls `progress` as
/// `make_backup` does, from another thread. Throws `InvalidUse` if `database` exists, or if there is no such
/// backup.
RocksDbBackup restore_backup(const std::filesystem::path& folder, std::optional<std::uint32_t> id,
                             const std::filesystem::path& database,
                             const std::function<void(std::uint64_t bytes)>& progress = {});

#endif

}  // namespace autoshard
