#pragma once

#include <string>
#include <vector>

#include "tool/check/control.h"

namespace autoshard::tool {

/// What --advise is asked to do.
struct SuggestJob {
  std::vector<std::string> headers;  ///< and sources, whose methods are looked into, too
  std::vector<std::string> flags{};
  bool fix = false;  ///< write the annotations into the headers
  Control control{};
};

/// Prints which further members of the classes in the headers could be sharded, after trying it out in
/// memory. Returns whether all went well; what did not has been said on standard error, and then no header
/// was changed.
bool suggest(const SuggestJob& job);

}  // namespace autoshard::tool
