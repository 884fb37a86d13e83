#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace autoshard::rocksdb_store {

/// The number of a write-ahead log of RocksDB, if the file is one.
std::optional<std::uint64_t> log_number(const std::filesystem::path& file);

/// Paths of logs by their numbers, the newest first.
using Logs = std::map<std::uint64_t, std::string, std::greater<>>;

rocksdb::IOStatus find_logs(rocksdb::FileSystem* files, const std::filesystem::path& folder, Logs& logs);

/// `files`, but a log is synced before the next one is begun, so that no commit without `sync` outlives one
/// before it.
std::shared_ptr<rocksdb::FileSystem> with_logs_in_order(std::shared_ptr<rocksdb::FileSystem> files);

}  // namespace autoshard::rocksdb_store
