#pragma once

/// What a body can be made of: every kind of expression that Clang has for C++, and what stands around it.

#include <string>

#include "choices.h"

namespace autoshard::test {

/// The types and functions that expressions use, which every case declares beside its class.
std::string types_of_expressions();

/// An expression of type `int` that has no effect, in up to `depth` layers. Uses members of the class that
/// every case has, and no parameters.
std::string expression(Choices& choices, int depth);

/// A statement that changes nothing.
std::string idle_statement(Choices& choices);

}  // namespace autoshard::test
