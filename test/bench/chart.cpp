#include "chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace autoshard::bench {
namespace {

constexpr int kWidth = 860, kMargin = 24, kNames = 270, kValues = 240;
constexpr int kHead = 78, kPitch = 40, kBarHeight = 22, kFoot = 44;

std::string text(int x, int y, const char* style, const std::string& content) {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, style, escaped(content));
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string result;
  for (char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string svg(const Chart& chart) {
  double longest = 0;
  for (const Bar& bar : chart.bars) longest = std::max(longest, bar.value);
  const int height = kHead + kPitch * static_cast<int>(chart.bars.size()) + kFoot;
  const int left = kMargin + kNames, room = kWidth - left - kValues;

  std::string result = fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">
<style>
  text {{ font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #57606a; }}
  .title {{ font-size: 18px; font-weight: 600; fill: #1f2328; }}
  .small {{ font-size: 12px; }}
  .name {{ font-size: 14px; fill: #1f2328; }}
  .own {{ font-size: 14px; font-weight: 600; fill: #0a5cab; }}
  tspan {{ font-size: 12px; font-weight: 400; fill: #57606a; }}
</style>
<rect width="{0}" height="{1}" fill="#ffffff"/>
)svg",
      kWidth, height);
  result += text(kMargin, 34, "title", chart.title);
  result += text(kMargin, 56, "small", chart.subtitle);
  int top = kHead;
  for (const Bar& bar : chart.bars) {
    const int width =
        longest > 0 ? std::max(2, static_cast<int>(std::lround(room * bar.value / longest))) : 2;
    result += text(kMargin, top + 13, bar.own ? "own" : "name", bar.name);
    result += text(kMargin, top + 29, "small", bar.note);
    result += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"{}\"/>\n", left,
                          top + 4, width, kBarHeight, bar.own ? "#1f7ad1" : "#b6bec7");
    result += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}<tspan dx=\"8\">{}</tspan></text>\n",
                          left + width + 8, top + 20, bar.own ? "own" : "name",
                          grouped(bar.value) + chart.unit, escaped(bar.value_note));
    top += kPitch;
  }
  result += fmt::format("<line x1=\"{0}\" x2=\"{0}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#8c959f\"/>\n", left,
                        kHead, top - 8);
  result += text(kMargin, height - 16, "small", chart.footer);
  return result + "</svg>\n";
}

std::string grouped(double value) {
  std::string digits = fmt::format("{:.0f}", value);
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t end = digits.size(); end > first + 3;) digits.insert(end -= 3, ",");
  return digits;
}

std::string duration(double microseconds) {
  if (microseconds < 999.5) return fmt::format("{:.3g} us", microseconds);
  if (microseconds < 999.5e3) return fmt::format("{:.3g} ms", microseconds / 1e3);
  return fmt::format("{:.3g} s", microseconds / 1e6);
}

void write_file(const std::filesystem::path& file, const std::string& content) {
  std::ofstream out(file);
  out << content;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace autoshard::bench
