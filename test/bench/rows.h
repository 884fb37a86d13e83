#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace autoshard::bench {

/// One line of results. Names of AutoShard's own begin with `autoshard`, those of others that do the same
/// with `peer`.
struct Row {
  std::string name;
  std::vector<std::pair<std::string, std::variant<double, bool>>> values;  ///< by name, with the unit in it

  /// Whether there is a value of this name.
  bool has(std::string_view name) const;
  /// The value of this name, which there must be.
  double number(std::string_view name) const;

  bool own() const { return name.starts_with("autoshard"); }
};

/// Of one or more; the mean of the two in the middle where their number is even.
double median(std::vector<double> values);

/// All values, one row a line.
void print(const std::vector<Row>& rows);

/// Writes {"rows": [{"name": …, …}]}. Throws `std::runtime_error`.
void write_json(const std::filesystem::path& file, const std::vector<Row>& rows);

/// Throws `std::runtime_error` if AutoShard has lost, or made up, an update in one of them.
void check_nothing_lost(const std::vector<Row>& rows);

}  // namespace autoshard::bench
