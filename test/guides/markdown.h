#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::guides {

/// A fenced block of code.
struct Block {
  std::size_t line = 0;  ///< of its first fence, counted from 1
  std::string language;  ///< the first word behind the fence
  std::string about;     ///< the other words
  std::string text;
};

struct Heading {
  std::size_t line = 0;
  std::size_t level = 0;
  std::string anchor;  ///< as GitHub makes it
};

struct Link {
  std::size_t line = 0;
  std::string target;
};

struct Row {
  std::size_t line = 0;
  std::vector<std::string> cells;
};

struct Table {
  Row header;
  std::vector<Row> rows;
};

struct Page {
  std::string path;                ///< relative to the root of the repository
  std::vector<std::string> lines;  ///< all lines of the file
  std::vector<std::string> prose;  ///< the same lines; those of fenced blocks are empty
  std::vector<Block> blocks;
  std::vector<Heading> headings;
  std::vector<Link> links;  ///< images too
  std::vector<Table> tables;
};

/// Throws `std::runtime_error` if a fence is not closed.
Page parse(std::string path, std::string_view text);

std::vector<std::string> lines_of(std::string_view text);
std::string trimmed(std::string_view text);

/// Returns the code spans of a text: `a` and `b` for "`a` or `b`".
std::vector<std::string> code_in(std::string_view text);

}  // namespace autoshard::guides
