#pragma once

#include <string>

namespace autoshard::bench {

/// What drawings of lines have in common: colours, fonts, and a title above.
inline constexpr int kSvgWidth = 860, kSvgMargin = 24;

/// Where a drawing of `kSvgWidth` begins; `</svg>` ends it.
std::string svg_head(int height, const std::string& title, const std::string& subtitle);

/// `attributes` are written as they are, the content is escaped.
std::string svg_text(double x, double y, const std::string& attributes, const std::string& content);

}  // namespace autoshard::bench
