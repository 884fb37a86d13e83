#pragma once

#include <cstdlib>
#include <string>

namespace autoshard::test {

/// Whether a test writes the files that it expects, instead of comparing them.
inline bool updates_golden() { return std::getenv("AUTOSHARD_UPDATE_GOLDEN") != nullptr; }

/// The message of a comparison that failed in the program `test`.
inline std::string how_to_update_golden(const std::string& test) {
  return "If this change is meant, write the expected files anew and read the difference:\n"
         "AUTOSHARD_UPDATE_GOLDEN=1 build/bin/" +
         test;
}

}  // namespace autoshard::test
