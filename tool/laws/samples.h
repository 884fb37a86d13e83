#pragma once

/// The values on which laws are tried out.

#include <optional>
#include <string>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Expressions of `type` that can be evaluated by the compiler, the simplest first; none where it cannot
/// handle such values, or where there is no knowing how to make one. Numbers and durations take `numbers` in
/// as well.
std::vector<std::string> samples_of(const Type& type, const std::vector<std::string>& numbers);

/// Numbers from the bodies of the shard methods and folds, also of constants whose values stand in the same
/// file, and their neighbours: what is compared with a limit behaves differently on both sides of it.
std::vector<std::string> numbers_in_bodies(const Entity& entity, const std::vector<SourceFile>& files);

/// Why the compiler cannot evaluate values of `type`, or nothing if it can.
std::optional<std::string> why_no_samples(const Type& type);

}  // namespace autoshard::tool
