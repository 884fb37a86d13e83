// The oldest version of the class Tally: nothing is sharded.
#pragma once

#include <cstdint>
#include <string>

namespace poll {

struct [[autoshard::entity("Tally")]] PlainTally {
  explicit PlainTally(int its_id) : id(its_id) {}

  [[autoshard::id]] int id;
  std::string title;
  int votes = 0;
  int views = 0;
  std::int64_t seats = 0;
};

}  // namespace poll
