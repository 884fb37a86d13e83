#pragma once

/// The tags of the rules that are found by evaluating code. Their rows in the table of rules use these names,
/// and so does laws/.

#include <string_view>

namespace autoshard::tool::tags {

inline constexpr std::string_view kArgumentValue = "autoshard-argument-value";
inline constexpr std::string_view kFoldNotCommutative = "autoshard-fold-not-commutative";
inline constexpr std::string_view kFoldNotAssociative = "autoshard-fold-not-associative";
inline constexpr std::string_view kNeutralNotIdentity = "autoshard-neutral-not-identity";
inline constexpr std::string_view kBoundedFold = "autoshard-bounded-fold";
inline constexpr std::string_view kMethodDoesNotCommute = "autoshard-method-does-not-commute";
inline constexpr std::string_view kWriteNotReplacing = "autoshard-write-not-replacing";
inline constexpr std::string_view kLawNotProved = "autoshard-law-not-proved";

}  // namespace autoshard::tool::tags
