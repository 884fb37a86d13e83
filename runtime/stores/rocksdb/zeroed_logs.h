#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <memory>

namespace autoshard::rocksdb_store {

/// The size of a log that was not closed is a multiple of this.
inline constexpr std::uint64_t kZeroedLogUnit = 64 << 10;

/// `files`, but write-ahead logs are filled with zeros some way ahead of what is written, and cut to what was
/// written when they are closed.
///
/// For each fsync of a file that has grown, the file system commits its new size to its journal, which takes
/// half as long again as writing the bytes. A log that a process left behind without closing it ends in
/// zeros; RocksDB passes over them.
std::shared_ptr<rocksdb::FileSystem> with_zeroed_logs(std::shared_ptr<rocksdb::FileSystem> files);

}  // namespace autoshard::rocksdb_store
