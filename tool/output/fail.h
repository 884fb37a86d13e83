#pragma once

#include <string_view>

namespace autoshard::tool {

/// Says on standard error why the generator cannot go on. Returns false.
bool fail(std::string_view problem);

}  // namespace autoshard::tool
