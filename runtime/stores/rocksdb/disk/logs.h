#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace autoshard::rocksdb_store {

/// Returns the number of a write-ahead log of RocksDB; nothing if the file is not one.
std::optional<std::uint64_t> log_number(const std::filesystem::path& file);

/// Paths of logs by their numbers, the newest first.
using Logs = std::map<std::uint64_t, std::string, std::greater<>>;

/// Adds the logs in a folder to `logs`.
rocksdb::IOStatus find_logs(rocksdb::FileSystem* files, const std::filesystem::path& folder, Logs& logs);

/// Returns `files` with one change: a log is synced before the next log is begun. So no commit without `sync`
/// outlives an earlier commit.
std::shared_ptr<rocksdb::FileSystem> with_logs_in_order(const std::shared_ptr<rocksdb::FileSystem>& files);

}  // namespace autoshard::rocksdb_store
