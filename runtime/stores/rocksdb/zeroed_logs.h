#pragma once

#include <rocksdb/env.h>

#include <cstdint>

namespace autoshard {

/// The size of a log that was not closed is a multiple of this.
inline constexpr std::uint64_t kZeroedLogUnit = 64 << 10;

/// The default environment, but write-ahead logs are filled with zeros some way ahead of what is written, and
/// cut to what was written when they are closed.
///
/// For each fsync of a file that has grown, the file system commits its new size to its journal, which takes
/// half as long again as writing the bytes. A log that a process left behind without closing it ends in
/// zeros; RocksDB passes over them.
///
/// Not to be destroyed before the databases that use it: it never is.
rocksdb::Env& env_with_zeroed_logs();

}  // namespace autoshard
