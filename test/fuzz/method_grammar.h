#pragma once

/// Shard methods in all their forms.

#include <string>
#include <vector>

#include "class_facts.h"

namespace autoshard::test {

struct ShardMethod {
  std::string declaration;  ///< in the class, behind its attribute
  std::string behind{};     ///< its definition, if that stands behind the class
  std::string elsewhere{};  ///< or in a source
  std::string name{};
  std::string arguments{};  ///< to call it with; `$E$` stands for the class
  std::string calls{};      ///< statements of an application
  bool replaces = false;    ///< is a shard_write
};

ShardMethod shard_method(Choices& choices, ClassFacts& facts);

}  // namespace autoshard::test
