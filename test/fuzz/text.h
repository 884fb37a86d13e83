#pragma once

#include <string>

namespace autoshard::test {

/// `text` with every occurrence of `hole` replaced.
inline std::string filled(std::string text, const std::string& hole, const std::string& value) {
  for (std::size_t at = text.find(hole); at != std::string::npos; at = text.find(hole, at + value.size()))
    text.replace(at, hole.size(), value);
  return text;
}

}  // namespace autoshard::test
