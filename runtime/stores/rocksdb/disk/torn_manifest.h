#pragma once

#include <rocksdb/env.h>

#include <cstdint>
#include <filesystem>
#include <memory>

namespace autoshard::rocksdb_store {

/// A loss of power may leave edits in RocksDB's MANIFEST that were not synced, and that lack some of their
/// sectors. RocksDB refuses such a file. No acknowledged commit needs these edits: RocksDB removes no file
/// that the earlier edits need until the new edits are synced.
///
/// Returns `env` with a MANIFEST that ends before the first edit that lacks a sector; null if no edit does.
/// `env` must outlive it. The caller has to find out whether all files are there that the remaining edits
/// need.
std::unique_ptr<rocksdb::Env> with_whole_manifest(rocksdb::Env& env, const std::filesystem::path& folder);

/// Returns the number of the MANIFEST; 0 if it cannot be read.
std::uint64_t manifest_number(rocksdb::Env& env, const std::filesystem::path& folder);

}  // namespace autoshard::rocksdb_store
