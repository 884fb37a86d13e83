#include "svg.h"

#include <fmt/format.h>

#include "chart.h"

namespace autoshard::bench {

std::string svg_head(int height, const std::string& title, const std::string& subtitle) {
  return fmt::format(
             R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">
<style>
  text {{ font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #57606a; }}
  .title {{ font-size: 18px; font-weight: 600; fill: #1f2328; }}
  .name {{ font-size: 14px; fill: #1f2328; }}
  .end {{ text-anchor: end; }}
  .middle {{ text-anchor: middle; }}
  polyline {{ fill: none; stroke-width: 1.8; }}
</style>
<rect width="{0}" height="{1}" fill="#ffffff"/>
)svg",
             kSvgWidth, height) +
         svg_text(kSvgMargin, 34, "class=\"title\"", title) + svg_text(kSvgMargin, 56, "", subtitle);
}

std::string svg_text(double x, double y, const std::string& attributes, const std::string& content) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" {}>{}</text>\n", x, y, attributes, escaped(content));
}

}  // namespace autoshard::bench
