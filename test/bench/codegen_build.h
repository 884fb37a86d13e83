#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "process.h"

namespace autoshard::bench {

/// A CMake project with one library that includes all of some annotated headers, built with Ninja: once with
/// autoshard_generate(), once without.
class BuildFolder {
 public:
  /// Configures and builds both in `folder`. The `headers` stand in its parent folder; `generator` is the
  /// path of autoshard. Throws `std::runtime_error` where that fails.
  BuildFolder(const std::filesystem::path& folder, const std::vector<std::string>& headers,
              const std::string& generator);

  /// Builds once more, with or without autoshard_generate(). Throws `std::runtime_error` where something was
  /// left to do.
  Cost build_again(bool generated);

  /// How many files are compiled, with autoshard_generate(), after a header was touched, but not changed. The
  /// generator runs then.
  int compiled_after_touch();

 private:
  std::string build(bool generated, Cost& cost);

  std::filesystem::path folder_;
  std::filesystem::path touched_;
};

}  // namespace autoshard::bench
