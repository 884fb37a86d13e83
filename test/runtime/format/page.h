#pragma once

#include <cstddef>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "checked_keys.h"
#include "hex.h"

/// The worked examples of runtime/FORMAT.md.
namespace autoshard::test::format {

using detail::CheckedKey;

/// Bytes, and what they mean.
struct Line {
  std::string bytes, meaning;

  friend bool operator==(const Line&, const Line&) = default;
  friend void PrintTo(const Line& line, std::ostream* out) {
    *out << detail::to_hex(line.bytes) << "  " << line.meaning;
  }
};
using Lines = std::vector<Line>;

inline std::string bytes_of(const Lines& lines) {
  std::string bytes;
  for (const Line& line : lines) bytes += line.bytes;
  return bytes;
}

/// A fenced block of the page.
struct Example {
  std::string name;                      ///< what stands behind the fence: "record", "definition title"
  std::size_t place = 0;                 ///< the number of its first line in the page
  std::map<std::string, Lines> parts{};  ///< by their labels: "key", "value"
};

/// All fenced blocks of a page. Throws `std::invalid_argument` for a block that is not in the form of an
/// example.
std::vector<Example> read_examples(std::istream& page);

/// Those of runtime/FORMAT.md.
const std::vector<Example>& examples();

/// A record of the page.
struct Record {
  const Example& example;
  const Lines& key_lines;
  const Lines& value_lines;
  const std::string key, value;

  explicit Record(const Example& its_example)
      : example(its_example),
        key_lines(example.parts.at("key")),
        value_lines(example.parts.at("value")),
        key(bytes_of(key_lines)),
        value(bytes_of(value_lines)) {}

  CheckedKey::Kind kind() const { return detail::parse_checked_key(key).kind; }
};

/// Those of runtime/FORMAT.md.
std::vector<Record> all_records();

/// Takes one value of MessagePack off the front.
std::string take_value(std::string_view& rest);

/// A value of MessagePack as JSON, by a reader that is not AutoShard's.
std::string json(std::string_view value);

}  // namespace autoshard::test::format
