#pragma once

/// Small mistakes in a piece of C++.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::tool {

/// Some bytes of a text, and what stands there by mistake.
struct Mutation {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text{};
};

/// The mutations of `text` between two offsets, one a mistake: another operator, constant or name, operands
/// swapped, a condition left out or inverted, a statement dropped. Some of them do not compile.
std::vector<Mutation> mutations_of(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace autoshard::tool
