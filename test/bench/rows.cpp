#include "rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace autoshard::bench {

bool Row::has(std::string_view wanted) const {
  return std::any_of(values.begin(), values.end(), [&](const auto& value) { return value.first == wanted; });
}

double Row::number(std::string_view wanted) const {
  for (const auto& [value_name, value] : values) {
    if (value_name == wanted) return std::get<double>(value);
  }
  throw std::logic_error(name + " has no " + std::string(wanted));
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

void print(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    fmt::print("{:<24}", row.name);
    for (const auto& [name, value] : row.values) {
      std::visit([&name = name](auto any) { fmt::print("  {} {:<10.4g}", name, static_cast<double>(any)); },
                 value);
    }
    fmt::print("\n");
  }
}

void write_json(const std::filesystem::path& file, const std::vector<Row>& rows) {
  std::ofstream out(file);
  out << "{\"rows\": [";
  for (const Row& row : rows) {
    out << (&row == &rows.front() ? "\n" : ",\n") << fmt::format(R"(  {{"name": "{}")", row.name);
    for (const auto& [name, value] : row.values) {
      std::visit([&out, &name = name](auto any) { out << fmt::format(R"(, "{}": {})", name, any); }, value);
    }
    out << "}";
  }
  out << "\n]}\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

void check_nothing_lost(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    if (row.own() && row.has("lost") && row.number("lost") != 0)
      throw std::runtime_error(
          fmt::format("{} LOST {:.0f} updates that were acknowledged", row.name, row.number("lost")));
  }
}

}  // namespace autoshard::bench
