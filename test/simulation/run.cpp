#include "run.h"

#include <autoshard/errors.h>
#include <autoshard/memory_cache.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <variant>

#include "client.h"
#include "history.h"
#include "keys.h"
#include "scheduler.h"
#include "seats_watch.h"
#include "simulated_store.h"

namespace autoshard::simulation {
namespace {

/// A run that does not even get to a point where another thread could go on.
constexpr unsigned kSecondsAtMost = 120;

class Run {
 public:
  Run(const Plan& plan, bool traces, int result)
      : plan_(plan),
        result_(result),
        scheduler_(plan.schedule, plan.seldom, traces, [this](const std::string& what) { report(what); }),
        store_(scheduler_, plan.faults, plan.abilities),
        history_(scheduler_),
        cache_(std::size_t{1} << 20,
               [this] { return std::chrono::steady_clock::time_point(scheduler_.time()); }) {
    store_.watch([this](const Snapshot& state) { seats_.look(state); });
    history_.sees_buffered =
        !plan.faults.any() && plan.faults.stall == 0 &&
        std::none_of(plan.processes.begin(), plan.processes.end(), [](const ProcessPlan& process) {
          return process.options.retry.max_attempts < RetryPolicy::kUnlimited;
        });
  }

  [[noreturn]] void run() {
    std::vector<int> threads;
    for (const ProcessPlan& process : plan_.processes) {
      if (process.clients.empty()) continue;
      const int number = scheduler_.new_process();
      threads.push_back(scheduler_.start([this, &process] { run_process(process); }, number, "application"));
      threads.push_back(scheduler_.start([this, &process, number] { befall(process, number); }, 0, "fate"));
    }
    for (const int thread : threads) scheduler_.join(thread);
    scheduler_.trace("all is over");
    store_.recover();
    scheduler_.join(scheduler_.start([this] { look(); }, scheduler_.new_process(), "look"));
    report({});
  }

 private:
  void run_process(const ProcessPlan& process) {
    scheduler_.sleep(process.begins);
    MapperOptions options = process.options;
    if (process.shares_statistics) options.cache = &cache_;
    options.log = [this](std::string_view line) {
      if (scheduler_.is_verbose()) scheduler_.trace("log: ", line);
    };
    std::deque<Client> clients;  // outlives the mapper, whose callbacks use it
    Mapper mapper(store_, options);
    std::vector<int> threads;
    for (const auto& operations : process.clients) {
      Client& client = clients.emplace_back(scheduler_, history_, plan_.faults, process.options, mapper);
      threads.push_back(scheduler_.start([&] { client.run(operations); }, scheduler_.process(), "client"));
    }
    for (const int thread : threads) scheduler_.join(thread);
    if (std::holds_alternative<durability::buffered>(options.durability)) clients.front().flush();
  }

  void befall(const ProcessPlan& process, int number) {
    const Time end = process.killed.value_or(Time(0));
    if (process.clock_jumps_by != Time(0)) {
      scheduler_.sleep(process.clock_jumps_at);
      scheduler_.trace("the clock of process ", number, " jumps");
      scheduler_.move_clock(number, process.clock_jumps_by);
    }
    if (!process.killed) return;
    scheduler_.sleep(end);
    scheduler_.trace("process ", number, " is killed");
    scheduler_.kill(number);
    history_.killed(number);
  }

  /// What is there in the end, and that nothing is left once it is erased.
  void look() try {
    Mapper mapper(store_, {.compact_every = {}, .adaptive = {.window = {}}});
    std::vector<std::optional<Ledger>> ledgers;
    for (int entity = 0; entity < kEntities; ++entity) ledgers.push_back(look_at(mapper, entity));
    history_.check_saves();
    mapper.compact();
    for (int entity = 0; entity < kEntities; ++entity) {
      const std::optional<Ledger> compacted = look_at(mapper, entity);
      const std::optional<Ledger>& before = ledgers[static_cast<std::size_t>(entity)];
      if (before.has_value() != compacted.has_value() || (before && !same(*before, *compacted)))
        scheduler_.fail("compaction changes Ledger " + std::to_string(entity));
      if (compacted) look_for_loose_records(mapper, entity);
    }
    for (int entity = 0; entity < kEntities; ++entity) mapper.erase<Ledger>(entity);
    for (const std::string& key : store_.keys()) {
      if (!SeatsWatch::is_state_of_rollup(key))
        scheduler_.fail("is left when all is erased: " + detail::describe(key));
    }
  } catch (const std::exception& error) {
    scheduler_.fail(std::string("in the end, when nothing goes wrong any more: ") + error.what());
  }

  std::optional<Ledger> look_at(Mapper& mapper, int entity) {
    const History::Step begin = history_.step() + 1;
    std::optional<Ledger> ledger = mapper.load<Ledger>(entity);
    ledger ? history_.check_loaded(*ledger, begin, begin) : history_.check_absent(entity, begin);
    return ledger;
  }

  static bool same(const Ledger& one, const Ledger& other) {
    return one.created() == other.created() && one.saved() == other.saved() && one.votes() == other.votes() &&
           one.likes() == other.likes() && one.views() == other.views() && one.notes() == other.notes() &&
           one.bookings() == other.bookings() && one.seats() == other.seats() &&
           one.likers() == other.likers() && one.tally() == other.tally() && one.newest() == other.newest() &&
           one.noted() == other.noted();
  }

  /// That compaction should have folded.
  void look_for_loose_records(Mapper& mapper, int entity) {
    const std::string of = detail::entity_key("Ledger", entity);
    for (const std::string& key : store_.keys()) {
      if (!key.starts_with(of)) continue;
      const std::optional<detail::ShardKey> shard = detail::read_shard_key(of, key);
      if (!shard) continue;
      const std::uint32_t shards = std::max(shards_of(mapper, entity, shard->property), 1U);
      if (!shard->shard || *shard->shard >= shards)
        scheduler_.fail("is not compacted: " + detail::describe(key));
    }
  }

  std::uint32_t shards_of(Mapper& mapper, int entity, std::string_view property) {
    if (property == "votes") return mapper.shards<Ledger>(entity, "votes");
    if (property == "likes") return mapper.shards<Ledger>(entity, "likes");
    if (property == "views") return mapper.shards<Ledger>(entity, "views");
    if (property == "notes") return mapper.shards<Ledger>(entity, "notes");
    if (property == "bookings") return mapper.shards<Ledger>(entity, "bookings");
    if (property == "likers") return mapper.shards<Ledger>(entity, "likers");
    if (property == "tally") return mapper.shards<Ledger>(entity, "tally");
    if (property == "newest") return mapper.shards<Ledger>(entity, "newest");
    if (property == "noted") return mapper.shards<Ledger>(entity, "noted");
    return mapper.shards<Ledger>(entity, "seats");
  }

  [[noreturn]] void report(const std::string& failure) {
    const std::uint64_t hash = scheduler_.trace_hash();
    std::string bytes(reinterpret_cast<const char*>(&hash), sizeof hash);
    bytes += failure;
    bytes.push_back('\0');
    for (const std::string& line : scheduler_.lines()) bytes += "  " + line + '\n';
    for (std::size_t written = 0; written < bytes.size();) {
      const ssize_t some = write(result_, bytes.data() + written, bytes.size() - written);
      if (some <= 0) break;
      written += static_cast<std::size_t>(some);
    }
    _exit(0);  // others are still waiting for their turns
  }

  const Plan& plan_;
  const int result_;
  Scheduler scheduler_;
  SimulatedStore store_;
  History history_;
  SeatsWatch seats_{scheduler_, history_};
  MemoryCache cache_;
};

std::string read_all(int from) {
  std::string bytes;
  char buffer[65'536];
  for (;;) {
    const ssize_t some = read(from, buffer, sizeof buffer);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return bytes;
    bytes.append(buffer, static_cast<std::size_t>(some));
  }
}

}  // namespace

Result run(const Plan& plan, bool traces) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    close(ends[0]);
    alarm(kSecondsAtMost);
    Run(plan, traces, ends[1]).run();
  }
  close(ends[1]);
  const std::string bytes = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  Result result;
  const std::size_t end = bytes.find('\0', sizeof result.trace_hash);
  if (bytes.size() < sizeof result.trace_hash || end == std::string::npos || !WIFEXITED(status)) {
    result.failure = "the run itself dies";
    if (WIFSIGNALED(status)) result.failure += std::string(": ") + strsignal(WTERMSIG(status));
    return result;
  }
  std::memcpy(&result.trace_hash, bytes.data(), sizeof result.trace_hash);
  result.failure = bytes.substr(sizeof result.trace_hash, end - sizeof result.trace_hash);
  result.trace = bytes.substr(end + 1);
  return result;
}

namespace {

/// Whether it fails with one of a few schedules, which it has then.
bool fails(Plan& plan) {
  constexpr int kSchedules = 40;
  const std::uint64_t first = plan.schedule;
  for (int i = 0; i < kSchedules; ++i) {
    plan.schedule = first + static_cast<std::uint64_t>(i);
    if (!run(plan, false).failure.empty()) return true;
  }
  plan.schedule = first;
  return false;
}

template <class Change>
bool try_without(Plan& plan, const Change& change) {
  Plan smaller = plan;
  change(smaller);
  if (!fails(smaller)) return false;
  plan = std::move(smaller);
  return true;
}

/// Halves, quarters … and single ones of the operations of a client.
void shrink_client(Plan& plan, std::size_t process, std::size_t client) {
  const auto operations = [=](Plan & of) -> auto& { return of.processes[process].clients[client]; };
  for (std::size_t part = operations(plan).size(); part > 0; part /= 2) {
    for (std::size_t begin = 0; begin < operations(plan).size();) {
      const bool is_smaller = try_without(plan, [&](Plan& smaller) {
        auto& of = operations(smaller);
        const auto from = of.begin() + static_cast<std::ptrdiff_t>(begin);
        of.erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, of.size() - begin)));
      });
      if (!is_smaller) begin += part;
    }
  }
}

void shrink_store(Plan& plan) {
  try_without(plan, [](Plan& smaller) { smaller.abilities.prefetches = false; });
  try_without(plan, [](Plan& smaller) { smaller.abilities.folds = false; });
  try_without(plan, [](Plan& smaller) { smaller.faults.outage = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.unknown = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.conflict = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.stall = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.commits_per_second = 0; });
}

void shrink_process(Plan& plan, std::size_t process) {
  const auto with = [&](auto change) {
    try_without(plan, [&](Plan& smaller) { change(smaller.processes[process]); });
  };
  with([](ProcessPlan& its) { its.clients.clear(); });
  with([](ProcessPlan& its) { its.killed.reset(); });
  with([](ProcessPlan& its) { its.clock_jumps_by = {}; });
  with([](ProcessPlan& its) { its.options.durability = durability::committed{}; });
  with([](ProcessPlan& its) { its.options.compact_every = {}; });
  with([](ProcessPlan& its) { its.options.adaptive.window = {}; });
  with([](ProcessPlan& its) { its.options.retry = {}; });
  with([](ProcessPlan& its) { its.options.combine = false; });
}

std::size_t operations_of(const Plan& plan) {
  std::size_t number = 0;
  for (const ProcessPlan& process : plan.processes) {
    for (const auto& client : process.clients) number += client.size();
  }
  return number;
}

}  // namespace

Plan shrink(Plan plan) {
  for (std::size_t before = operations_of(plan) + 1; operations_of(plan) < before;) {
    before = operations_of(plan);
    for (std::size_t process = 0; process < plan.processes.size(); ++process) {
      shrink_process(plan, process);
      for (std::size_t client = 0; client < plan.processes[process].clients.size(); ++client)
        shrink_client(plan, process, client);
      try_without(plan, [&](Plan& smaller) {
        std::erase_if(smaller.processes[process].clients, [](const auto& client) { return client.empty(); });
      });
    }
    shrink_store(plan);
  }
  fails(plan);  // leaves a schedule with which it does
  return plan;
}

}  // namespace autoshard::simulation
