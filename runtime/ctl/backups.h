#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "looks.h"
#include "progress.h"

namespace autoshard::ctl {

// Each function throws `InvalidUse` for a store that is not on RocksDB, and what the functions of
// <autoshard/rocksdb_backup.h> throw.

/// Adds a backup of a store, which no program has open, to a folder.
void back_up(const std::string& store, const std::string& folder, const ProgressLine& progress,
             Output output);

/// A line for each backup in a folder.
void show_backups(const std::string& folder, Output output);

/// Makes a store of the backup with this number, or of the last one.
void restore(const std::string& store, const std::string& folder, std::optional<std::uint32_t> backup,
             const ProgressLine& progress, Output output);

}  // namespace autoshard::ctl
