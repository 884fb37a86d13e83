#pragma once

#include <autoshard/mapper.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "ledger.h"
#include "scheduler.h"
#include "simulated_store.h"

namespace autoshard::simulation {

/// Of an update, as bits.
enum Part : std::uint32_t { kVote = 1, kLike = 2, kView = 4, kNote = 8, kRewrite = 16, kBook = 32 };
inline constexpr std::uint32_t kAllParts = 64;

struct Operation {
  enum Kind {
    kUpdate,
    kUpdateAsync,  ///< of one part; waited for at once, or never before the client ends, or by a callback
    kLoad,
    kLoadCached,
    kHold,  ///< loads an entity to be saved later
    kSave,  ///< changes the one that is held, and saves it
    kCreate,
    kErase,
    kTransact,
    kCompact,
    kCompactAll,
    kSetShards,
    kIncreaseShards,
    kAdapt,
    kFlush,
    kPause,
  };

  OperationId id = 0;
  Kind kind = kLoad;
  int entity = 0, other_entity = 0;
  std::uint32_t parts = 0;
  int seats = 0;             // that are booked, or that there are first
  std::uint32_t number = 0;  // of shards; or which way to wait
  Time time{0};              // to pause, or how old a load may be
};

struct ProcessPlan {
  MapperOptions options;
  Time begins{0};
  std::optional<Time> killed;
  Time clock_jumps_at{0}, clock_jumps_by{0};
  bool shares_statistics = false;
  std::vector<std::vector<Operation>> clients;
};

/// What is to happen in a run, down to the seed of its schedule.
struct Plan {
  std::uint64_t schedule = 0;
  std::uint64_t seldom = 1;  // see `Scheduler`
  StoreFaults faults;
  StoreAbilities abilities;
  std::vector<ProcessPlan> processes;
};

inline constexpr int kEntities = 3;

/// The one of this seed; always the same.
Plan make_plan(std::uint64_t seed);

std::ostream& operator<<(std::ostream& out, const Operation& operation);
std::ostream& operator<<(std::ostream& out, const Plan& plan);

}  // namespace autoshard::simulation
