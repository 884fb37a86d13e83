#include "timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chart.h"
#include "svg.h"

namespace autoshard::bench {
namespace {

constexpr int kWidth = kSvgWidth, kLeft = 84, kRight = 24, kMargin = kSvgMargin;
constexpr int kHead = 78, kPanel = 110, kGap = 44, kFoot = 60;
constexpr int kRoom = kWidth - kLeft - kRight;
constexpr std::array kColours = {"#1f7ad1", "#d1571f", "#57606a"};

/// The next of 1, 2, 5, 10, 20, 50 … that is no less.
double round_up(double value) {
  if (value <= 0) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (value <= step * power) return step * power;
  }
  return 10 * power;
}

class Drawing {
 public:
  explicit Drawing(const Timeline& timeline)
      : timeline_(timeline),
        begin_(timeline.seconds.front()),
        length_(std::max(timeline.seconds.back() - begin_, 1e-9)) {}

  std::string draw() const {
    const int height = kHead + static_cast<int>(timeline_.panels.size()) * (kPanel + kGap) + kFoot;
    std::string result = svg_head(height, timeline_.title, timeline_.subtitle);
    int top = kHead;
    for (const Panel& panel : timeline_.panels) {
      result += draw(panel, top + kGap / 2);
      top += kPanel + kGap;
    }
    const double step = round_up(length_ / 10);
    for (int tick = 0; tick * step <= length_ * 1.0001; ++tick)
      result +=
          svg_text(x(begin_ + tick * step), top + 12, "class=\"middle\"", fmt::format("{:g} s", tick * step));
    result += svg_text(kMargin, height - 16, "", timeline_.footer);
    return result + "</svg>\n";
  }

 private:
  double x(double second) const { return kLeft + kRoom * (second - begin_) / length_; }

  std::string draw(const Panel& panel, int top) const {
    double highest = 0;
    for (const Line& line : panel.lines) {
      for (const double value : line.values) highest = std::max(highest, value);
    }
    highest = round_up(highest);
    const auto y = [&](double value) { return top + kPanel * (1 - value / highest); };

    std::string result = svg_text(kLeft, top - 8, "class=\"name\"", panel.title);
    for (const double share : {0.0, 0.5, 1.0}) {
      result += fmt::format("<line x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#d8dee4\"/>\n",
                            kLeft, kLeft + kRoom, y(highest * share), y(highest * share));
      result += svg_text(kLeft - 8, y(highest * share) + 4, "class=\"end\"",
                         highest < 10 ? fmt::format("{:g}", highest * share) : grouped(highest * share));
    }
    double legend = kLeft + kRoom;
    for (std::size_t i = panel.lines.size(); i-- > 0;) {
      const Line& line = panel.lines[i];
      const char* const colour = kColours[i % kColours.size()];
      result += svg_text(legend, top - 8, fmt::format("class=\"end\" style=\"fill:{}\"", colour), line.name);
      legend -= 24 + 7 * static_cast<double>(line.name.size());
      result += fmt::format("<polyline stroke=\"{}\" points=\"", colour);
      for (std::size_t at = 0; at < line.values.size() && at < timeline_.seconds.size(); ++at) {
        const double end = timeline_.seconds[std::min(at + 1, timeline_.seconds.size() - 1)];
        result += fmt::format("{:.1f},{:.1f} {:.1f},{:.1f} ", x(timeline_.seconds[at]), y(line.values[at]),
                              x(end), y(line.values[at]));
      }
      result += "\"/>\n";
    }
    return result;
  }

  const Timeline& timeline_;
  const double begin_, length_;
};

}  // namespace

std::string svg(const Timeline& timeline) { return Drawing(timeline).draw(); }

}  // namespace autoshard::bench
