#pragma once

#include <string_view>

namespace autoshard::monitor {

/// Returns the live page: page.html, which the build compiles in.
std::string_view page();

}  // namespace autoshard::monitor
