#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace autoshard::ctl {
namespace {

bool is_number(const std::string& cell) {
  return !cell.empty() &&
         std::ranges::all_of(cell, [](unsigned char c) { return std::isdigit(c) || c == ','; });
}

}  // namespace

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string what) {
  if (number != 1) {
    if (what.ends_with('y')) what.replace(what.size() - 1, 1, "ie");
    what += 's';
  }
  return with_commas(number) + ' ' + what;
}

void Table::print(std::ostream& out) const {
  std::vector<std::size_t> widths(rows_.front().size());
  std::vector<bool> are_numbers(widths.size(), true), are_empty(widths.size(), rows_.size() > 1);
  for (const std::vector<std::string>& row : rows_) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
      if (&row == &rows_.front()) continue;
      if (!is_number(row[column])) are_numbers[column] = false;
      if (!row[column].empty()) are_empty[column] = false;
    }
  }
  for (const std::vector<std::string>& row : rows_) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (are_empty[column]) continue;
      if (!line.empty()) line += "  ";
      line += are_numbers[column] ? fmt::format("{:>{}}", row[column], widths[column])
                                  : fmt::format("{:<{}}", row[column], widths[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace autoshard::ctl
