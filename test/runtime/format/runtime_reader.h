#pragma once

#include <string_view>

#include "page.h"

/// The readers of the runtime, as they read the examples.
namespace autoshard::test::format {

/// What a key means to the runtime.
Lines read_key(std::string_view key);

/// What the value of a record means to it.
Lines read_value(const Record& record);

}  // namespace autoshard::test::format
