// Runs the real mapper, its threads and several processes of it in a simulated world: a history for each
// seed, checked against what the clients were told.

#include <sched.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>

#include "check.h"
#include "plan.h"
#include "run.h"

namespace {

using namespace autoshard::simulation;

std::uint64_t running_seed = 0;
bool checks_find = false;  // a failed check is what is looked for

/// A check of the runtime has failed, and has said so: the process ends.
void on_abort(int) {
  char line[80];
  const int size = std::snprintf(
      line, sizeof(line),
      checks_find ? "found by seed %llu: a check failed\n" : "again: AUTOSHARD_SIMULATION_SEED=%llu\n",
      static_cast<unsigned long long>(running_seed));
  static_cast<void>(write(STDOUT_FILENO, line, static_cast<std::size_t>(size)) == size);
  _exit(checks_find ? EXIT_SUCCESS : EXIT_FAILURE);
}

Result run_seed(std::uint64_t seed) {
  running_seed = seed;
  return run(make_plan(seed), false);
}

void tell(std::uint64_t seed, const Result& result) {
  std::cout << "seed " << seed << ": " << result.failure << "\nthe shortest history found that fails:\n";
  const Plan plan = shrink(make_plan(seed), result.failure);
  const Result shortest = run(plan, true);
  std::cout << plan << shortest.trace << "=> " << shortest.failure
            << "\nagain: AUTOSHARD_SIMULATION_SEED=" << seed << '\n';
}

int refuse() {
  std::cerr << "usage: simulation run|repeat|list FIRST_SEED LAST_SEED\n"
               "       simulation find|find_by_checks FIRST_SEED LAST_SEED [LIKELY_SEED]\n"
               "find ignores failed checks of the runtime.\n"
               "The last seed must not be less than the first, and AUTOSHARD_SIMULATION_TIMES not be 0.\n";
  return 2;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  std::cerr << "simulation: \"" << text << "\" is no number\n";
  std::exit(refuse());
}

/// Each twice, to see that nothing but the seed decides. A run that fails may have no hash to compare.
int check_repeats(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Result once = run_seed(seed), again = run_seed(seed);
    const std::string& failure = once.failure.empty() ? again.failure : once.failure;
    if (failure.empty() && once.trace_hash == again.trace_hash) continue;
    std::cout << "seed " << seed << ": "
              << (failure.empty() ? "does not give the same run each time" : failure) << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

int run_all(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Result result = run_seed(seed);
    if (result.failure.empty()) continue;
    tell(seed, result);
    return EXIT_FAILURE;
  }
  std::cout << "all is well, seeds " << first << " to " << last << '\n';
  return EXIT_SUCCESS;
}

bool finds(std::uint64_t seed) {
  const std::string failure = run_seed(seed).failure;
  if (!failure.empty()) std::cout << "found by seed " << seed << ": " << failure << '\n';
  return !failure.empty();
}

/// `likely`: the seed that found the planted bug before, which is tried first; 0: none.
int find(std::uint64_t first, std::uint64_t last, std::uint64_t likely) {
  if (likely >= first && likely <= last && finds(likely)) return EXIT_SUCCESS;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    if (finds(seed)) return EXIT_SUCCESS;
  }
  std::cout << "not found, seeds " << first << " to " << last << '\n';
  return EXIT_FAILURE;
}

/// Every seed that fails, with what it prints first.
int list_all(std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const std::string failure = run_seed(seed).failure;
    if (!failure.empty()) std::cout << seed << ": " << failure.substr(0, failure.find('\n')) << '\n';
  }
  return EXIT_SUCCESS;
}

int run_one(std::uint64_t seed) {
  running_seed = seed;
  const Plan plan = make_plan(seed);
  const Result result = run(plan, true);
  std::cout << plan << result.trace << "=> " << (result.failure.empty() ? "all is well" : result.failure)
            << '\n';
  return result.failure.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// One thread runs at a time: handing over to one on another processor takes far longer than on the same.
void stay_on_one_processor() {
  cpu_set_t allowed, one;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return;
  int left = static_cast<int>(getpid() % CPU_COUNT(&allowed));
  int processor = 0;
  while (!CPU_ISSET(processor, &allowed) || left-- > 0) ++processor;
  CPU_ZERO(&one);
  CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof(one), &one);
}

}  // namespace

int main(int argc, char** argv) {
  std::cout << std::unitbuf;
  stay_on_one_processor();
  std::signal(SIGABRT, on_abort);
  if (const char* seed = std::getenv("AUTOSHARD_SIMULATION_SEED")) return run_one(number(seed));
  const std::string_view what = argc > 1 ? argv[1] : "";
  const bool ignores_checks = what == "find";
  const bool finds = ignores_checks || what == "find_by_checks", runs = what == "run";
  if (!finds && !runs && what != "repeat" && what != "list") return refuse();
  if (argc != 4 && !(finds && argc == 5)) return refuse();
  const std::uint64_t first = number(argv[2]);
  const std::uint64_t last = number(argv[3]);
  const char* more = runs ? std::getenv("AUTOSHARD_SIMULATION_TIMES") : nullptr;
  const std::uint64_t times = more ? number(more) : 1;
  const std::uint64_t last_of_all = first + (last - first + 1) * times - 1;
  if (last < first || times == 0 || last_of_all < last) return refuse();
  autoshard::detail::ignores_failed_checks = ignores_checks;
  checks_find = finds && !ignores_checks;
  if (finds) return find(first, last, argc == 5 ? number(argv[4]) : first);
  if (what == "repeat") return check_repeats(first, last);
  if (what == "list") return list_all(first, last);
  return run_all(first, last_of_all);
}
