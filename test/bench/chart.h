#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace autoshard::bench {

/// A line of a bar chart.
struct Bar {
  std::string name;
  std::string note;  ///< in a few words, below the name
  double value = 0;
  std::string value_note;  ///< behind the value
  bool own = false;        ///< to be seen first
};

struct Chart {
  std::string title;
  std::string subtitle;
  std::string unit;  ///< behind each value
  std::vector<Bar> bars;
  std::string footer;
};

/// The chart as SVG, bars to a linear scale from zero.
std::string svg(const Chart& chart);

/// Text as it stands in SVG.
std::string escaped(const std::string& text);

/// Digits in groups of three: 1,234,567.
std::string grouped(double value);

/// Microseconds in the unit that suits their size: 12 us, 3.4 ms, 1.2 s.
std::string duration(double microseconds);

/// Throws `std::runtime_error`.
void write_file(const std::filesystem::path& file, const std::string& content);

}  // namespace autoshard::bench
