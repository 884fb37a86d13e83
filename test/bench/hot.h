#pragma once

#include <filesystem>
#include <vector>

#include "race.h"

namespace autoshard::bench {

struct HotOptions {
  Setting setting{.folder = std::filesystem::temp_directory_path()};
  std::vector<std::string> only;  ///< names, or beginnings of names; empty: all
  std::filesystem::path svg;      ///< where to draw a chart; empty: nowhere
};

/// Many threads update one entity, or a few, as fast as they can: AutoShard next to others that count. Prints
/// a table.
std::vector<Row> run_hot(const HotOptions& options);

}  // namespace autoshard::bench
