#pragma once

/// Every rule: source in, diagnostic out. A `^` marks where a diagnostic is expected.

#include <gtest/gtest.h>

#include <string>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {

struct RuleCase {
  std::string name;
  std::string rule;
  std::string source;
  std::string message;  ///< a part of it
  std::string
      fixed;  ///< a part of the source after the fix-it of the first diagnostic; empty if there is none
};

inline void PrintTo(const RuleCase& one, std::ostream* out) { *out << one.source; }

class RuleTest : public testing::TestWithParam<RuleCase> {};

inline std::string name_of(const testing::TestParamInfo<RuleCase>& info) { return info.param.name; }

}  // namespace autoshard::tool
