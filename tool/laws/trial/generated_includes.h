#pragma once

namespace autoshard::tool {

/// The standard headers that generated code includes before the user's headers. Annotations may use them.
constexpr const char* kGeneratedIncludes = R"(
#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
)";

}  // namespace autoshard::tool
