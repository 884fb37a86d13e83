#pragma once

#include <rocksdb/env.h>

#include <filesystem>
#include <string_view>

namespace autoshard {

/// Whether the damage in RocksDB's write-ahead logs is what a loss of power leaves of the last write: pages
/// of the last record that never reached the disk and read as zeros. That record was not acknowledged then,
/// for a commit with `sync` is acknowledged, and the next one begun, only once all its pages are on disk.
///
/// False for anything else: where another record, also a damaged one, follows the damaged one; where the
/// record holds other bytes instead of missing ones; where a log cannot be read; where there is no damage.
bool only_last_write_is_torn(rocksdb::Env& env, const std::filesystem::path& folder);

/// What the last byte of each write must be, so that zeros at the end of a record are none of its own.
inline constexpr char kEndOfWrite = 1;

/// Whether what is written by these bytes holds zeros that could be taken for a sector that never reached the
/// disk. Such a record must be followed by another before it is acknowledged.
bool looks_torn(std::string_view bytes);

}  // namespace autoshard
