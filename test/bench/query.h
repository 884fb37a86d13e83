#pragma once

#include <filesystem>
#include <vector>

#include "rows.h"

namespace autoshard::bench {

struct QueryOptions {
  int entities = 1'000'000;  ///< with ten shards each
  int rounds = 3;
  bool check = false;  ///< throw `std::runtime_error` where a figure is above its limit, once all are printed
  std::filesystem::path folder = std::filesystem::temp_directory_path();
};

/// Queries over a sharded property, without an index, next to a walk over the same records that looks at
/// nothing in them; queries over indexes and a range of a sharded one, next to the same by hand. What is
/// found is checked. Prints a table.
std::vector<Row> run_query(const QueryOptions& options);

}  // namespace autoshard::bench
