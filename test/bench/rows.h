#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace autoshard::bench {

/// One line of results. Names of AutoShard's own begin with `autoshard`, those of others that do the same
/// with `peer`.
struct Row {
  std::string name;
  std::vector<std::pair<std::string, double>> values;  ///< by name, with the unit in it
};

void print(const std::vector<Row>& rows);

/// Writes {"rows": [{"name": …, …}]}. Throws `std::runtime_error`.
void write_json(const std::filesystem::path& file, const std::vector<Row>& rows);

}  // namespace autoshard::bench
