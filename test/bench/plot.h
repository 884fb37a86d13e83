#pragma once

#include <string>
#include <utility>
#include <vector>

namespace autoshard::bench {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  ///< ascending, each greater than 0
};

/// Curves to logarithmic scales.
struct Diagram {
  std::string title;
  std::vector<Curve> curves;  ///< up to 6
};

/// Two diagrams a row.
struct Plot {
  std::string title;
  std::string subtitle;
  std::vector<Diagram> diagrams;
  std::string footer;
};

/// The plot as SVG.
std::string svg(const Plot& plot);

}  // namespace autoshard::bench
