#pragma once

#include <filesystem>
#include <vector>

#include "rows.h"

namespace autoshard::bench {

struct StrategyOptions {
  int most_deltas = 100'000;
  double seconds = 0.2;  ///< of one measurement
  bool sync = false;
  std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::filesystem::path svg;  ///< where to draw the costs; empty: nowhere
};

/// What an update and a load take one thread, for each strategy: with 1, 4, 16 and 64 shards; of dynamic
/// sharding, with 10 deltas, 100, and so on, that are not compacted yet, and that are. Prints a table.
std::vector<Row> run_strategies(const StrategyOptions& options);

}  // namespace autoshard::bench
