// A unique key of an entity that expires.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace theatre {

struct [[autoshard::entity]] Seat {
  using Time = std::chrono::system_clock::time_point;

  explicit Seat(int its_number, std::string at = "", std::optional<Time> end = {})
      : number(its_number), place(std::move(at)), until(end) {}

  [[autoshard::id]] int number;
  [[autoshard::index(unique)]] std::string place;
  [[autoshard::expires]] std::optional<Time> until;
};

}  // namespace theatre
