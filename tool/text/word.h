#pragma once

/// Words of C++ text: names, keywords and what numbers begin with.

#include <algorithm>
#include <cctype>
#include <string_view>

namespace autoshard::tool {

/// Whether `c` may stand in a name. What is not ASCII may.
inline bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// What stands in `text` at `at` up to the first character that is not `accepted`, which may be nothing.
template <class Accepted>
std::string_view run_at(std::string_view text, std::size_t at, Accepted accepted) {
  const std::string_view rest = text.substr(at);
  return rest.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(rest, accepted) - rest.begin()));
}

inline std::string_view word_at(std::string_view text, std::size_t at) {
  return run_at(text, at, is_of_word);
}

}  // namespace autoshard::tool
