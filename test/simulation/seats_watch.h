#pragma once

#include <autoshard/store.h>

#include <array>
#include <optional>
#include <set>
#include <string_view>

#include "history.h"
#include "scheduler.h"

namespace autoshard::simulation {

/// Tells a history of the seats in each state of the store, and sees to it that their ranked index is right
/// in each.
class SeatsWatch {
 public:
  SeatsWatch(Scheduler& scheduler, History& history) : scheduler_(scheduler), history_(history) {}

  void look(const Snapshot& state);

  /// What stays when all entities are erased.
  static bool is_state_of_ranked(std::string_view key);

 private:
  struct Seen {
    std::optional<int> seats;  // none: there is no such entity
    std::set<OperationId> bookings;
  };

  static Seen look_at(const Snapshot& state, int entity);

  Scheduler& scheduler_;
  History& history_;
  std::array<Seen, kEntities> seen_;
};

}  // namespace autoshard::simulation
