#pragma once

/// What may hold of every value that updates can reach from the neutral one.

#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

struct Invariant {
  std::string test;  ///< an expression of `value`, one of the member's type, and `neutral`, its neutral value
  std::string text;  ///< the same, as a person would write it
  bool is_of_neutral =
      false;  ///< compares a number with the neutral one; if all of these hold, nothing changes
};

/// More than these are not considered.
constexpr std::size_t kMostInvariants = 20;

/// What is worth trying to prove of `property`: that its numbers lie on one side of the neutral ones, of each
/// other or of a constant in the class; that its arrays are sorted, or that a number is the sum of one.
std::vector<Invariant> possible_invariants(const Property& property, const Constants& constants);

}  // namespace autoshard::tool
