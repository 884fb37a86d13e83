#include "plan.h"

#include <array>
#include <ostream>
#include <string_view>
#include <variant>

namespace autoshard::simulation {
namespace {

using namespace std::chrono_literals;

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t bits = state_ += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
  }
  template <class T = std::uint64_t>
  T below(T bound) {
    return static_cast<T>(bits() % static_cast<std::uint64_t>(bound));
  }
  bool one_in(std::uint64_t number) { return below(number) == 0; }
  template <class T, std::size_t kSize>
  T of(const T (&values)[kSize]) {
    return values[below(kSize)];
  }
  Time upto(Time most) { return Time(below(most.count() + 1)); }

 private:
  std::uint64_t state_;
};

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
  return options;
}

std::uint32_t some_parts(Chance& chance, std::uint32_t favourite) {
  if (chance.one_in(3)) return favourite;
  if (chance.one_in(3)) return 1U << chance.below(6U);
  const std::uint32_t parts = 1 + chance.below(kAllParts - 1);
  return (parts & kRewrite) && (parts & kNote) ? parts & ~(chance.one_in(3) ? kNote : kRewrite) : parts;
}

Operation make_operation(Chance& chance, int entities, std::uint32_t favourite) {
  constexpr Operation::Kind kKinds[] = {
      Operation::kUpdate,      Operation::kUpdate,    Operation::kUpdate,         Operation::kUpdate,
      Operation::kUpdate,      Operation::kUpdate,    Operation::kUpdateAsync,    Operation::kUpdateAsync,
      Operation::kUpdateAsync, Operation::kLoad,      Operation::kLoad,           Operation::kLoadCached,
      Operation::kLoadCached,  Operation::kHold,      Operation::kHold,           Operation::kSave,
      Operation::kSave,        Operation::kSave,      Operation::kCreate,         Operation::kCreate,
      Operation::kErase,       Operation::kTransact,  Operation::kTransact,       Operation::kCompact,
      Operation::kCompactAll,  Operation::kSetShards, Operation::kIncreaseShards, Operation::kAdapt,
      Operation::kFlush,       Operation::kPause,
  };
  Operation operation;
  operation.kind = chance.of(kKinds);
  operation.entity = chance.below(entities);
  operation.other_entity = chance.below(entities);
  operation.parts = some_parts(chance, favourite);
  operation.seats = chance.of({1, 1, 1, 2, 3, 12, -1, -2, -9});
  operation.number = chance.of({0U, 1U, 2U, 3U, 5U, 8U});
  operation.time = chance.of<Time>({10us, 1ms, 20ms, 1s});
  switch (operation.kind) {
    case Operation::kUpdateAsync:
      operation.parts = chance.of({kVote, kLike, kView, kBook});
      break;
    case Operation::kCreate:
      operation.seats = chance.below(Ledger::kMostSeats + 1);
      break;
    default:
      break;
  }
  return operation;
}

constexpr std::array<std::string_view, 16> kWords = {"update",   "update, not waiting,",
                                                     "load",     "load, cached,",
                                                     "hold",     "save",
                                                     "create",   "erase",
                                                     "transact", "compact",
                                                     "compact",  "set the shards of",
                                                     "split",    "adapt",
                                                     "flush",    "pause"};

std::string words_for(std::uint32_t parts) {
  constexpr std::array<std::string_view, 6> kNames = {"vote", "like", "view", "note", "rewrite", "book"};
  std::string text;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (parts & 1U << i) text += ' ' + std::string(kNames[i]);
  }
  return text;
}

double seconds(Time time) { return static_cast<double>(time.count()) / 1e9; }

}  // namespace

Plan make_plan(std::uint64_t seed) {
  Chance chance(seed);
  Plan plan;
  plan.schedule = chance.bits();
  plan.seldom = chance.of({1U, 4U, 16U, 64U});
  plan.faults = make_faults(chance);
  const int entities = 1 + chance.below(kEntities);
  const std::uint32_t favourite = 1U << chance.below(6U);
  const auto processes = 1 + chance.below(3U);
  OperationId next = 1;
  for (std::uint64_t i = 0; i < processes; ++i) {
    ProcessPlan& process = plan.processes.emplace_back();
    process.options = make_options(chance);
    process.shares_statistics = chance.one_in(2);
    process.begins = i == 0 ? Time(0) : chance.of<Time>({0us, 1ms, 100ms});
    if (chance.one_in(4)) process.killed = process.begins + chance.upto(chance.of<Time>({3ms, 50ms, 1s}));
    if (chance.one_in(6)) {
      process.clock_jumps_at = chance.upto(100ms);
      process.clock_jumps_by = chance.of<Time>({-30s, -3s, 3s, 30s, 24h});
    }
    process.clients.resize(1 + chance.below(4U));
    for (auto& client : process.clients) {
      const auto operations = 2 + chance.below(14U);
      for (std::uint64_t step = 0; step < operations; ++step) {
        client.push_back(make_operation(chance, entities, favourite));
        client.back().id = next++;
      }
    }
  }
  plan.abilities = {.many_processes = processes > 1,
                    .prefetches = chance.one_in(2),
                    .folds = chance.one_in(2),
                    .refuses_folds = chance.of({0.0, 0.2})};
  for (ProcessPlan& process : plan.processes)
    process.options.retry.resolve_within = chance.of<std::chrono::microseconds>({0us, 3ms, 1s, 30s});
  return plan;
}

std::ostream& operator<<(std::ostream& out, const Operation& operation) {
  out << '#' << operation.id << ' ' << kWords.at(static_cast<std::size_t>(operation.kind));
  if (operation.kind == Operation::kPause) return out << ' ' << seconds(operation.time) << " s";
  if (operation.kind == Operation::kAdapt || operation.kind == Operation::kFlush) return out;
  if (operation.kind == Operation::kCompactAll) return out << " all";
  out << " Ledger " << operation.entity;
  switch (operation.kind) {
    case Operation::kTransact:
      out << " and " << operation.other_entity << ':' << words_for(operation.parts);
      break;
    case Operation::kUpdate:
    case Operation::kUpdateAsync:
    case Operation::kSave:
      out << ':' << words_for(operation.parts);
      break;
    case Operation::kSetShards:
    case Operation::kIncreaseShards:
      return out << ": " << operation.number;
    case Operation::kCreate:
      return out << " with " << operation.seats << " seats";
    case Operation::kLoadCached:
      return out << " of " << seconds(operation.time) << " s ago at most";
    default:
      return out;
  }
  if (operation.parts & kBook) out << ' ' << operation.seats;
  return out;
}

std::ostream& operator<<(std::ostream& out, const Plan& plan) {
  const StoreFaults& faults = plan.faults;
  out << "  the store: a read takes up to " << seconds(faults.read_takes) << " s, a commit twice "
      << seconds(faults.commit_takes) << " s; conflicts " << faults.conflict << ", unknown " << faults.unknown
      << ", late by " << seconds(faults.latest) << " s, stalls " << faults.stall << " of "
      << seconds(faults.stall_lasts) << " s, outages " << faults.outage << " of "
      << seconds(faults.outage_lasts) << " s, commits of a record " << faults.commits_per_second << "/s"
      << (plan.abilities.prefetches ? "; it reads ahead" : "") << (plan.abilities.folds ? "; it folds" : "")
      << '\n';
  for (std::size_t i = 0; i < plan.processes.size(); ++i) {
    const ProcessPlan& process = plan.processes[i];
    if (process.clients.empty()) continue;
    const MapperOptions& options = process.options;
    out << "  process " << i + 1 << ", from " << seconds(process.begins) << " s";
    if (process.killed) out << ", killed at " << seconds(*process.killed) << " s";
    if (process.clock_jumps_by != Time(0))
      out << ", its clock jumps by " << seconds(process.clock_jumps_by) << " s at "
          << seconds(process.clock_jumps_at) << " s";
    out << (options.combine ? "" : ", does not combine");
    if (const auto* buffered = std::get_if<durability::buffered>(&options.durability))
      out << ", buffers for " << buffered->within.count() << " ms";
    out << (options.choice == ShardChoice::kRandom ? ", random shards" : "");
    if (options.max_in_flight < 100) out << ", " << options.max_in_flight << " in flight";
    if (options.retry.max_attempts < 100) out << ", " << options.retry.max_attempts << " attempts";
    if (options.retry.resolve_within < 30s)
      out << ", looks for what is unknown for " << seconds(options.retry.resolve_within) << " s";
    if (options.compact_every.count() > 0)
      out << ", compacts every " << options.compact_every.count() << " ms";
    if (options.adaptive.window.count() > 0)
      out << ", windows of " << options.adaptive.window.count() << " ms";
    out << '\n';
    for (const auto& client : process.clients) {
      out << "    a client:\n";
      for (const Operation& operation : client) out << "      " << operation << '\n';
    }
  }
  return out;
}

}  // namespace autoshard::simulation
