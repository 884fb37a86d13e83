#pragma once

#include <string>
#include <vector>

namespace autoshard::tool {

/// The command line with which Clang parses for us what another compiler was called for with `flags`: in
/// C++20 if nothing else is said, quiet, and without the flags that it does not know.
std::vector<std::string> command_line(const std::vector<std::string>& flags, const std::string& main_file);

/// `flags` with the folders and files to include made absolute, which are relative to `directory`.
std::vector<std::string> with_absolute_includes(std::vector<std::string> flags, const std::string& directory);

}  // namespace autoshard::tool
