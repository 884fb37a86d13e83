#pragma once

#include <gtest/gtest.h>

#include "rules.h"

namespace autoshard::guides {

/// Each finding is a failure of its own.
inline void expect_none(const Findings& findings) {
  for (const std::string& finding : findings) ADD_FAILURE() << finding;
}

}  // namespace autoshard::guides
