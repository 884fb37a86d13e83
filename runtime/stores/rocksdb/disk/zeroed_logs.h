#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <memory>

namespace autoshard::rocksdb_store {

/// The size of a log that was not closed is a multiple of this.
inline constexpr std::uint64_t kZeroedLogUnit = 64 << 10;

/// Returns `files` with one change: write-ahead logs are filled with zeros ahead of their records, and cut to
/// their records when they are closed.
///
/// An fsync of a file that has grown commits its new size to the journal of the file system, which makes the
/// fsync half as long again. A log that was not closed ends in zeros, which RocksDB skips.
std::shared_ptr<rocksdb::FileSystem> with_zeroed_logs(const std::shared_ptr<rocksdb::FileSystem>& files);

}  // namespace autoshard::rocksdb_store
