#include "rows.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>

namespace autoshard::bench {

void print(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    fmt::print("{:<24}", row.name);
    for (const auto& [name, value] : row.values) fmt::print("  {} {:<10.4g}", name, value);
    fmt::print("\n");
  }
}

void write_json(const std::filesystem::path& file, const std::vector<Row>& rows) {
  std::ofstream out(file);
  out << "{\"rows\": [";
  for (const Row& row : rows) {
    out << (&row == &rows.front() ? "\n" : ",\n") << fmt::format(R"(  {{"name": "{}")", row.name);
    for (const auto& [name, value] : row.values) out << fmt::format(R"(, "{}": {})", name, value);
    out << "}";
  }
  out << "\n]}\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace autoshard::bench
