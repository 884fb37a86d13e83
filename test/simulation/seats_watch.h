#pragma once

#include <autoshard/store.h>

#include <array>
#include <optional>
#include <set>

#include "history.h"

namespace autoshard::simulation {

/// Tells a history of the seats in each state of the store.
class SeatsWatch {
 public:
  explicit SeatsWatch(History& history) : history_(history) {}

  void look(const Snapshot& state);

 private:
  struct Seen {
    std::optional<int> seats;  // none: there is no such entity
    std::set<OperationId> bookings;
  };

  static Seen look_at(const Snapshot& state, int entity);

  History& history_;
  std::array<Seen, kEntities> seen_;
};

}  // namespace autoshard::simulation
