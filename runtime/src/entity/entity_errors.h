#pragma once

#include <string_view>

/// Errors that several calls throw of an entity. `key` is the entity's.
namespace autoshard::detail {

[[noreturn]] void throw_not_found(std::string_view key);
/// `StaleEntity`: somebody else saved the entity since it was loaded.
[[noreturn]] void throw_saved_since(std::string_view key);

}  // namespace autoshard::detail
