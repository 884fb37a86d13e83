#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace autoshard::bench {

/// What a program took that ran to its end.
struct Cost {
  double milliseconds = 0;      ///< from its start to its end
  double cpu_milliseconds = 0;  ///< of it and its children
};

/// Runs a program, with its arguments, in `folder`; what it prints goes to the end of the file `log`. Throws
/// `std::runtime_error`, with what the program said, where it does not exit with 0.
Cost run_process(const std::vector<std::string>& command, const std::filesystem::path& folder,
                 const std::filesystem::path& log);

}  // namespace autoshard::bench
