#pragma once

#include <ostream>

namespace autoshard::ctl {

/// Runs `autoshardctl` with these arguments, the first of which is its name. Returns its exit code: 0; 1 if
/// there is no such entity, or if `verify` has found problems; 2 for an error, which is printed to `errors`.
int run(int count, const char* const* arguments, std::ostream& out, std::ostream& errors);

}  // namespace autoshard::ctl
