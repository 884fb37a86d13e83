#pragma once

#include <string>
#include <vector>

namespace autoshard::bench {

/// What something was like at each of the times.
struct Line {
  std::string name;
  std::vector<double> values;
};

/// Lines to one linear scale from zero.
struct Panel {
  std::string title;
  std::vector<Line> lines;  ///< up to 3
};

/// Panels below each other, over the same time.
struct Timeline {
  std::string title;
  std::string subtitle;
  std::vector<double> seconds;  ///< ascending, two at least
  std::vector<Panel> panels;
  std::string footer;
};

/// The timeline as SVG. Each value holds until the next time.
std::string svg(const Timeline& timeline);

}  // namespace autoshard::bench
