#pragma once

/// What the user says about rules on the command line.

#include <string>
#include <vector>

#include "tool/check/check.h"

namespace autoshard::tool {

struct Control {
  bool warnings_are_errors = false;
  std::vector<std::string> disabled{};  ///< rules, with `autoshard-` before them or without
};

/// What is wrong with `control`, or nothing: there is no such rule, or generated code would not work without
/// it.
std::string problem_with(const Control& control);

/// `diagnostics` less those of disabled rules, with warnings raised to errors where that is wanted.
Diagnostics controlled(Diagnostics diagnostics, const Control& control);

}  // namespace autoshard::tool
