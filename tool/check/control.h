#pragma once

/// What the command line says about rules.

#include <string>
#include <string_view>
#include <vector>

#include "tool/model/diagnostic.h"

namespace autoshard::tool {

struct Control {
  bool warnings_are_errors = false;
  bool laws_are_tested = false;         ///< by law tests, so that no law that these can try need be proved
  std::vector<std::string> disabled{};  ///< tags of rules, with `autoshard-` or without
};

/// What is wrong with `control`: a rule that does not exist, or that cannot be disabled. Empty if nothing is.
std::string problem_with(const Control& control);

/// Whether `control` disables the rule of a tag.
bool is_disabled(const Control& control, std::string_view tag);

/// `diagnostics` without those of disabled rules; warnings become errors if `control` says so.
Diagnostics controlled(Diagnostics diagnostics, const Control& control);

}  // namespace autoshard::tool
