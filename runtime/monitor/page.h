#pragma once

#include <span>
#include <string_view>
#include <utility>

namespace autoshard::monitor {

/// Returns the names and the texts of the files that the build compiles in: page.html alone.
std::span<const std::pair<std::string_view, std::string_view>> embedded_files();

/// Returns the live page.
inline std::string_view page() { return embedded_files().front().second; }

}  // namespace autoshard::monitor
