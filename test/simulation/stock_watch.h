#pragma once

#include <autoshard/store.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "history.h"
#include "scheduler.h"

namespace autoshard::simulation {

/// Sees to it in each state of the store that no commit takes the stock of an album out of the bounds that
/// its version of the class has, or further out where it was outside already. Tells a history of it.
class StockWatch {
 public:
  StockWatch(Scheduler& scheduler, History& history) : scheduler_(scheduler), history_(history) {}

  /// `version`: of the process whose commit it is; 0 for the store itself.
  void look(const Snapshot& state, int version);

 private:
  struct Seen {
    std::string creation;     // what tells the entity from others of its id
    std::uint64_t epoch = 0;  // of the stock
    std::int64_t stock = 0;
    std::set<OperationId> sales;  // and refills
  };
  static std::optional<Seen> look_at(const Snapshot& state, int album);
  /// The sales and refills that are new.
  static std::vector<OperationId> changes(const std::optional<Seen>& before, const std::optional<Seen>& now);
  bool adds_to(int album, OperationId id) const;

  Scheduler& scheduler_;
  History& history_;
  std::array<std::optional<Seen>, kEntities> seen_;
};

}  // namespace autoshard::simulation
