#pragma once

/// The values that laws are tried on.

#include <optional>
#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// The containers and strings that values are made of.
enum class Containers {
  kReal,      ///< those of the standard library; the compiler cannot evaluate all of them
  kStandIns,  ///< those of tool/laws/trial/stand_ins, with the same names
  kOneKey,    ///< those that follow one key, for proofs; no value is tried
};

/// Whether `type` is a container or string with a stand-in, or contains one.
bool has_stand_in(const Type& type);

/// Returns expressions of `type` that the compiler can evaluate, the simplest first. `constants` are among
/// them. Returns none if the compiler cannot evaluate the type, or if no way to make a value is known.
std::vector<std::string> samples_of(const Type& type, const Constants& constants,
                                    Containers containers = Containers::kReal);

/// Returns the constants in the bodies of shard methods and folds, and in fold expressions. Numbers have
/// their two neighbours: code that compares with a limit behaves differently on its two sides.
Constants constants_of(const Entity& entity);

/// The message that values of `type` cannot be made.
std::string why_no_value(const Type& type);

/// Why the compiler cannot evaluate values of `type`; nothing if it can.
std::optional<std::string> why_no_samples(const Type& type, Containers containers = Containers::kReal);

/// Whether values of `type` contain floating-point numbers.
bool has_reals(const Type& type);

/// Why nothing can be proved about all values of `type`; nothing if it can.
std::optional<std::string> why_unprovable(const Type& type, Containers containers = Containers::kReal);

}  // namespace autoshard::tool
