#include "page.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>

namespace autoshard::test::format {
namespace {

/// Takes the bytes off the front of a line; throws unless they are in hex, with a space between each two.
std::string take_bytes(std::string_view& line) {
  std::string digits;
  const auto is_digit = [](char byte) { return std::string_view("0123456789ABCDEF").find(byte) < 16; };
  while (line.size() >= 2 && is_digit(line[0]) && is_digit(line[1]) && (line.size() == 2 || line[2] == ' ')) {
    for (const char digit : line.substr(0, 2))
      digits += static_cast<char>(std::tolower(static_cast<unsigned char>(digit)));
    line.remove_prefix(std::min<std::size_t>(3, line.size()));
  }
  std::optional<std::string> bytes = detail::from_hex(digits);
  if (!bytes || bytes->empty()) throw std::invalid_argument("no bytes");
  return *std::move(bytes);
}

/// A line of an example: a label or none, bytes, and behind two spaces or more what they mean. Without a
/// meaning, its bytes belong to those of the next line.
void read_line(std::string_view line, Example& example, std::string& label, bool& goes_on) {
  const std::size_t end = line.find("  ");
  if (end == std::string_view::npos || line.size() > 120 || line.ends_with(' '))
    throw std::invalid_argument("not in the form of a line");
  if (end > 0) {
    if (goes_on) throw std::invalid_argument("the bytes before it have no meaning");
    label = line.substr(0, end);
    if (!example.parts.try_emplace(label).second) throw std::invalid_argument("a label comes twice");
  }
  line.remove_prefix(std::min(line.find_first_not_of(' ', end), line.size()));
  if (label.empty()) throw std::invalid_argument("no label");
  Lines& lines = example.parts[label];
  if (!goes_on) lines.emplace_back();
  lines.back().bytes += take_bytes(line);
  goes_on = line.empty();
  if (goes_on) return;
  if (line.front() != ' ') throw std::invalid_argument("no two spaces before the meaning");
  lines.back().meaning = line.substr(line.find_first_not_of(' '));
}

}  // namespace

std::vector<Example> read_examples(std::istream& page) {
  std::vector<Example> examples;
  std::string line, label;
  std::size_t number = 0;
  bool is_inside = false, goes_on = false;
  while (std::getline(page, line)) {
    ++number;
    try {
      if (line.starts_with("```")) {
        if (is_inside && (line != "```" || goes_on || examples.back().parts.empty()))
          throw std::invalid_argument("the example does not end in its form");
        if (!is_inside) examples.push_back({.name = line.substr(3), .place = number});
        is_inside = !is_inside;
        label.clear();
      } else if (is_inside) {
        read_line(line, examples.back(), label, goes_on);
      }
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument("line " + std::to_string(number) + ": " + error.what());
    }
  }
  if (is_inside) throw std::invalid_argument("the last example has no end");
  return examples;
}

const std::vector<Example>& examples() {
  static const std::vector<Example> all = [] {
    std::ifstream page(AUTOSHARD_FORMAT_PAGE);
    if (!page) throw std::runtime_error("cannot read " AUTOSHARD_FORMAT_PAGE);
    return read_examples(page);
  }();
  return all;
}

std::vector<Record> all_records() {
  std::vector<Record> records;
  for (const Example& example : examples()) {
    if (example.name == "record") records.emplace_back(example);
  }
  return records;
}

/// MessagePack is prefix-free: only one beginning is a value.
std::string take_value(std::string_view& rest) {
  for (std::size_t size = 1; size <= rest.size(); ++size) {
    try {
      static_cast<void>(Decoder({}, rest.substr(0, size)));
    } catch (const CorruptRecord&) {
      continue;
    }
    std::string value(rest.substr(0, size));
    rest.remove_prefix(size);
    return value;
  }
  throw std::invalid_argument("no value of MessagePack");
}

std::string json(std::string_view value) { return nlohmann::json::from_msgpack(value).dump(); }

}  // namespace autoshard::test::format
