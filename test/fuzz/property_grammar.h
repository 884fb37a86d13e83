#pragma once

/// What properties hold, and how those that are sharded are updated and folded.

#include <string>
#include <vector>

#include "choices.h"

namespace autoshard::test {

/// The types that every case declares beside its class.
std::string declared_types();

/// A type that a record can hold. Never one that cannot be copied, unless `movable` is there to tell of it.
std::string property_type(Choices& choices, int depth, bool* movable = nullptr);

struct IdType {
  std::string type;
  bool has_initialiser = false;  ///< and so needs none
};

std::string id_type(Choices& choices);

/// A sharded member and what goes with it. `$m$` stands for the member and `$n$` for a parameter.
struct ShardedKind {
  std::string type;
  std::vector<std::string> neutrals;
  std::vector<std::string> folds;  ///< expressions; may be empty
  std::string fold_body;           ///< of a method that folds `x` and `y`
  std::vector<std::string> updates;
  std::string parameter;  ///< the type of `$n$`
  std::string more{};     ///< further arguments of the attribute
  bool is_sum = false;    ///< and so can be bounded
  bool is_group = false;  ///< each element of it is a record
};

/// Whether an index can be over members of this type.
bool is_indexable(const std::string& type);

/// Whether an index can be over the elements of members of this type.
bool has_indexable_elements(const std::string& type);

const std::vector<ShardedKind>& sharded_kinds();

}  // namespace autoshard::test
