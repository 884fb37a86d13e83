#pragma once

/// Candidates for invariants of the values that updates can reach from the neutral value.

#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

struct Invariant {
  std::string test;  ///< an expression of `value`, one of the member's type, and `neutral`, its neutral value
  std::string text;  ///< the same for readers
  bool is_of_neutral =
      false;  ///< compares a number with the neutral number; if all of these hold, no value ever changes
};

/// The most candidates for one property.
constexpr std::size_t kMostInvariants = 20;

/// Returns the invariants that the prover tries for `property`. They say that its numbers lie on one side of
/// the neutral numbers, of each other, or of a constant in the class. They also say that its arrays are
/// sorted, or that a number is the sum of an array. Returns none if the type has no numbers.
std::vector<Invariant> possible_invariants(const Property& property, const Constants& constants);

}  // namespace autoshard::tool
