// What `autoshard_bench figure6 --store simulated` starts: the votes in virtual time, on a store that is like
// Google's Cloud Datastore at the time of the paper.

#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include "figure6.h"
#include "scheduler.h"
#include "simulated_store.h"

namespace {

using namespace autoshard::bench;
using namespace autoshard::simulation;
using namespace std::chrono_literals;

/// Optimistic, far away, and at most ten commits a second to one record.
constexpr StoreFaults kDatastore = {.read_takes = 100ms, .commit_takes = 100ms, .commits_per_second = 10};

constexpr std::uint64_t kSeed = 2014;
constexpr std::uint64_t kSeldom = 1'000'000;  // threads go on when others wait, which they do long enough
constexpr std::uint64_t kMostSteps = 20'000'000'000;

/// In a process of its own, for there is one scheduler in each.
VoteResult vote(const VoteSetting& setting, const VoteScheme& scheme) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    Scheduler scheduler(
        kSeed, kSeldom, false,
        [](const std::string& what) {
          std::cerr << what;
          _exit(EXIT_FAILURE);
        },
        kMostSteps);
    SimulatedStore store(scheduler, kDatastore, {.many_processes = true, .prefetches = true});
    const VoteResult result = run_votes(store, setting, scheme);
    _exit(write(ends[1], &result, sizeof result) == sizeof result ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  close(ends[1]);
  VoteResult result;
  const bool is_there = read(ends[0], &result, sizeof result) == sizeof result;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!is_there) throw std::runtime_error("the simulation failed");
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The votes of the paper, in virtual time");
  Figure6Options options;
  options.store = "a simulated Cloud Datastore";
  std::string json;
  app.add_option("--users", options.setting.users);
  app.add_option("--rate", options.setting.votes_per_second);
  app.add_option("--most-rate", options.most_votes_per_second);
  app.add_option("--seconds", options.setting.seconds);
  app.add_option("--svg", options.svg);
  app.add_option("--json", json);
  try {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    app.parse(argc, argv);
    const std::vector<Row> rows = run_figure6(options, vote);
    if (!json.empty()) write_json(json, rows);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << "figure6: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
