// Tries to kill the mutants of a list with the tests of a folder of programs that hold them:
//   kill LIST PROGRAMS WORK SURVIVORS
// WORK keeps what was found out: a run that was cut short goes on where it ended. One line a mutant goes to
// WORK/results.txt: its number and "killed by TEST", "SURVIVED" or "not reached".
// SURVIVORS lists those that are known to survive: file, function, original text, changed text and the
// reason.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "process.h"
#include "tests.h"

namespace mutants {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

/// A mutant that takes so much longer than the tests without it hangs.
constexpr int kTimes = 5;
constexpr std::chrono::seconds kMore{5};

/// A test that fails once has to fail once more in so many runs: some depend on time.
constexpr int kConfirmations = 3;

/// Tests run together in one process as long as they take no more than so long; the next process may take
/// more.
constexpr std::chrono::milliseconds kFirstBatch{300};
constexpr int kGrowth = 4;

/// First, each mutant meets the tests that are tried first, which take no more than so long; most die. Then
/// those that are left meet the others, but for tests that take too long, and for mutants that are known to
/// survive.
constexpr std::chrono::seconds kFirstPass{5}, kTooLong{120};

/// In a hundred.
constexpr double kEnough = 95;

/// Runs `work` with each index below `size`, on all cores.
template <class Work>
void on_all_cores(std::size_t size, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned core = 0; core < std::max(std::thread::hardware_concurrency(), 1U); ++core) {
    threads.emplace_back([&] {
      const Worker worker;
      for (std::size_t i = next++; i < size; i = next++) work(i, worker);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// The times of the tests and what they reach, from the file or measured. Those that fail without a mutant
/// are left out.
std::vector<Test> measured_tests(const fs::path& programs, std::size_t mutants, const fs::path& folder) {
  std::vector<Test> tests = list_tests(programs, Worker());
  std::map<std::string, std::string> known;
  {
    std::ifstream in(folder / "tests.txt");
    for (std::string line; std::getline(in, line);) {
      const std::size_t tab = line.find('\t');
      if (tab != std::string::npos) known[line.substr(0, tab)] = line.substr(tab + 1);
    }
  }
  std::mutex mutex;
  std::ofstream out(folder / "tests.txt", std::ios::app);
  on_all_cores(tests.size(), [&](std::size_t i, const Worker& worker) {
    Test& test = tests[i];
    std::string result;
    if (const auto found = known.find(test.title()); found != known.end()) {
      result = found->second;
    } else {
      const bool passes = measure(test, mutants, worker);
      result = passes ? std::to_string(test.took.count()) + ' ' : "fails ";
      for (const bool reached : test.reached) result += reached ? '1' : '0';
      const std::lock_guard lock(mutex);
      if (passes) out << test.title() << '\t' << result << std::endl;
      if (!passes) std::cout << test.title() << " fails without a mutant and is left out" << std::endl;
    }
    std::istringstream in(result);
    std::string took, reached;
    in >> took >> reached;
    test.took = std::chrono::milliseconds(took == "fails" ? -1 : std::stol(took));
    test.reached.clear();
    for (const char byte : reached) test.reached.push_back(byte == '1');
  });
  std::erase_if(tests, [](const Test& test) { return test.took < 0ms; });
  std::sort(tests.begin(), tests.end(),
            [](const Test& left, const Test& right) { return left.cost() < right.cost(); });
  return tests;
}

/// The name of the first test that GoogleTest's output says failed, or of the last one that began.
std::string culprit(const std::string& output) {
  const auto name_behind = [&](std::size_t place) {
    const std::size_t begin = output.find(']', place) + 2;
    return output.substr(begin, output.find_first_of(" ,\n", begin) - begin);
  };
  if (const std::size_t failed = output.find("[  FAILED  ] "); failed != std::string::npos)
    return name_behind(failed);
  if (const std::size_t began = output.rfind("[ RUN      ] "); began != std::string::npos)
    return name_behind(began);
  return {};
}

class Killer {
 public:
  Killer(const std::vector<Test>& tests, int mutant, const Worker& worker)
      : tests_(tests), mutant_(mutant), worker_(worker) {}

  /// Nothing, if it lives through the quickest tests and there are others.
  std::string run_quickest() { return run(true); }
  std::string run_others() { return run(false); }

 private:
  std::string run(bool quickest) {
    worker_.clear();
    std::vector<const Test*> reaching;
    for (const Test& test : tests_) {
      if (test.took < kTooLong && test.reached[static_cast<std::size_t>(mutant_)]) reaching.push_back(&test);
    }
    if (reaching.empty()) return "not reached";
    std::chrono::milliseconds budget = kFirstBatch, all{0};
    for (std::size_t begin = 0, end = 0; begin < reaching.size(); begin = end, budget *= kGrowth) {
      std::chrono::milliseconds together{0};
      std::map<std::string, std::vector<const Test*>> batches;
      do {
        const Test& test = *reaching[end++];
        together += test.took;
        batches[test.name.empty() ? test.title() : test.program].push_back(&test);
      } while (end < reaching.size() && together < budget);
      all += together;
      if ((begin == 0 || all <= kFirstPass) != quickest) {
        if (quickest) return {};
        continue;
      }
      for (const auto& each : batches) {
        if (std::string killer = run_batch(each.second); !killer.empty()) return "killed by " + killer;
      }
    }
    return "SURVIVED";
  }

  /// The test that killed the mutant, or nothing.
  std::string run_batch(std::vector<const Test*> batch) {
    while (!batch.empty()) {
      const Ended ended = run_once(batch);
      if (is_success(*batch.front(), ended)) return {};
      if (ended.how == Ended::How::kTimedOut) return title(batch, ended) + " (does not end)";
      const std::string name = culprit(ended.output);
      const auto found = std::find_if(batch.begin(), batch.end(), [&](const Test* test) {
        return test->name.empty() || test->name == name;
      });
      const std::string killer = title(batch, ended) + how(ended);
      if (found == batch.end()) return is_success(*batch.front(), run_once(batch)) ? std::string() : killer;
      if (fails_again(**found)) return killer;
      batch.erase(found);
    }
    return {};
  }

  static std::string how(const Ended& ended) {
    return (ended.how == Ended::How::kCrashed ? " (signal " : " (exit code ") + std::to_string(ended.code) +
           ')';
  }

  bool fails_again(const Test& test) {
    for (int i = 0; i < kConfirmations; ++i) {
      if (!is_success(test, run_once({&test}))) return true;
    }
    return false;
  }

  static bool is_success(const Test& test, const Ended& ended) {
    return ended.how == Ended::How::kExited && ended.code == test.success;
  }

  static std::string title(const std::vector<const Test*>& batch, const Ended& ended) {
    const std::string name = culprit(ended.output);
    return fs::path(batch.front()->program).filename().string() + (name.empty() ? "" : " " + name);
  }

  Ended run_once(const std::vector<const Test*>& batch) {
    std::vector<std::string> command{batch.front()->program};
    std::chrono::milliseconds together{0};
    for (const Test* test : batch) together += test->took;
    if (batch.front()->name.empty()) {
      command.insert(command.end(), batch.front()->arguments.begin(), batch.front()->arguments.end());
    } else {
      std::string filter = "--gtest_filter=";
      for (const Test* test : batch) filter += test->name + ':';
      command.insert(command.end(), {filter, "--gtest_fail_fast"});
    }
    return run_process(command, {"AUTOSHARD_MUTANT=" + std::to_string(mutant_), worker_.temporary()},
                       worker_.output(), kTimes * together + kMore);
  }

  const std::vector<Test>& tests_;
  const int mutant_;
  const Worker& worker_;
};

std::map<int, std::string> read_results(const fs::path& file) {
  std::map<int, std::string> results;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t tab = line.find('\t');
    if (tab != std::string::npos) results[std::stoi(line)] = line.substr(tab + 1);
  }
  return results;
}

/// The lines that need no looking at: all but the comments and the reasons behind the last tab.
std::set<std::string> read_survivors(const fs::path& file) {
  std::set<std::string> known;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with('#')) known.insert(line.substr(0, line.rfind('\t')));
  }
  return known;
}

/// The mutants of a list, without their numbers and lines, which change: by file, function and texts.
std::vector<std::string> read_identities(const fs::path& list) {
  std::vector<std::string> identities;
  std::ifstream in(list);
  for (std::string line; std::getline(in, line);) {
    const std::size_t file = line.find('\t') + 1, line_number = line.find('\t', file),
                      rest = line.find('\t', line_number + 1);
    identities.push_back(line.substr(file, line_number - file) + line.substr(rest));
  }
  return identities;
}

/// Whether enough were killed, and the others are known.
bool report(const std::vector<std::string>& identities, const std::map<int, std::string>& results,
            const std::set<std::string>& known) {
  std::map<std::string, int> totals;
  int unknown = 0;
  for (const auto& [mutant, result] : results) {
    const std::string verdict = result.substr(0, result.find(" by "));
    ++totals[verdict];
    if (verdict == "killed") continue;
    const std::string& identity = identities[static_cast<std::size_t>(mutant)];
    const bool is_known = known.contains(identity);
    if (!is_known) ++unknown;
    std::cout << verdict << (is_known ? ", known\t" : ", NEW\t") << mutant << "\t" << identity << "\n";
  }
  const std::size_t all = results.size();
  std::cout << all << " mutants";
  for (const auto& [verdict, number] : totals) std::cout << ", " << number << " " << verdict;
  std::cout << ": " << 100.0 * totals["killed"] / static_cast<double>(all) << " % killed, " << unknown
            << " others are in no list" << std::endl;
  return unknown == 0 && totals["killed"] * 100.0 >= kEnough * static_cast<double>(all);
}

int run(const fs::path& list, const fs::path& programs, const fs::path& folder, const fs::path& survivors) {
  fs::create_directories(folder);
  const std::vector<std::string> identities = read_identities(list);
  const std::set<std::string> known = read_survivors(survivors);
  const std::size_t mutants = identities.size();
  const std::vector<Test> tests = measured_tests(programs, mutants, folder);
  std::cout << tests.size() << " tests" << std::endl;
  std::map<int, std::string> results = read_results(folder / "results.txt");
  std::mutex mutex;
  std::ofstream out(folder / "results.txt", std::ios::app);
  for (const bool quickest : {true, false}) {
    std::vector<int> left;
    for (std::size_t i = 0; i < mutants; ++i) {
      if (const int mutant = static_cast<int>(i); !results.contains(mutant)) left.push_back(mutant);
    }
    // In an order of chance, so that the figures of a run that is cut short stand for the whole.
    std::shuffle(left.begin(), left.end(), std::mt19937());
    on_all_cores(left.size(), [&](std::size_t i, const Worker& worker) {
      Killer killer(tests, left[i], worker);
      const bool is_known = known.contains(identities[static_cast<std::size_t>(left[i])]);
      std::string result = quickest ? killer.run_quickest() : is_known ? "SURVIVED" : killer.run_others();
      if (result.empty()) return;
      const std::lock_guard lock(mutex);
      out << left[i] << '\t' << result << std::endl;
      std::cout << left[i] << '\t' << result << std::endl;
      results[left[i]] = std::move(result);
    });
  }
  return report(identities, results, known) ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace mutants

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: kill LIST PROGRAMS WORK SURVIVORS\n";
    return EXIT_FAILURE;
  }
  try {
    return mutants::run(argv[1], argv[2], argv[3], argv[4]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
