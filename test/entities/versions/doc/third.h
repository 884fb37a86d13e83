// The third version of the class Doc: the indexed member has another default.
#pragma once

#include <string>

namespace archive {

struct [[autoshard::entity("Doc")]] ThirdDoc {
  explicit ThirdDoc(int its_id) : id(its_id) {}

  [[autoshard::id]] int id;
  std::string text;
  [[autoshard::index]] int level = 2;

  friend bool operator==(const ThirdDoc&, const ThirdDoc&) = default;
};

}  // namespace archive
