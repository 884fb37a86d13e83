// A PlainTally with the names of SecondTally.
#pragma once

#include <cstdint>
#include <string>

namespace poll {

struct [[autoshard::entity("Tally")]] PlainRenamedTally {
  explicit PlainRenamedTally(int its_id) : id(its_id) {}

  [[autoshard::id]] int id;
  std::string title;
  [[autoshard::also_load("votes")]] int likes = 0;
  [[autoshard::also_load("views")]] int hits = 0;
  [[autoshard::also_load("seats")]] std::int64_t places = 0;
};

}  // namespace poll
