#pragma once

#include <rocksdb/slice_transform.h>

#include <cstddef>
#include <memory>

namespace autoshard::rocksdb_store {

/// Has RocksDB remember where in memory it put the last version of a key, for keys that are written again and
/// again: the next one goes right in front of it. To look the place up takes more than all the rest of a
/// commit of many records, and the longer, the more versions there are. Keys that are written once in a while
/// are looked up as ever.
///
/// To be `memtable_insert_with_hint_prefix_extractor`. RocksDB keeps a hint for each value of the prefix;
/// ours is a place in a table of limited size. A hint that leads elsewhere, because two keys have one place,
/// costs time only.
std::shared_ptr<const rocksdb::SliceTransform> insert_hints(std::size_t write_buffer_bytes);

}  // namespace autoshard::rocksdb_store
