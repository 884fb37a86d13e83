// The second version of the class Doc: with an indexed member.
#pragma once

#include <string>

namespace archive {

struct [[autoshard::entity("Doc")]] SecondDoc {
  explicit SecondDoc(int its_id) : id(its_id) {}

  [[autoshard::id]] int id;
  std::string text;
  [[autoshard::index]] int level = 1;

  friend bool operator==(const SecondDoc&, const SecondDoc&) = default;
};

}  // namespace archive
