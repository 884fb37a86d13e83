#include "plan.h"

#include <iterator>

#include "chance.h"
#include "plan_dimensions.h"

namespace autoshard::simulation {
namespace {

using namespace std::chrono_literals;

/// No update of one entity takes more in a commit, unless it has bounds.
constexpr std::size_t kMostWrites = 20;
/// In bytes: no call takes more in a commit.
constexpr std::size_t kLargestCommit = 2'000;

StoreFaults make_faults(Chance& chance) {
  StoreFaults faults;
  faults.read_takes = chance.of<Time>({0us, 0us, 50us, 500us});
  faults.commit_takes = chance.of<Time>({0us, 100us, 800us, 5ms});
  if (chance.one_in(4))
    faults.stall = chance.of({0.002, 0.02}), faults.stall_lasts = chance.of<Time>({50ms, 25s});
  if (chance.one_in(4)) return faults;
  if (chance.one_in(2)) faults.conflict = chance.of({0.02, 0.2, 0.6});
  if (chance.one_in(2)) faults.unknown = chance.of({0.02, 0.1, 0.3});
  faults.latest = chance.of<Time>({1ms, 100ms, 10s});
  if (chance.one_in(4))
    faults.outage = chance.of({0.01, 0.05}), faults.outage_lasts = chance.of<Time>({1ms, 300ms, 3s});
  if (chance.one_in(6)) faults.commits_per_second = chance.of({5U, 50U, 500U});
  if (chance.one_in(6)) faults.most_writes = kMostWrites;
  if (chance.one_in(6)) faults.largest_commit = kLargestCommit;
  return faults;
}

MapperOptions make_options(Chance& chance) {
  MapperOptions options;
  options.combine = !chance.one_in(4);
  options.choice = chance.of({ShardChoice::kSticky, ShardChoice::kSticky, ShardChoice::kRandom});
  if (chance.one_in(3)) options.durability = durability::buffered{chance.of({1ms, 10ms, 200ms})};
  if (chance.one_in(4)) options.max_in_flight = chance.of({1U, 2U, 4U});
  options.compact_every = chance.of({0ms, 3ms, 50ms, 1000ms});
  if (chance.one_in(4)) options.retry.max_attempts = chance.of({1U, 3U, 8U});
  options.adaptive = {.window = chance.of({0ms, 5ms, 100ms, 1000ms}),
                      .conflicts_per_second = 1,
                      .updates_per_commit = chance.of({1.2, 2.0, 16.0}),
                      .hot_windows = chance.of({1U, 2U}),
                      .quiet_for = chance.of({0s, 1s, 600s})};
  options.retry.resolve_within = chance.of<std::chrono::microseconds>({0us, 3ms, 1s, 30s});
  return options;
}

/// What is the same in all operations of a plan, and in those of one process.
struct Habits {
  PartRules rules;
  std::vector<Operation::Kind> kinds{};
  int entities = 1;
  std::uint32_t favourites = 0;
  std::uint32_t parts = 0;  // that the version of the class has
  bool expire = false;      // entities may
  bool use_tokens = false;
};

std::uint32_t one_part(Chance& chance, std::uint32_t of) {
  for (;;) {
    if (const std::uint32_t part = 1U << chance.below(7U); part & of) return part;
  }
}

std::uint32_t some_parts(Chance& chance, const Habits& habits) {
  if (chance.one_in(3) && (habits.favourites & habits.parts))
    return one_part(chance, habits.favourites & habits.parts);
  if (chance.one_in(3)) return one_part(chance, habits.parts);
  std::uint32_t parts = 0;
  while (parts == 0) parts = chance.below(habits.rules.all + 1) & habits.parts;
  const std::uint32_t replaced = habits.rules.replaced & ~habits.rules.replacing;
  if ((parts & habits.rules.replacing) && (parts & replaced) && !chance.one_in(3)) parts &= ~replaced;
  return parts;
}

constexpr Operation::Kind kKinds[] = {
    Operation::kUpdate,      Operation::kUpdate,    Operation::kUpdate,         Operation::kUpdate,
    Operation::kUpdate,      Operation::kUpdate,    Operation::kUpdateAsync,    Operation::kUpdateAsync,
    Operation::kUpdateAsync, Operation::kLoad,      Operation::kLoad,           Operation::kLoadCached,
    Operation::kLoadCached,  Operation::kHold,      Operation::kHold,           Operation::kSave,
    Operation::kSave,        Operation::kSave,      Operation::kCreate,         Operation::kCreate,
    Operation::kErase,       Operation::kTransact,  Operation::kTransact,       Operation::kCompact,
    Operation::kCompactAll,  Operation::kSetShards, Operation::kIncreaseShards, Operation::kAdapt,
    Operation::kFlush,       Operation::kPause,     Operation::kRepeat,         Operation::kQuery,
    Operation::kBuildIndexes};

/// All kinds, or a few: calls that seldom meet among all of them meet often then.
std::vector<Operation::Kind> some_kinds(Chance& chance) {
  if (chance.one_in(2)) return {std::begin(kKinds), std::end(kKinds)};
  std::vector<Operation::Kind> kinds = {chance.of({Operation::kUpdate, Operation::kUpdateAsync}),
                                        chance.of({Operation::kCreate, Operation::kTransact})};
  for (auto more = 1 + chance.below(4U); more > 0; --more) kinds.push_back(chance.of(kKinds));
  return kinds;
}

Operation make_operation(Chance& chance, const Habits& habits) {
  Operation operation;
  operation.kind = habits.kinds[chance.below(habits.kinds.size())];
  if (habits.use_tokens && chance.one_in(4))
    operation.kind = chance.of({Operation::kRepeat, Operation::kRepeat, Operation::kCompactAll});
  operation.entity = chance.below(habits.entities);
  operation.other_entity = chance.below(habits.entities);
  operation.parts = some_parts(chance, habits);
  operation.amount = habits.rules.most_ever > habits.rules.most_at_first
                         ? chance.of({1, 3, 12, 30, 39, -1, -9, -30, -39})
                         : chance.of({1, 1, 1, 2, 3, 12, -1, -2, -9});
  operation.number = chance.of({0U, 1U, 2U, 3U, 5U, 8U});
  operation.time = chance.of<Time>({10us, 1ms, 20ms, 1s});
  operation.has_token = habits.use_tokens && !chance.one_in(3);
  operation.catches = chance.one_in(2);
  const bool may_create = operation.kind == Operation::kCreate || operation.kind == Operation::kTransact;
  if (may_create && habits.expire) {
    operation.time = chance.of<Time>({0us, 3ms, 30ms, 30ms, 1s});
    operation.waits_for_end = chance.one_in(2);
  }
  if (operation.kind == Operation::kUpdateAsync) {
    const std::uint32_t parts = habits.rules.asynchronous & habits.parts;
    const std::uint32_t favourites = parts & habits.favourites;
    operation.parts = one_part(chance, favourites != 0 && chance.one_in(2) ? favourites : parts);
  }
  if (operation.kind == Operation::kCreate) {
    // The older version may have wider bounds.
    const bool is_old = habits.parts != habits.rules.all;
    operation.amount = chance.below((is_old ? habits.rules.most_ever : habits.rules.most_at_first) + 1);
  }
  // What the older version changes in the main record shares no commit with anything else.
  if (operation.kind == Operation::kSave && (habits.rules.all & ~habits.parts & kDraw) && chance.one_in(2))
    operation.parts = kDraw;
  return operation;
}

void make_clients(Chance& chance, ProcessPlan& process, const Habits& habits, OperationId& next) {
  process.clients.resize(1 + chance.below(4U));
  for (auto& client : process.clients) {
    const auto operations = 2 + chance.below(14U);
    for (std::uint64_t step = 0; step < operations; ++step) {
      client.push_back(make_operation(chance, habits));
      client.back().id = next++;
    }
  }
}

}  // namespace

Plan make_plan(std::uint64_t seed) {
  Chance chance(seed);
  Plan plan;
  plan.schedule = chance.bits();
  plan.seldom = chance.of({1U, 4U, 16U, 64U});
  plan.world = chance.of({World::kLedgers, World::kLedgers, World::kAlbums, World::kPermits});
  plan.faults = make_faults(chance);
  if (chance.one_in(4)) plan.user_errors = chance.of({0.005, 0.05, 0.2});
  if (chance.one_in(8)) {
    plan.loss.emplace();
    plan.loss->to = chance.upto(chance.of<Time>({3ms, 10ms, 100ms}));
    plan.loss->at = plan.loss->to + chance.upto(chance.of<Time>({1ms, 10ms, 100ms}));
  }
  plan.foreign_records = chance.one_in(8);
  Habits habits{.rules = rules_of(plan.world)};
  habits.rules.all &= ~habits.rules.timed;
  habits.kinds = some_kinds(chance);
  habits.entities = 1 + chance.below(kEntities);
  const bool holds_over_loss = plan.loss && chance.one_in(2);
  if (holds_over_loss) {
    // Objects that were saved before the loss have to meet saves in the place of those that are lost.
    habits.kinds = {Operation::kHold, Operation::kSave, Operation::kSave, Operation::kCreate};
    habits.entities = 1;
  }
  habits.favourites = one_part(chance, habits.rules.all);
  if (chance.one_in(2)) habits.favourites |= one_part(chance, habits.rules.all);
  const bool has_versions = plan.world != World::kLedgers && !chance.one_in(3);
  // Updates that bounds may refuse have to meet what they share a commit with, above all where bounds have
  // become narrower.
  if (habits.rules.bounded != 0 && chance.one_in(has_versions ? 2 : 4))
    habits.favourites = habits.rules.bounded;
  habits.use_tokens = chance.one_in(4);
  const auto processes = 1 + chance.below(3U);
  OperationId next = 1;
  for (std::uint64_t i = 0; i < processes; ++i) {
    ProcessPlan& process = plan.processes.emplace_back();
    process.options = make_options(chance);
    process.version = has_versions && chance.one_in(2) ? 1 : 2;
    process.stays = chance.one_in(2);
    process.shares_statistics = chance.one_in(2) && !has_versions;
    process.begins = i == 0 ? Time(0) : chance.of<Time>({0us, 1ms, 100ms, 5s});
    if (chance.one_in(4)) process.killed = process.begins + chance.upto(chance.of<Time>({3ms, 50ms, 1s}));
    if (chance.one_in(plan.world == World::kPermits || habits.use_tokens ? 2 : 6)) {
      process.clock_jumps_at = chance.upto(100ms);
      process.clock_jumps_by = habits.use_tokens ? chance.of<Time>({-25h, 24h, 25h})
                                                 : chance.of<Time>({-25h, -30s, -3s, 3ms, 3s, 30s, 24h, 25h});
    }
    habits.parts = process.version == 1 ? habits.rules.all & ~habits.rules.newer : habits.rules.all;
    habits.expire = plan.world == World::kPermits && process.version == 2;
    make_clients(chance, process, habits, next);
  }
  plan.abilities = {.many_processes = processes > 1,
                    .prefetches = chance.one_in(2),
                    .folds = chance.one_in(2),
                    .refuses_folds = chance.of({0.0, 0.2}),
                    .loses_acknowledgements = plan.faults.unknown > 0 || plan.loss};
  add_dimensions(plan, {.seed = seed,
                        .has_versions = has_versions,
                        .use_tokens = habits.use_tokens,
                        .holds_over_loss = holds_over_loss,
                        .next = next});
  return plan;
}

}  // namespace autoshard::simulation
