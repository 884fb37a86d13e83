#include "tests.h"

#include <sys/mount.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "process.h"

namespace mutants {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

/// Programs whose tests are run one by one, and those that are run as a whole: they start servers.
constexpr const char* kSplit[] = {"runtime_test", "stores_test", "record_fuzz_test", "text_fuzz_test",
                                  "power_loss_test"};
constexpr const char* kWhole[] = {"mysql_store_test", "mysql_limits_test", "mysql_errors_test"};

/// Tests of the tests, which take as long as chance has it.
constexpr const char* kLeftOut[] = {"DISABLED_", "Deceits/"};

bool is_left_out(const std::string& name) {
  return std::any_of(std::begin(kLeftOut), std::end(kLeftOut),
                     [&](const char* part) { return name.find(part) != std::string::npos; });
}

/// It stops at the first history that fails, with exit code 0.
constexpr const char *kSimulation = "simulation", *kFirstSeed = "1", *kLastSeed = "300";

void list_split(const std::string& program, const Worker& worker, std::vector<Test>& tests) {
  std::istringstream lines(run_process({program, "--gtest_list_tests"}, {}, worker.output(), 60s).output);
  std::string suite;
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find("  #"));
    if (line.empty()) continue;
    if (line.front() != ' ') {
      suite = line;
    } else if (const std::string name = suite + line.substr(2); !is_left_out(name)) {
      tests.push_back(
          {.program = program, .name = name, .arguments = {"--gtest_filter=" + name}, .reached = {}});
    }
  }
}

/// A test that is killed while it has a small file system mounted leaves it.
void unmount_below(const fs::path& folder) {
  std::ifstream mounts("/proc/self/mounts");
  std::vector<std::string> places;
  for (std::string device, place; mounts >> device >> place;
       mounts.ignore(std::numeric_limits<std::streamsize>::max(), '\n')) {
    if (place.starts_with(folder.string() + '/')) places.push_back(place);
  }
  for (const std::string& place : places) umount2(place.c_str(), MNT_DETACH);
}

}  // namespace

std::string Test::title() const {
  return fs::path(program).filename().string() + (name.empty() ? "" : " " + name);
}

Worker::Worker() {
  fs::permissions(folder_, fs::perms::others_exec, fs::perm_options::add);
  clear();
}

void Worker::clear() const {
  unmount_below(folder_ / "tmp");
  fs::remove_all(folder_ / "tmp");
  fs::create_directories(folder_ / "tmp");
  fs::permissions(folder_ / "tmp", fs::perms::all);  // servers have users of their own
}

std::vector<Test> list_tests(const fs::path& folder, const Worker& worker) {
  std::vector<Test> tests;
  for (const char* program : kSplit) {
    if (fs::exists(folder / program)) list_split(folder / program, worker, tests);
  }
  for (const char* program : kWhole) {
    if (fs::exists(folder / program))
      tests.push_back(
          {.program = folder / program, .name = {}, .arguments = {"--gtest_fail_fast"}, .reached = {}});
  }
  if (fs::exists(folder / kSimulation)) {
    tests.push_back({.program = folder / kSimulation,
                     .name = {},
                     .arguments = {"find", kFirstSeed, kLastSeed},
                     .success = 1,
                     .reached = {}});
  }
  return tests;
}

bool measure(Test& test, std::size_t mutants, const Worker& worker) {
  const fs::path file = worker.reached();
  std::ofstream(file) << std::string(mutants, '\0');
  std::vector<std::string> command{test.program};
  command.insert(command.end(), test.arguments.begin(), test.arguments.end());
  worker.clear();
  const Ended ended = run_process(command, {"AUTOSHARD_MUTANTS_REACHED=" + file.string(), worker.temporary()},
                                  worker.output(), 900s);
  test.took = ended.took;
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  test.reached.clear();
  for (const char byte : bytes) test.reached.push_back(byte != 0);
  return ended.how == Ended::How::kExited && ended.code == test.success;
}

}  // namespace mutants
