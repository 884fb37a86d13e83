#pragma once

#include <span>
#include <string>
#include <string_view>

namespace autoshard::detail {

/// Joins names for a message: "votes, views".
inline std::string join(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

}  // namespace autoshard::detail
