#pragma once

/// The values on which laws are tried out.

#include <optional>
#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Which containers and strings values are made of.
enum class Containers {
  kReal,      ///< those of the standard library, which the compiler cannot evaluate everywhere
  kStandIns,  ///< those of tool/laws/trial/stand_ins, under the same names
  kOneKey,    ///< those of tool/laws/trial/stand_ins/one_key.h: no value is tried, all are proved
};

/// Whether a value of `type` is a container or string that has a stand-in, or holds one.
bool has_stand_in(const Type& type);

/// Expressions of `type` that can be evaluated by the compiler, the simplest first; none where it cannot
/// handle such values, or where it is not known how to make one. `constants` are among them.
std::vector<std::string> samples_of(const Type& type, const Constants& constants,
                                    Containers containers = Containers::kReal);

/// The constants in the bodies of the shard methods and folds, and in fold expressions, with the neighbours
/// of numbers: what is compared with a limit behaves differently on both sides of it.
Constants constants_of(const Entity& entity);

/// Why the compiler cannot evaluate values of `type`, or nothing if it can.
std::optional<std::string> why_no_samples(const Type& type, Containers containers = Containers::kReal);

/// Whether floating-point numbers are part of values of `type`.
bool has_reals(const Type& type);

/// Why nothing can be proved about all values of `type`, or nothing if it can.
std::optional<std::string> why_unprovable(const Type& type, Containers containers = Containers::kReal);

}  // namespace autoshard::tool
