#pragma once

#include <rocksdb/slice_transform.h>

#include <cstddef>
#include <memory>

namespace autoshard::rocksdb_store {

/// Makes RocksDB remember the place in memory of the last version of a key, for keys that are written again
/// and again. The next version goes right in front of the last one. Without a hint, RocksDB searches for the
/// place. The search takes longer than the rest of a commit of many records, and longer the more versions
/// there are. RocksDB still searches for keys that are written rarely.
///
/// The value of `memtable_insert_with_hint_prefix_extractor`. RocksDB keeps one hint for each prefix. A
/// prefix here is a place in a table of limited size. If two keys share a place, a hint may be wrong, which
/// costs only time.
std::shared_ptr<const rocksdb::SliceTransform> insert_hints(std::size_t write_buffer_bytes);

}  // namespace autoshard::rocksdb_store
