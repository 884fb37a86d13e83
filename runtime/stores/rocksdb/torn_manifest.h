#pragma once

#include <rocksdb/env.h>

#include <filesystem>
#include <memory>

namespace autoshard::rocksdb_store {

/// A loss of power may leave edits in RocksDB's MANIFEST that were not synced, and lack some of their
/// sectors. RocksDB itself refuses such a file. Nothing was acknowledged that needs these edits: RocksDB
/// removes no file that the edits before need until they are synced.
///
/// Returns `env` with a MANIFEST that ends where the edits begin to lack a sector; null if they do not. `env`
/// must outlive it. Whether the files are there that are needed without these edits, the caller has to find
/// out.
std::unique_ptr<rocksdb::Env> with_whole_manifest(rocksdb::Env& env, const std::filesystem::path& folder);

}  // namespace autoshard::rocksdb_store
