#pragma once

/// Annotations for classes that have none.

#include <map>
#include <set>
#include <string>
#include <vector>

namespace autoshard::test {

/// What was planted into the files of one translation unit.
struct Planted {
  std::map<std::string, std::string> texts;  ///< of the files with annotations, by absolute path
  std::vector<std::string> classes;          ///< that got annotations: `/usr/include/c++/12/array:93`
  std::string problem;                       ///< why there is nothing; empty otherwise
};

/// Parses `text`, and annotates every class with a definition in a file that it includes: as an entity, whose
/// first member is the id, the other members sharded, its methods with bodies shard methods, and its static
/// methods with two parameters folds. Whether this makes sense does not matter: the generator must read it.
/// Leaves out the classes in `known`.
Planted plant(const std::string& text, const std::vector<std::string>& flags,
              const std::set<std::string>& known);

}  // namespace autoshard::test
