#pragma once

#include <autoshard/store.h>

#include <filesystem>
#include <memory>

namespace autoshard {

/// Opens a RocksDB database of AutoShard to read it. Another process may have it open as a `RocksDbStore`;
/// that process is neither stopped nor disturbed. Changes nothing in the folder. Needs the component rocksdb.
///
/// Each snapshot shows what was committed when it was taken. If another process writes meanwhile, commits of
/// the last moments may be missing, each as a whole or in part. It opens the database again, which takes some
/// milliseconds, and longer if much of the data is only in RocksDB's logs. `begin()` throws `InvalidUse`.
///
/// Throws `StoreUnavailable` if the folder has no database, or none of AutoShard, `CorruptRecord` if the
/// database is damaged, and `SchemaMismatch` if a newer format wrote it.
std::unique_ptr<Store> view_rocksdb(const std::filesystem::path& folder);

}  // namespace autoshard
