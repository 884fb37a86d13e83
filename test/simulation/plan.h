#pragma once

#include <autoshard/mapper.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "operation.h"
#include "scheduler.h"
#include "simulated_store.h"

namespace autoshard::simulation {

struct ProcessPlan {
  MapperOptions options;
  int version = 2;  ///< of the class
  Time begins{0};
  std::optional<Time> killed;
  Time clock_jumps_at{0}, clock_jumps_by{0};
  bool shares_statistics = false;
  bool stays = false;  ///< until nothing goes wrong any more, to show that it can still write then
  std::vector<std::vector<Operation>> clients;
};

/// The database is put back, at one time, to what it held at another.
struct Loss {
  Time to, at;
};

/// What is to happen in a run, down to the seed of its schedule.
struct Plan {
  std::uint64_t schedule = 0;
  std::uint64_t seldom = 1;  // see `Scheduler`
  World world = World::kLedgers;
  StoreFaults faults;
  StoreAbilities abilities;
  std::optional<Loss> loss;
  double user_errors = 0;              ///< the probability that a piece of the application's code throws
  bool foreign_records = false;        ///< records that mean nothing lie among those of expiring entities
  bool foreign_index_records = false;  ///< and behind those of each index
  std::vector<ProcessPlan> processes;
};

/// The one of this seed; always the same.
Plan make_plan(std::uint64_t seed);

std::ostream& operator<<(std::ostream& out, const Plan& plan);

}  // namespace autoshard::simulation
