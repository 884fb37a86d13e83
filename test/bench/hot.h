#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "race.h"

namespace autoshard::bench {

struct RaceOptions {
  Setting setting{.folder = std::filesystem::temp_directory_path()};
  std::vector<std::string> only;  ///< names, or beginnings of them up to a hyphen; empty: all
  std::filesystem::path svg;      ///< where to draw a chart; empty: nowhere
};

// Each prints a table.

/// Many threads update one entity, or a few, as fast as they can: AutoShard next to others that count.
std::vector<Row> run_hot(const RaceOptions& options);

/// The same, AutoShard with different numbers of shards, next to RocksDB's merge operator.
std::vector<Row> run_shards(const RaceOptions& options);

/// Loads of entities with 1, 10 and 64 shards, next to the same by hand.
std::vector<Row> run_load(const RaceOptions& options);

}  // namespace autoshard::bench
