#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "page.h"

/// The second reader, of runtime/src/checks, as it reads the examples.
namespace autoshard::test::format {

/// What a key means to the second reader. The meaning is empty if it tells none; then the bytes may be those
/// of several lines of the example.
Lines read_key_again(std::string_view key);

/// What the lines of a value mean to it.
std::vector<std::string> read_value_again(const Record& record);

}  // namespace autoshard::test::format
