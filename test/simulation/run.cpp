#include "run.h"

#include <autoshard/memory_cache.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <variant>

#include "actor.h"
#include "album.h"
#include "entity_index.h"
#include "entity_types.h"
#include "history.h"
#include "keys.h"
#include "ledger.h"
#include "permit.h"
#include "scheduler.h"
#include "seats_watch.h"
#include "simulated_store.h"
#include "stock_watch.h"

namespace autoshard::simulation {
namespace {

/// A run that does not even get to a point where another thread could go on.
constexpr unsigned kSecondsAtMost = 120;

constexpr int kAllThreads = 1'000;

/// The classes of the program of a process.
std::vector<const detail::EntityType*> types_of(World world, int version) {
  switch (world) {
    case World::kAlbums:
      return {version == 1 ? &detail::kEntityType<Album<1>> : &detail::kEntityType<Album<2>>};
    case World::kPermits:
      return {version == 1 ? &detail::kEntityType<Permit<1>> : &detail::kEntityType<Permit<2>>};
    case World::kLedgers:
      break;
  }
  return {&detail::kEntityType<Ledger>};
}

class Run {
 public:
  Run(const Plan& plan, bool traces, int result)
      : plan_(plan),
        result_(result),
        scheduler_(plan.schedule, plan.seldom, traces, [this](const std::string& what) { report(what); }),
        store_(scheduler_, plan.faults, plan.abilities),
        history_(scheduler_, plan.world),
        cache_(std::size_t{1} << 20,
               [this] { return std::chrono::steady_clock::time_point(scheduler_.time()); }) {
    store_.watch([this](const Snapshot& state, int process) { watch(state, process); });
    history_.sees_buffered =
        !plan.faults.any() && plan.faults.stall == 0 && plan.user_errors == 0 && !plan.loss &&
        std::none_of(plan.processes.begin(), plan.processes.end(), [](const ProcessPlan& process) {
          return process.options.retry.max_attempts < RetryPolicy::kUnlimited;
        });
    if (plan.foreign_records) store_.add(foreign_records());
    set_user_errors(plan.user_errors);
  }

  [[noreturn]] void run() {
    std::vector<int> fates;
    std::map<int, int> applications;  // by their processes
    for (const ProcessPlan& process : plan_.processes) {
      if (process.clients.empty()) continue;
      const int number = new_process(process.version);
      busy_.insert(number);
      applications[number] =
          scheduler_.start([this, &process] { run_process(process); }, number, "application");
      fates.push_back(scheduler_.start([this, &process, number] { befall(process, number); }, 0, "fate"));
    }
    if (plan_.loss) fates.push_back(scheduler_.start([this] { befall_store(); }, 0, "fate"));
    for (const int fate : fates) scheduler_.join(fate);
    while (!busy_.empty()) scheduler_.wait(&busy_);
    scheduler_.trace("nothing goes wrong any more");
    store_.recover();
    set_user_errors(0);
    for (const auto& [process, thread] : applications) {
      has_turn_ = process;
      Scheduler::notify(&has_turn_, kAllThreads);
      scheduler_.join(thread);
    }
    scheduler_.trace("all is over");
    scheduler_.join(scheduler_.start([this] { look_at_end(plan_.world, scheduler_, store_, history_); },
                                     new_process(2), "look"));
    report({});
  }

 private:
  int new_process(int version) {
    const int number = scheduler_.new_process();
    history_.set_version(number, version);
    set_entity_types(number, types_of(plan_.world, version));
    return number;
  }

  void watch(const Snapshot& state, int process) {
    if (plan_.world == World::kLedgers) seats_.look(state);
    if (plan_.world == World::kAlbums) stock_.look(state, process == 0 ? 0 : history_.version_of(process));
  }

  void run_process(const ProcessPlan& process) {
    scheduler_.sleep(process.begins);
    MapperOptions options = process.options;
    if (process.shares_statistics) options.cache = &cache_;
    options.log = [this](std::string_view line) {
      if (scheduler_.is_verbose()) scheduler_.trace("log: ", line);
    };
    if (plan_.user_errors > 0) {
      options.clock = [this] {
        user_code("a clock");
        return std::chrono::system_clock::time_point(scheduler_.system_time());
      };
    }
    std::deque<std::unique_ptr<Actor>> actors;  // outlive the mapper, whose callbacks use them
    std::optional<Mapper> mapper(std::in_place, store_, options);
    Conflicts conflicts(scheduler_, history_);
    std::vector<int> threads;
    for (const auto& operations : process.clients) {
      Actor& actor = *actors.emplace_back(
          make_actor(process.version, {scheduler_, history_, plan_, process, *mapper, conflicts}));
      threads.push_back(scheduler_.start([&] { actor.run(operations); }, scheduler_.process(), "client"));
    }
    for (const int thread : threads) scheduler_.join(thread);
    if (std::holds_alternative<durability::buffered>(options.durability)) actors.front()->flush();
    if (!process.stays) mapper.reset();
    note_idle(scheduler_.process());
    if (!process.stays) return;
    while (has_turn_ != scheduler_.process()) scheduler_.wait(&has_turn_);
    actors.front()->write_at_last();
  }

  /// It does nothing any more, unless it has its turn in the end.
  void note_idle(int process) {
    busy_.erase(process);
    Scheduler::notify(&busy_, kAllThreads);
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
    note_idle(number);
  }

  void befall_store() {
    scheduler_.sleep(plan_.loss->to);
    scheduler_.trace("the database is copied");
    const SimulatedStore::Records records = store_.records();
    const History::Step since = history_.step();
    scheduler_.sleep(plan_.loss->at - plan_.loss->to);
    scheduler_.trace("the database is put back to the copy");
    store_.put_back(records);
    history_.lost_by_store(since);
  }

  /// In the place where entities are noted that expire: their keys are cut off, or are no keys at all. And
  /// behind all records of each index.
  SimulatedStore::Records foreign_records() const {
    const std::string whole =
        detail::expiry_key("Permit", 1'700'000'000'000, detail::entity_key("Permit", 1)).bytes();
    const std::string begin = detail::begin_of_expiries("Permit", 0);
    SimulatedStore::Records records;
    for (std::size_t size = begin.size() - 8; size <= whole.size(); ++size)
      records.emplace(whole.substr(0, size), size % 2 == 0 ? "" : "\xC0");
    if (!plan_.foreign_index_records) return records;
    for (const int version : {1, 2}) {
      for (const detail::EntityType* type : types_of(plan_.world, version)) {
        for (const auto& index : detail::indexes_of(*type).all) {
          for (const char* behind : {"\xFF", "\xFF\xFF\xFF"})
            records.emplace(std::string(index->key()) + behind, "\xC0");
        }
      }
    }
    return records;
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
  std::set<int> busy_;  // processes
  int has_turn_ = 0;    // a process that has stayed
  SeatsWatch seats_{scheduler_, history_};
  StockWatch stock_{scheduler_, history_};
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

}  // namespace autoshard::simulation
