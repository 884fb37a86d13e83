#pragma once

/// A question with one more member, and what is understood of the member.

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "test/tool/diagnostics/source.h"

namespace autoshard::tool {

/// `source` behind the standard headers that it needs. To read them takes longer than the rest.
inline std::string including(const std::string& source) {
  std::string includes;
  for (const auto& [name, header] : {std::pair{"array", "array"},
                                     {"chrono", "chrono"},
                                     {"plus", "functional"},
                                     {"list", "list"},
                                     {"map", "map"},
                                     {"optional", "optional"},
                                     {"ratio", "ratio"},
                                     {"set", "set"},
                                     {"string", "string"},
                                     {"unordered_map", "unordered_map"},
                                     {"vector", "vector"}}) {
    if (source.find(std::string("std::") + name) != std::string::npos)
      includes += std::string("#include <") + header + ">\n";
  }
  return includes + source;
}

/// A question with this as one of its members.
inline std::string with(const std::string& member, const std::string& members = "") {
  return including(question(members, member));
}

inline const Property& property_of(const Outcome& outcome, const std::string& name) {
  static const Property kNone;
  EXPECT_TRUE(outcome.ok) << outcome.output;
  const Property* found = outcome.model.entities.empty() ? nullptr : outcome.model.entities[0].property(name);
  EXPECT_NE(found, nullptr);
  return found ? *found : kNone;
}

}  // namespace autoshard::tool
