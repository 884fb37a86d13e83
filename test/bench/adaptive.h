#pragma once

#include <chrono>
#include <filesystem>
#include <vector>

#include "rows.h"

namespace autoshard::bench {

struct AdaptiveOptions {
  int processes = 8;   ///< mappers that share a store and a cache
  int threads = 4;     ///< of each
  double seconds = 5;  ///< of each phase but the last, which is three times as long
  bool sync = true;
  std::chrono::milliseconds window{250};
  std::chrono::seconds quiet_for{2};
  std::filesystem::path folder = std::filesystem::temp_directory_path();
  std::filesystem::path svg;  ///< where to draw the run; empty: nowhere
};

/// How the number of shards follows a load that rises, moves to another entity and falls. A row for each of
/// these phases; prints them. Throws `std::runtime_error` if an update is lost.
std::vector<Row> run_adaptive(const AdaptiveOptions& options);

}  // namespace autoshard::bench
