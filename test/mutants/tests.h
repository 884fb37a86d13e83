#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "support/temporary_folder.h"

namespace mutants {

/// What can kill mutants: one test of a program of GoogleTest, or a whole run of a program.
struct Test {
  std::string program;  // its path
  std::string name;     // of the test; empty for a whole run
  std::vector<std::string> arguments;
  int success = 0;  // the exit code
  std::chrono::milliseconds took{0};
  std::vector<bool> reached;  // by the number of the mutant

  /// Those with lower costs are to be tried first: a test that reaches few mutants is about these.
  long cost() const { return took.count() * std::count(reached.begin(), reached.end(), true); }
  /// For lists.
  std::string title() const;
};

/// A thread that runs processes, one at a time: what it needs for them.
class Worker {
 public:
  Worker();

  std::string output() const { return folder_ / "output"; }
  std::filesystem::path reached() const { return folder_ / "reached"; }
  /// A variable for the environment, with a folder for what tests leave. (A short one: there are sockets in
  /// it.)
  std::string temporary() const { return "TMPDIR=" + (folder_ / "tmp").string(); }
  void clear() const;

 private:
  const autoshard::test::TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
};

/// All that the programs of `folder` have, without times and what they reach.
std::vector<Test> list_tests(const std::filesystem::path& folder, const Worker& worker);

/// Runs it without a mutant, for its time and what it reaches. False if it fails.
bool measure(Test& test, std::size_t mutants, const Worker& worker);

}  // namespace mutants
