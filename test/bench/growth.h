#pragma once

#include <filesystem>
#include <vector>

#include "rows.h"

namespace autoshard::bench {

struct GrowthOptions {
  int most = 10'000'000;
  double seconds = 1;  ///< of each
  int rounds = 3;
  std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::filesystem::path svg;  ///< where to draw a plot; empty: nowhere
};

/// What an update takes one thread in a store of 1,000 entities, of 10,000, and so on: of one that is hot,
/// and of any of them, next to the latter by hand. Without fsync, which would hide it. Prints a table.
std::vector<Row> run_growth(const GrowthOptions& options);

}  // namespace autoshard::bench
