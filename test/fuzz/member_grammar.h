#pragma once

/// Data members, and the declarations that are neither these nor shard methods.

#include <string>

#include "class_facts.h"
#include "spelling.h"

namespace autoshard::test {

/// Ids, properties, sharded members with their folds: noted in `facts`, too.
std::string data_members(Choices& choices, Spelling& spelling, ClassFacts& facts);

/// Constructors and comparisons.
std::string special_members(Choices& choices, const ClassFacts& facts);

/// Friends, nested types, static members and the like, for a class with or without `struct`.
std::string other_members(Choices& choices, ClassFacts& facts, bool is_struct);

}  // namespace autoshard::test
