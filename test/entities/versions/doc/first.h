// The first version of the class Doc: it does not have the member that later ones index.
#pragma once

#include <string>

namespace archive {

struct [[autoshard::entity("Doc")]] FirstDoc {
  explicit FirstDoc(int its_id) : id(its_id) {}

  [[autoshard::id]] int id;
  std::string text;

  friend bool operator==(const FirstDoc&, const FirstDoc&) = default;
};

}  // namespace archive
