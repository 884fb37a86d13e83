#include "plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chart.h"
#include "svg.h"

namespace autoshard::bench {
namespace {

constexpr int kWidth = kSvgWidth, kMargin = kSvgMargin, kHead = 78, kFoot = 44;
constexpr int kAxis = 64, kLegend = 110, kHeight = 220, kGap = 56;
constexpr int kPitch = (kWidth - 2 * kMargin) / 2;
constexpr int kRoom = kPitch - kAxis - kLegend;
constexpr std::array kColours = {"#1f7ad1", "#d1571f", "#2a9d4a", "#8250df", "#b08800", "#57606a"};

/// A logarithmic axis over whole powers of ten.
class Axis {
 public:
  void add(double value) {
    least_ = std::min(least_, std::floor(std::log10(value)));
    most_ = std::max(most_, std::ceil(std::log10(value)));
  }
  double place(double value) const { return (std::log10(value) - least_) / std::max(most_ - least_, 1.0); }
  std::vector<double> ticks() const {
    std::vector<double> all;
    for (int power = static_cast<int>(least_); power <= most_; ++power) all.push_back(std::pow(10, power));
    return all;
  }

 private:
  double least_ = 300, most_ = -300;
};

/// Narrow enough to stand beside its neighbours.
std::string in_short(double power_of_ten) {
  return power_of_ten < 1e6 ? grouped(power_of_ten) : grouped(power_of_ten / 1e6) + " M";
}

std::string draw(const Diagram& diagram, int left, int top) {
  Axis across, up;
  for (const Curve& curve : diagram.curves) {
    for (const auto& [x, y] : curve.points) {
      across.add(x);
      up.add(y);
    }
  }
  const auto x = [&](double value) { return left + kAxis + kRoom * across.place(value); };
  const auto y = [&](double value) { return top + kHeight * (1 - up.place(value)); };
  const auto line = [](double x1, double y1, double x2, double y2) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#d8dee4\"/>\n",
                       x1, y1, x2, y2);
  };

  std::string result = svg_text(left, top - 14, "class=\"name\"", diagram.title);
  for (const double tick : up.ticks()) {
    result += line(left + kAxis, y(tick), left + kAxis + kRoom, y(tick));
    result += svg_text(left + kAxis - 8, y(tick) + 4, "class=\"end\"", duration(tick));
  }
  for (const double tick : across.ticks()) {
    result += line(x(tick), top, x(tick), top + kHeight);
    result += svg_text(x(tick), top + kHeight + 16, "class=\"middle\"", in_short(tick));
  }
  double legend = top + 8;
  for (std::size_t i = 0; i < diagram.curves.size(); ++i) {
    const Curve& curve = diagram.curves[i];
    const char* const colour = kColours[i % kColours.size()];
    result += fmt::format("<polyline stroke=\"{}\" points=\"", colour);
    for (const auto& point : curve.points)
      result += fmt::format("{:.1f},{:.1f} ", x(point.first), y(point.second));
    result += "\"/>\n";
    result +=
        svg_text(left + kAxis + kRoom + 8, legend, fmt::format("style=\"fill:{}\"", colour), curve.name);
    legend += 18;
  }
  return result;
}

}  // namespace

std::string svg(const Plot& plot) {
  const auto rows = static_cast<int>((plot.diagrams.size() + 1) / 2);
  const int height = kHead + rows * (kHeight + kGap) + kFoot;
  std::string result = svg_head(height, plot.title, plot.subtitle);
  for (std::size_t i = 0; i < plot.diagrams.size(); ++i) {
    const int column = static_cast<int>(i % 2), row = static_cast<int>(i / 2);
    result += draw(plot.diagrams[i], kMargin + column * kPitch, kHead + 30 + row * (kHeight + kGap));
  }
  result += svg_text(kMargin, height - 16, "", plot.footer);
  return result + "</svg>\n";
}

}  // namespace autoshard::bench
