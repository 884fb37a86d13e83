#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace autoshard::ctl {

/// A number with a comma between each three digits: 1,234,567.
std::string with_commas(std::uint64_t number);

/// A number of records of a form, or of other things: `1 shard`, `2 shards`, `3 expiries`.
std::string counted(std::uint64_t number, std::string what);

/// Rows of cells in columns. The first row is the head. Numbers stand at the right of their column. A column
/// whose cells are all empty is not printed.
class Table {
 public:
  explicit Table(std::vector<std::string> head) : rows_{std::move(head)} {}

  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  void print(std::ostream& out) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace autoshard::ctl
