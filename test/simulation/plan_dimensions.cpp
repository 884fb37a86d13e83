/// Later kinds of histories. Each changes a plan that has been drawn, and takes its chances from a generator
/// of its own.
#include "plan_dimensions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "chance.h"

namespace autoshard::simulation {
namespace {

using namespace std::chrono_literals;

template <class Change>
void for_each_call(Plan& plan, Change change) {
  for (ProcessPlan& process : plan.processes) {
    for (auto& client : process.clients) {
      for (Operation& operation : client) change(process, operation);
    }
  }
}

/// Parts that a window counts, in calls that have been drawn without them: so others stay as they were.
void add_timed(Plan& plan, Chance chance) {
  const PartRules rules = rules_of(plan.world);
  const auto seldom = chance.of({1U, 2U, 4U});
  const auto timed = [&] { return rules.timed & (chance.one_in(4) ? rules.replacing : ~rules.replacing); };
  for_each_call(plan, [&](const ProcessPlan&, Operation& operation) {
    if (!chance.one_in(seldom)) return;
    // Calls that would do nothing, for want of an index.
    if (operation.kind == Operation::kQuery) operation.kind = Operation::kSetShards;
    if (operation.kind == Operation::kBuildIndexes) operation.kind = Operation::kCompact;
    if (operation.kind == Operation::kUpdateAsync) {
      operation.parts = rules.timed & rules.asynchronous;
    } else if (operation.kind == Operation::kPause) {
      operation.time = chance.of<Time>({1s, 2s});
    } else {
      operation.parts = chance.one_in(2) ? timed() : operation.parts | timed();
    }
  });
}

/// Replacements that share commits with updates, of a bounded part that an older version leaves outside of
/// the bounds, in calls that have been drawn without them: so others stay as they were.
void add_bounded(Plan& plan, Chance chance) {
  const PartRules rules = rules_of(plan.world);
  for (ProcessPlan& process : plan.processes) {
    process.options.combine = true;
    for (auto& client : process.clients) {
      for (Operation& operation : client) {
        operation.entity = 0;
        if (operation.kind == Operation::kCreate && process.version == 1)
          operation.amount = chance.of({41, 70, 100});
        if (operation.kind == Operation::kCreate || chance.one_in(4)) continue;
        const bool replaces = process.version == 2 && chance.one_in(2);
        operation.kind = Operation::kUpdate;
        operation.parts = replaces ? rules.replacing : rules.bounded & ~rules.replacing;
        operation.amount = replaces ? chance.of({9, 30, 39}) : chance.of({-1, -9, -30, -39});
      }
    }
  }
}

/// Entries of a map by updates that are buffered, and by others that are not, in calls that have been drawn
/// without them: so others stay as they were.
void add_entries(Plan& plan, Chance chance) {
  const PartRules rules = rules_of(plan.world);
  for (ProcessPlan& process : plan.processes) {
    process.options.durability = durability::buffered{chance.of({10ms, 200ms})};
    for (auto& client : process.clients) {
      for (Operation& operation : client) {
        operation.entity = 0;
        if (operation.kind == Operation::kCreate || chance.one_in(3)) continue;
        operation.kind = chance.one_in(4) ? Operation::kTransact : Operation::kUpdate;
        operation.parts = rules.entries & ~rules.outranked;
        if (chance.one_in(3)) operation.parts |= rules.bounded & ~rules.replacing;
        operation.amount = 1;
      }
    }
  }
}

/// An entry that one client erases, and that all others put again and look for.
void add_one_element(Plan& plan) {
  const auto* eraser = &plan.processes.front().clients.front();
  for (ProcessPlan& process : plan.processes) {
    for (auto& client : process.clients) {
      bool looks = false;
      for (Operation& operation : client) {
        operation.id *= kKeys;
        operation.entity = 0;
        operation.parts = kTag;
        if (operation.kind == Operation::kCreate) continue;
        operation.kind = looks               ? Operation::kLoad
                         : &client == eraser ? Operation::kEraseElement
                                             : Operation::kUpdate;
        looks = !looks;
      }
    }
  }
}

/// Entries that are changed as elements, by their ids, in calls that have been drawn without them: so others
/// stay as they were.
void add_elements(Plan& plan, Chance chance) {
  for_each_call(plan, [&](const ProcessPlan&, Operation& operation) {
    operation.entity = 0;
    if (operation.kind == Operation::kCreate || chance.one_in(3)) return;
    operation.kind = chance.of({Operation::kEraseElement, Operation::kReplaceElement, Operation::kUpdate});
    operation.parts = kTag;
  });
}

/// Entries that the older version keeps in shards, and that the newer one erases as elements.
void add_erased_marks(Plan& plan, Chance chance) {
  for_each_call(plan, [&](const ProcessPlan& process, Operation& operation) {
    operation.entity = 0;
    if (operation.kind == Operation::kCreate || chance.one_in(3)) return;
    const bool erases = process.version == 2 && chance.one_in(2);
    operation.kind = erases ? Operation::kEraseElement : Operation::kUpdate;
    operation.parts = kMark;
  });
}

/// Tokens for which the store has no room, in calls that have been drawn with other tokens: so others stay as
/// they were.
void add_long_tokens(Plan& plan, Chance chance) {
  plan.faults.longest_key = kLongestKey;
  for (ProcessPlan& process : plan.processes) {
    for (auto& client : process.clients) {
      for (Operation& operation : client) operation.has_long_token = operation.has_token && chance.one_in(3);
    }
  }
}

/// A pause of each client, so that what it does before the loss meets what others do after it.
void add_pauses(Plan& plan, Chance chance, OperationId next) {
  for (ProcessPlan& process : plan.processes) {
    for (auto& client : process.clients) {
      const auto before = client.begin() + chance.below(std::ssize(client));
      client.insert(before,
                    {.id = next++, .kind = Operation::kPause, .time = chance.upto(2 * plan.loss->at)});
    }
  }
}

/// Saves of one entity that change sharded members alone, and others that change the rest, too. In some plans
/// saves fail, because the store is away for a while.
void add_saves_of_parts(Plan& plan, Chance chance) {
  if (chance.one_in(2)) {
    plan.user_errors = 0;  // then a save that fails is repeated
    plan.faults.outage = 0.1;
    plan.faults.outage_lasts = 300ms;
  }
  for_each_call(plan, [&](const ProcessPlan&, Operation& operation) {
    operation.entity = 0;
    if (operation.kind == Operation::kCreate || chance.one_in(4)) return;
    operation.kind = chance.of({Operation::kHold, Operation::kSaveParts, Operation::kSaveParts});
  });
}

/// What a client does next that holds an entity, saves it, asks for hot spots, and begins again.
Operation::Kind next_of_round(std::size_t step) {
  constexpr std::array kRound = {Operation::kHold, Operation::kSave, Operation::kHotSpots};
  return kRound.at((step + 2) % kRound.size());
}

/// Saves of one entity that conflict, and questions which of its properties are hot spots. Every conflict
/// counts. Clients that are equally far put an album on the same shelf.
void add_hot_spots(Plan& plan, Chance chance) {
  for (ProcessPlan& process : plan.processes) {
    process.options.adaptive.window = 0ms;
    process.options.adaptive.conflicts_per_second = 1e-3;
    process.options.adaptive.conflict_share = 1e-6;
    for (auto& client : process.clients) {
      for (std::size_t step = 0; step < client.size(); ++step) {
        Operation& operation = client[step];
        operation.entity = 0;
        operation.id = kKeys * operation.id + static_cast<OperationId>((step + 2) / 3) % kKeys;
        const bool stays = chance.one_in(4) && operation.kind != Operation::kErase;
        if (step == 0) {
          operation.kind = Operation::kCreate;
          operation.amount = 1;
        } else if (!stays) {
          operation.kind = next_of_round(step);
        }
      }
    }
  }
}

/// Exports, and imports by the same process or another.
void add_exports(Plan& plan, Chance chance) {
  for_each_call(plan, [&](const ProcessPlan&, Operation& operation) {
    if (operation.kind == Operation::kCreate || !chance.one_in(3)) return;
    operation.kind = chance.of({Operation::kExport, Operation::kImport});
  });
}

/// Transactions that save one entity, and go on after code of the application throws in a save.
void add_caught_throws(Plan& plan, Chance chance) {
  plan.user_errors = 0.2;
  for_each_call(plan, [&](const ProcessPlan&, Operation& operation) {
    operation.entity = 0;
    // A save may change what the older version keeps in the main record. No other call does.
    if (operation.kind == Operation::kCreate || operation.kind == Operation::kSave || chance.one_in(4))
      return;
    operation.kind = Operation::kTransact;
    operation.catches = true;
    operation.number = 1;
  });
}

/// Takes its chances from a generator of its own, and changes few plans. So most seeds keep their histories.
void add_later_dimensions(Plan& plan, std::uint64_t seed, bool is_one_version) {
  constexpr std::uint64_t kOwn = 28;
  Chance chance(seed ^ kOwn);
  const bool is_new = is_one_version && plan.processes.front().version == 2;
  switch (chance.below(12U)) {
    case 0:
      if (is_new) add_saves_of_parts(plan, chance);
      break;
    case 1:
      add_hot_spots(plan, chance);
      break;
    case 2:
      if (is_one_version && !plan.loss) add_exports(plan, chance);
      break;
    case 3:
      add_caught_throws(plan, chance);
      break;
    default:
      break;
  }
}

void add_to_albums(Plan& plan, const Drawn& drawn) {
  const std::uint64_t seed = drawn.seed;
  const auto is_old = [](const ProcessPlan& process) { return process.version == 1; };
  // A version of the class finds no elements that another one has put.
  const bool is_one_version = std::ranges::all_of(plan.processes, [&](const ProcessPlan& process) {
    return process.version == plan.processes.front().version;
  });
  if (drawn.has_versions && Chance(~seed).below(4U) == 1) add_bounded(plan, Chance(~seed));
  if (std::ranges::all_of(plan.processes, is_old) && Chance(~seed).one_in(2))
    add_entries(plan, Chance(~seed));
  if (is_one_version && Chance(~seed).one_in(2))
    Chance(~seed).below(4U) == 2 ? add_one_element(plan) : add_elements(plan, Chance(~seed));
  if (!is_one_version && Chance(~seed).one_in(4)) add_erased_marks(plan, Chance(~seed));
  add_later_dimensions(plan, seed, is_one_version);
}

}  // namespace

void add_dimensions(Plan& plan, const Drawn& drawn) {
  const std::uint64_t seed = drawn.seed;
  if (rules_of(plan.world).timed != 0) add_timed(plan, Chance(~seed));
  plan.foreign_index_records = plan.foreign_records && Chance(~seed).one_in(4);
  if (plan.world == World::kAlbums) add_to_albums(plan, drawn);
  if (drawn.use_tokens && Chance(~seed).one_in(2)) add_long_tokens(plan, Chance(~seed));
  if (drawn.holds_over_loss) add_pauses(plan, Chance(~seed), drawn.next);
}

}  // namespace autoshard::simulation
